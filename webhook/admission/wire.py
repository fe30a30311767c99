"""The AdmissionReview on the wire: `admission.k8s.io` v1 and v1beta1, which agree in all that percard reads and writes."""

from collections.abc import Mapping
from typing import Any, TypedDict

import msgspec

from webhook.admission.errors import BadReviewError
from webhook.core.finding import quoted

KIND = "AdmissionReview"
VERSIONS = ("admission.k8s.io/v1", "admission.k8s.io/v1beta1")
_NULL = msgspec.Raw(b"null")


class GroupVersionKind(msgspec.Struct, gc=False):
    """What kind of object a request is about."""

    kind: str = ""
    group: str | None = ""
    version: str | None = ""


class RequestHead(msgspec.Struct, rename="camel", gc=False):
    """The parts of an AdmissionRequest that decide, but for its objects."""

    uid: str
    kind: GroupVersionKind = msgspec.field(default_factory=GroupVersionKind)
    operation: str = ""
    name: str | None = ""
    namespace: str | None = ""
    sub_resource: str | None = ""


class Request(RequestHead, rename="camel", gc=False):
    """An AdmissionRequest; its objects stay bytes until one is needed."""

    object: msgspec.Raw = _NULL
    old_object: msgspec.Raw = _NULL


class Review(msgspec.Struct, rename="camel", gc=False):
    """An AdmissionReview as the API server sends it."""

    api_version: str
    kind: str
    request: Request


class Cause(msgspec.Struct, gc=False):
    """A `StatusCause` (meta/v1): one finding."""

    reason: str
    message: str
    field: str


class Details(msgspec.Struct, gc=False):
    """`StatusDetails` (meta/v1): the object that is denied, and why."""

    name: str
    group: str
    kind: str
    causes: list[Cause]


class Status(msgspec.Struct, gc=False):
    """The `Status` (meta/v1) of a denial."""

    status: str
    message: str
    reason: str
    details: Details
    code: int


class Response(msgspec.Struct, rename="camel", omit_defaults=True, gc=False):
    """An AdmissionResponse; `allowed` has no default, so that `true` is not left out. `patch` becomes base64."""

    uid: str
    allowed: bool
    status: Status | None = None
    patch: bytes | None = None
    patch_type: str | None = None
    audit_annotations: dict[str, str] | None = None
    warnings: list[str] | None = None


class ReviewAnswer(msgspec.Struct, rename="camel", gc=False):
    """An AdmissionReview as it goes back."""

    api_version: str
    kind: str
    response: Response


class _Metadata(TypedDict, total=False):
    """ObjectMeta without `managedFields`, which is often half of a pod and which no rule reads."""

    name: Any
    generateName: Any
    namespace: Any
    uid: Any
    resourceVersion: Any
    generation: Any
    creationTimestamp: Any
    deletionTimestamp: Any
    deletionGracePeriodSeconds: Any
    labels: Any
    annotations: Any
    ownerReferences: Any
    finalizers: Any


class Pod(TypedDict, total=False):
    """A pod without its `status`."""

    apiVersion: Any
    kind: Any
    metadata: _Metadata
    spec: Any


_review_decoder = msgspec.json.Decoder(Review)
_pod_decoder = msgspec.json.Decoder(Pod)
_object_decoder = msgspec.json.Decoder()
_encoder = msgspec.json.Encoder()
_line_encoder = msgspec.json.Encoder(enc_hook=str)


def read_review(body: bytes) -> Review:
    """Decode the head of a review; raise `BadReviewError` for anything that cannot be answered.

    A body that is not UTF-8 all through is refused even where the objects are never looked at.
    """
    try:
        review = _review_decoder.decode(body)
        if not body.isascii():
            body.decode()
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as problem:
        raise BadReviewError(explained(problem)) from None
    if review.api_version not in VERSIONS or review.kind != KIND:
        message = f"must be an AdmissionReview of {' or '.join(VERSIONS)}, not {quoted(review.kind)} of {quoted(review.api_version)}"
        raise BadReviewError(message, review.request.uid)
    if not review.request.uid:
        message = "must have a request.uid"
        raise BadReviewError(message)
    return review


def read_object(raw: msgspec.Raw, request: Request) -> Any:
    """Decode an object of the request: a pod without what no rule reads, any other kind whole."""
    kind = request.kind
    try:
        return _read_pod(raw) if kind.kind == "Pod" and not kind.group else _object_decoder.decode(raw)
    except (msgspec.DecodeError, RecursionError) as problem:
        raise BadReviewError(explained(problem), request.uid) from None


def _read_pod(raw: msgspec.Raw) -> Any:
    try:
        return _pod_decoder.decode(raw)
    except msgspec.ValidationError:
        # Not shaped like a pod (`metadata: []`, `null`): the engine is to see it as it is.
        return _object_decoder.decode(raw)


def explained(problem: Exception) -> str:
    """Return why bytes are no AdmissionReview."""
    if isinstance(problem, RecursionError):
        return "must not be nested deeper than a Kubernetes object can be"
    if isinstance(problem, UnicodeDecodeError):
        return "must be UTF-8"
    return f"must be an AdmissionReview: {problem}"


def write_review(api_version: str, response: Response) -> bytes:
    """Encode an answer in the version of its request."""
    return _encoder.encode(ReviewAnswer(api_version, KIND, response))


def write_patch(operations: list[dict[str, Any]]) -> bytes:
    """Encode the operations of a JSON Patch."""
    return _encoder.encode(operations)


def write_line(fields: Mapping[str, Any]) -> str:
    """Encode one line of a log; what JSON has no word for is told as text."""
    return _line_encoder.encode(fields).decode()
