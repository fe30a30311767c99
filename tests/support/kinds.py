"""Objects of every kind that carries pod templates, and where in each the template stands (from each API's own reference)."""

from typing import Any

from tests.support.pods import Json, workload

Where = tuple[str | int, ...]
SPEC_TEMPLATE: Where = ("spec", "template")


def built_in(template: Json) -> dict[str, tuple[Json, Where]]:
    """Return an object of each built-in kind around one template."""
    job = {"template": template}
    return {
        "Deployment": (workload("apps/v1", "Deployment", job), SPEC_TEMPLATE),
        "StatefulSet": (workload("apps/v1", "StatefulSet", {"serviceName": "s"} | job), SPEC_TEMPLATE),
        "DaemonSet": (workload("apps/v1", "DaemonSet", job), SPEC_TEMPLATE),
        "ReplicaSet": (workload("apps/v1", "ReplicaSet", job), SPEC_TEMPLATE),
        "ReplicationController": (workload("v1", "ReplicationController", job), SPEC_TEMPLATE),
        "Job": (workload("batch/v1", "Job", job), SPEC_TEMPLATE),
        "CronJob": (
            workload("batch/v1", "CronJob", {"schedule": "@daily", "jobTemplate": {"spec": job}}),
            ("spec", "jobTemplate", "spec", "template"),
        ),
        "PodTemplate": ({"apiVersion": "v1", "kind": "PodTemplate", "metadata": {"name": "w"}, "template": template}, ("template",)),
    }


def custom(template: Json) -> dict[str, tuple[Json, Where]]:
    """Return a custom resource of each kind around one template."""
    return _training(template) | _serving(template)


def _of(version: str, kind: str, spec: Json, *where: str | int) -> tuple[Json, Where]:
    return workload(version, kind, spec), ("spec", *where)


def _training(template: Json) -> dict[str, tuple[Json, Where]]:
    """Return the kinds that run jobs and models."""
    group: Json = {"replicas": 2, "template": template}
    cluster: Json = {"headGroupSpec": {"rayStartParams": {}}, "workerGroupSpecs": [{"groupName": "a"}, {"groupName": "b"} | group]}
    worker: Where = ("workerGroupSpecs", 1, "template")
    replicas: Json = {"Launcher": {"replicas": 1}, "Worker": group}

    return {
        "Volcano Job": _of("batch.volcano.sh/v1alpha1", "Job", {"tasks": [{"name": "ps"}, group]}, "tasks", 1, "template"),
        "Volcano JobFlow": _of("flow.volcano.sh/v1alpha1", "JobTemplate", {"tasks": [group]}, "tasks", 0, "template"),
        "PyTorchJob": _of("kubeflow.org/v1", "PyTorchJob", {"pytorchReplicaSpecs": replicas}, "pytorchReplicaSpecs", "Worker", "template"),
        "TFJob": _of("kubeflow.org/v1", "TFJob", {"tfReplicaSpecs": replicas}, "tfReplicaSpecs", "Worker", "template"),
        "MPIJob": _of("kubeflow.org/v2beta1", "MPIJob", {"mpiReplicaSpecs": replicas}, "mpiReplicaSpecs", "Worker", "template"),
        "Notebook": _of("kubeflow.org/v1", "Notebook", {"template": template}, "template"),
        "RayCluster": _of("ray.io/v1", "RayCluster", cluster, *worker),
        "RayJob": _of("ray.io/v1", "RayJob", {"rayClusterSpec": cluster}, "rayClusterSpec", *worker),
        "RayJob's submitter": _of("ray.io/v1", "RayJob", {"submitterPodTemplate": template}, "submitterPodTemplate"),
        "RayService": _of("ray.io/v1", "RayService", {"rayClusterConfig": cluster}, "rayClusterConfig", *worker),
        "JobSet": _of(
            "jobset.x-k8s.io/v1alpha2",
            "JobSet",
            {"replicatedJobs": [{"name": "w", "template": {"spec": {"template": template}}}]},
            *("replicatedJobs", 0, "template", "spec", "template"),
        ),
        "LeaderWorkerSet": _of(
            "leaderworkerset.x-k8s.io/v1",
            "LeaderWorkerSet",
            {"leaderWorkerTemplate": {"size": 2, "workerTemplate": template}},
            *("leaderWorkerTemplate", "workerTemplate"),
        ),
        "SparkApplication": _of("sparkoperator.k8s.io/v1beta2", "SparkApplication", {"executor": group}, "executor", "template"),
    }


