"""Which requests are examined, and what object each is about."""

from typing import Any, Literal, get_args

import msgspec

from webhook.admission.wire import RequestHead
from webhook.core.pod import api_group, mapping, text_of
from webhook.core.share import Stage

Endpoint = Literal["mutate", "validate", "validate/warn", "validate/audit"]
ENDPOINTS: tuple[Endpoint, ...] = get_args(Endpoint)

# The kubelet's copy of a static pod (k8s.io/api/core/v1 annotation_key_constants.go): the pod runs already.
MIRROR_ANNOTATION = "kubernetes.io/config.mirror"


class Subject(msgspec.Struct, gc=False):
    """The object of a request: its kind as the request says, else as the object does."""

    group: str
    kind: str
    name: str

    @property
    def is_pod(self) -> bool:
        """Say whether it is a pod of Kubernetes, not a custom resource of that name."""
        return self.kind == "Pod" and not self.group


def may_concern(endpoint: Endpoint, request: RequestHead) -> bool:
    """Say whether the endpoint may have something to say, by the head of the request alone.

    Everything but the CREATE and UPDATE of an object itself is let through. A ControllerRevision is a
    stored copy: refusing one leaves its StatefulSet stuck without any event. Patched is only a pod's CREATE.
    """
    kind = request.kind.kind
    if request.sub_resource or request.operation not in ("CREATE", "UPDATE") or kind == "ControllerRevision":
        return False
    return endpoint != "mutate" or (request.operation == "CREATE" and kind in ("Pod", ""))


def is_mirror(obj: dict[str, Any]) -> bool:
    """Say whether the object is a mirror pod."""
    return MIRROR_ANNOTATION in mapping(mapping(obj.get("metadata")).get("annotations"))


def is_leaving(old: dict[str, Any]) -> bool:
    """Say whether the object is on its way out: held up, its finalizers could not be removed."""
    return bool(mapping(old.get("metadata")).get("deletionTimestamp"))


def creation_stage(endpoint: Endpoint) -> Stage:
    """Return the stage of a CREATE: nothing is patched in a namespace in audit mode, so nothing patched may be expected."""
    if endpoint == "mutate":
        return Stage.MUTATE
    return Stage.MANIFEST if endpoint == "validate/audit" else Stage.VALIDATE


def subject_of(request: RequestHead, obj: dict[str, Any] | None) -> Subject:
    """Return what the request is about; the name is the `generateName` where there is none yet."""
    metadata = mapping(obj.get("metadata")) if obj else {}
    name = request.name or text_of(metadata.get("name")) or text_of(metadata.get("generateName"))
    if request.kind.kind or not obj:
        return Subject(request.kind.group or "", request.kind.kind, name)
    return Subject(api_group(obj), text_of(obj.get("kind")), name)


def typed(obj: dict[str, Any], request: RequestHead) -> dict[str, Any]:
    """Return the object with its kind and version, from the request where it does not carry them."""
    kind = request.kind
    if ("kind" in obj and "apiVersion" in obj) or not kind.kind:
        return obj
    version = f"{kind.group}/{kind.version}" if kind.group else str(kind.version)
    return {"apiVersion": version, "kind": kind.kind, **obj}
