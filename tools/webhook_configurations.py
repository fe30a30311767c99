"""The text of the shipped webhook configurations: one entry for each kind of object and mode of enforcement."""

from collections.abc import Iterable
from typing import NamedTuple

from tools import custom_resources, match_conditions
from tools.match_conditions import Marks
from webhook.policies.bindings import MODE_LABEL

NAMESPACE = "percard-system"
# Without these a cluster that starts anew could wait for percard, and percard for the cluster.
_EXCLUDED = ("kube-node-lease", "kube-system", NAMESPACE)
_OTHER_MODES = "[audit, 'off', warn]"


class Mode(NamedTuple):
    """What becomes of a finding in a namespace, by its label."""

    name: str
    path: str
    failure_policy: str
    selector: str
    about: tuple[str, ...]


_DENY = Mode(
    "deny",
    "/validate",
    "Fail",
    f"operator: NotIn, values: {_OTHER_MODES}",
    ("Every namespace is enforced unless its label says otherwise; a misspelt mode is no other mode.",),
)
_WARN = Mode("warn", "/validate/warn", "Ignore", "operator: In, values: [warn]", ("Findings are warnings; nothing is refused.",))
_AUDIT = Mode("audit", "/validate/audit", "Ignore", "operator: In, values: [audit]", ("Findings go into metrics and the audit log alone.",))
_AUDIT_ALL = _AUDIT._replace(selector="operator: NotIn, values: ['off']", about=("Nobody is told anything but metrics and the audit log.",))

_BUILT_IN_RULES = (
    ("", "v1", ("pods", "podtemplates", "replicationcontrollers")),
    ("apps", "v1", ("daemonsets", "deployments", "replicasets", "statefulsets")),
    ("batch", "v1", ("cronjobs", "jobs")),
)
_GENERATED = "# Generated from the dialects by `.venv/bin/python -m tools.manifests`; change the generator instead."


def mutating(marks: Marks) -> str:
    """Return the mutating configuration: it patches pods that are right, and denies nothing."""
    entry = [
        "- name: pods.percard.webhook",
        *_client("/mutate"),
        "  # A pod that is not patched is refused by the validating configuration where it needs the patch.",
        "  failurePolicy: Ignore",
        "  # Another webhook may add a container after the first pass; Volcengine's list is by position.",
        "  reinvocationPolicy: IfNeeded",
        *_common(),
        *_selector("operator: NotIn, values: [audit, 'off']"),
        "  rules:",
        *_rule("", "v1", ("pods",), ("CREATE",)),
        *_condition("pods, in the resources of their containers, their labels and annotations", match_conditions.pods(marks)),
    ]
    return _document("MutatingWebhookConfiguration", entry)


def validating(marks: Marks) -> str:
    """Return the validating configuration: the denial is its, on the final object."""
    return _document("ValidatingWebhookConfiguration", _entries(marks, (_DENY, _WARN, _AUDIT)))


def auditing(marks: Marks) -> str:
    """Return the configuration of a first look at a cluster: every namespace is audited, nothing is refused."""
    return _document("ValidatingWebhookConfiguration", _entries(marks, (_AUDIT_ALL,)))


def _entries(marks: Marks, modes: Iterable[Mode]) -> list[str]:
    return [line for mode in modes for line in (*_built_in(marks, mode), *_custom(marks, mode))]


def _built_in(marks: Marks, mode: Mode) -> list[str]:
    rules = [line for group, version, resources in _BUILT_IN_RULES for line in _rule(group, version, resources, ("CREATE", "UPDATE"))]
    where = "pods and the pod templates of the built-in kinds, and among the labels and annotations of the object itself"
    return [*_head("workloads", mode), "  rules:", *rules, *_condition(where, match_conditions.built_in_kinds(marks))]


def _custom(marks: Marks, mode: Mode) -> list[str]:
    rules = [line for group, resources in custom_resources.rules() for line in _rule(group, "*", resources, ("CREATE", "UPDATE"))]
    where = "the templates of custom resources, which stand at these paths"
    paths = custom_resources.paths((*custom_resources.CARRIERS, *custom_resources.ARGO_CARRIERS))
    condition = _condition(where, match_conditions.custom_kinds(marks), paths)
    note = ["  # Resources that are not installed match nothing. Others with a template at one of the paths below need a rule alone."]
    return [*_head("custom-resources", mode), *note, "  rules:", *rules, *condition]


def _head(subject: str, mode: Mode) -> list[str]:
    return [
        *(f"# {line}" for line in mode.about),
        f"- name: {subject}.{mode.name}.percard.webhook",
        *_client(mode.path),
        f"  failurePolicy: {mode.failure_policy}",
        *_common(),
        *_selector(mode.selector),
    ]


def _client(path: str) -> list[str]:
    return [
        "  clientConfig:",
        "    # No caBundle here: whoever keeps the certificate writes it, and applying this file again must not undo that.",
        f"    service: {{name: percard, namespace: {NAMESPACE}, path: {path}, port: 443}}",
    ]


def _common() -> list[str]:
    return [
        "  # Far above what an answer takes (milliseconds), far below what a client of the API server waits (30 s).",
        "  timeoutSeconds: 3",
        "  # An object that is sent in another version of its API is judged too.",
        "  matchPolicy: Equivalent",
        "  # Nothing but the answer comes of a call, so that dry runs are answered.",
        "  sideEffects: None",
        "  admissionReviewVersions: [v1]",
    ]


def _selector(mode: str) -> list[str]:
    return [
        "  namespaceSelector:",
        "    matchExpressions:",
        f"    - {{key: kubernetes.io/metadata.name, operator: NotIn, values: [{', '.join(_EXCLUDED)}]}}",
        f"    - {{key: {MODE_LABEL}, {mode}}}",
    ]


def _rule(group: str, version: str, resources: Iterable[str], operations: Iterable[str]) -> list[str]:
    return [
        f"  - apiGroups: ['{group}']",
        f"    apiVersions: ['{version}']",
        f"    resources: [{', '.join(resources)}]",
        f"    operations: [{', '.join(operations)}]",
        "    scope: Namespaced",
    ]


def _condition(where: str, expression: str, paths: Iterable[str] = ()) -> list[str]:
    listed = [f"  # - {path}" for path in paths]
    lines = [f"      {line}" for line in expression.splitlines()]
    return [
        "  matchConditions:",
        f"  # Marks are looked for in {where}.",
        *listed,
        "  - name: carries-a-mark",
        "    expression: |-",
        *lines,
    ]


def _document(kind: str, entries: Iterable[str]) -> str:
    head = [
        _GENERATED,
        "apiVersion: admissionregistration.k8s.io/v1",
        f"kind: {kind}",
        "metadata:",
        "  name: percard",
        "  labels: {app.kubernetes.io/name: percard}",
        "webhooks:",
    ]
    return "\n".join([*head, *entries]) + "\n"
