"""Custom resources that are known to carry pod templates, and where: what the shipped webhook configuration covers.

Others are added by the operator (docs/install.md); `percard check` finds templates in any custom resource by their shape.
"""

from typing import NamedTuple


class Carrier(NamedTuple):
    """The resources of one API group that carry templates at the same paths."""

    group: str
    resources: tuple[str, ...]
    paths: tuple[str, ...]


_RAY_CLUSTER = ("headGroupSpec.template", "workerGroupSpecs[*].template")


def _ray(prefix: str) -> tuple[str, ...]:
    return tuple(f"{prefix}.{path}" for path in _RAY_CLUSTER)


# Sources: the API references (Go types) of the projects that own the groups.
CARRIERS = (
    Carrier("apps.kruise.io", ("broadcastjobs", "clonesets", "daemonsets", "statefulsets"), ("spec.template",)),
    Carrier(
        "apps.kruise.io",
        ("advancedcronjobs",),
        ("spec.template.jobTemplate.spec.template", "spec.template.broadcastJobTemplate.spec.template"),
    ),
    Carrier(
        "apps.kruise.io",
        ("uniteddeployments",),
        tuple(f"spec.template.{kind}Template.spec.template" for kind in ("statefulSet", "advancedStatefulSet", "cloneSet", "deployment")),
    ),
    Carrier("argoproj.io", ("rollouts",), ("spec.template",)),
    Carrier("batch.volcano.sh", ("jobs",), ("spec.tasks[*].template",)),
    Carrier("batch.volcano.sh", ("cronjobs",), ("spec.jobTemplate.spec.tasks[*].template",)),
    Carrier("flow.volcano.sh", ("jobtemplates",), ("spec.tasks[*].template",)),
    Carrier("jobset.x-k8s.io", ("jobsets",), ("spec.replicatedJobs[*].template.spec.template",)),
    Carrier("kubeflow.org", ("notebooks",), ("spec.template",)),
    Carrier(
        "kubeflow.org",
        ("jaxjobs", "mpijobs", "paddlejobs", "pytorchjobs", "tfjobs", "xgboostjobs"),
        tuple(f"spec.{framework}ReplicaSpecs.*.template" for framework in ("jax", "mpi", "paddle", "pytorch", "tf", "xgb")),
    ),
    Carrier(
        "leaderworkerset.x-k8s.io",
        ("leaderworkersets",),
        ("spec.leaderWorkerTemplate.leaderTemplate", "spec.leaderWorkerTemplate.workerTemplate"),
    ),
    Carrier("ray.io", ("rayclusters",), _ray("spec")),
    Carrier("ray.io", ("rayjobs",), (*_ray("spec.rayClusterSpec"), "spec.submitterPodTemplate")),
    Carrier("ray.io", ("rayservices",), _ray("spec.rayClusterConfig")),
    Carrier("ray.io", ("raycronjobs",), _ray("spec.jobTemplate.rayClusterSpec")),
    Carrier("serving.knative.dev", ("configurations", "services"), ("spec.template",)),
    Carrier("sparkoperator.k8s.io", ("sparkapplications",), ("spec.driver.template", "spec.executor.template")),
    Carrier("trainer.kubeflow.org", ("trainingruntimes",), ("spec.template.spec.replicatedJobs[*].template.spec.template",)),
)

# Argo's own form of a template holds its containers without a pod spec around them.
ARGO_CARRIERS = (
    Carrier("argoproj.io", ("workflows", "workflowtemplates"), ("spec.templates[*]", "spec.templateDefaults")),
    Carrier("argoproj.io", ("cronworkflows",), ("spec.workflowSpec.templates[*]", "spec.workflowSpec.templateDefaults")),
)


def rules() -> list[tuple[str, tuple[str, ...]]]:
    """Return the API groups with all their resources, in order."""
    found: dict[str, set[str]] = {}
    for carrier in (*CARRIERS, *ARGO_CARRIERS):
        found.setdefault(carrier.group, set()).update(carrier.resources)
    return [(group, tuple(sorted(resources))) for group, resources in sorted(found.items())]


def paths(carriers: tuple[Carrier, ...]) -> list[str]:
    """Return every path once, in order."""
    return sorted({path for carrier in carriers for path in carrier.paths})
