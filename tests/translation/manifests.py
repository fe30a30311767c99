"""A manifest with comments, and what becomes of it in HAMi."""

DEPLOYMENT = """\
# what the team runs
apiVersion: apps/v1
kind: Deployment
metadata:
  name: infer   # one per region
spec:
  selector:
    matchLabels: {app: infer}
  template:
    metadata:
      labels:
        app: infer
      annotations:
        team: vision
        vke.volcengine.com/container-multiple-gpu: "2"   # cards
        vke.volcengine.com/mgpu-compute-policy: native-burst-share
    spec:
      containers:
        - name: app
          image: registry.example/infer:1
          resources:
            limits:
              cpu: "2"  # cores
              vke.volcengine.com/mgpu-memory: 8192   # MiB in all
              vke.volcengine.com/mgpu-core: 30
            requests:
              cpu: "2"
              vke.volcengine.com/mgpu-memory: 8192
              vke.volcengine.com/mgpu-core: 30
"""
HAMI = """\
# what the team runs
apiVersion: apps/v1
kind: Deployment
metadata:
  name: infer   # one per region
spec:
  selector:
    matchLabels: {app: infer}
  template:
    metadata:
      labels:
        app: infer
      annotations:
        team: vision
    spec:
      containers:
        - name: app
          image: registry.example/infer:1
          resources:
            limits:
              cpu: "2"  # cores
              nvidia.com/gpu: 2
              nvidia.com/gpumem: 4096
              nvidia.com/gpucores: 15
            requests:
              cpu: "2"
              nvidia.com/gpu: 2
              nvidia.com/gpumem: 4096
              nvidia.com/gpucores: 15
      schedulerName: hami-scheduler
"""