def _serving(template: Json) -> dict[str, tuple[Json, Where]]:
    """Return the kinds that stand for a Deployment or CronJob."""
    group: Json = {"replicas": 2, "template": template}
    job_spec: Json = {"jobTemplate": {"spec": {"template": template}}}
    return {
        "Argo Rollout": _of("argoproj.io/v1alpha1", "Rollout", group, "template"),
        "Argo AnalysisTemplate": _of(
            "argoproj.io/v1alpha1",
            "AnalysisTemplate",
            {"metrics": [{"provider": {"job": {"spec": {"template": template}}}}]},
            *("metrics", 0, "provider", "job", "spec", "template"),
        ),
        "CloneSet": _of("apps.kruise.io/v1alpha1", "CloneSet", group, "template"),
        "UnitedDeployment": _of(
            "apps.kruise.io/v1alpha1",
            "UnitedDeployment",
            {"template": {"statefulSetTemplate": {"spec": group}}},
            *("template", "statefulSetTemplate", "spec", "template"),
        ),
        "AdvancedCronJob": _of(
            "apps.kruise.io/v1alpha1", "AdvancedCronJob", {"template": job_spec}, "template", "jobTemplate", "spec", "template"
        ),
        "Knative Service": _of("serving.knative.dev/v1", "Service", {"template": template}, "template"),
        "a CronJob of somebody's own": _of(
            "example.com/v1", "BackupPlan", {"plans": {"nightly": [job_spec]}}, "plans", "nightly", 0, "jobTemplate", "spec", "template"
        ),
    }


def argo(container: Json, metadata: Json | None = None) -> dict[str, tuple[Json, Where]]:
    """Return Argo Workflows whose templates hold a container where a pod has a spec; the path is that of the container."""
    named: Json = {"name": "t"} | ({"metadata": metadata} if metadata else {})
    one, script = named | {"container": container}, named | {"script": container | {"source": "print()"}}
    several = named | {"containerSet": {"containers": [{"name": "main", "image": "a"}, {"name": "other"} | container]}}
    steps = {"name": "s", "steps": [[{"name": "a", "inline": one}]]}
    tasks = {"name": "d", "dag": {"tasks": [{"name": "a", "inline": one}]}}
    version = "argoproj.io/v1alpha1"
    first: Where = ("spec", "templates", 0)

    def of(kind: str, template: Json, *where: str | int) -> tuple[Json, Where]:
        return workload(version, kind, {"templates": [template]}), (*first, *where)

    cron: Any = {"schedule": "@daily", "workflowSpec": {"templates": [one]}}
    return {
        "Workflow with a container": of("Workflow", one, "container"),
        "Workflow with a script": of("Workflow", script, "script"),
        "Workflow with a container set": of("Workflow", several, "containerSet", "containers", 1),
        "Workflow with an inline step": of("Workflow", steps, "steps", 0, 0, "inline", "container"),
        "Workflow with an inline task": of("Workflow", tasks, "dag", "tasks", 0, "inline", "container"),
        "WorkflowTemplate": of("WorkflowTemplate", one, "container"),
        "ClusterWorkflowTemplate": of("ClusterWorkflowTemplate", one, "container"),
        "CronWorkflow": (workload(version, "CronWorkflow", cron), ("spec", "workflowSpec", "templates", 0, "container")),
        "Workflow with defaults": (workload(version, "Workflow", {"templateDefaults": one}), ("spec", "templateDefaults", "container")),
    }
