"""Plays the API server to a webhook: AdmissionReviews over TLS, patches applied, refusals printed as kubectl does."""

import base64
import copy
import http.client
import json
import ssl
import uuid
from collections.abc import Iterator, Mapping
from typing import Any

import jsonpatch

TIMEOUT_SECONDS = 10
_JSON = {"Content-Type": "application/json"}


class ProtocolError(Exception):
    """The answer is none that an API server would take; the text says why."""


class Webhook:
    """A webhook at a port of this machine, reached as the API server would: over TLS, its certificate verified."""

    def __init__(self, port: int, authority: str) -> None:
        """Take the TLS port and the PEM certificate of the authority to trust."""
        self.port = port
        self._context = ssl.create_default_context(cadata=authority)

    def post(self, path: str, body: bytes) -> tuple[int, bytes]:
        """Send bytes; return the HTTP status and the bytes that came back."""
        connection = http.client.HTTPSConnection("127.0.0.1", self.port, timeout=TIMEOUT_SECONDS, context=self._context)
        try:
            connection.request("POST", f"{path}?timeout={TIMEOUT_SECONDS}s", body, _JSON)
            answer = connection.getresponse()
            return answer.status, answer.read()
        finally:
            connection.close()

    def create(self, path: str, obj: Mapping[str, Any]) -> dict[str, Any]:
        """Send the CREATE of an object; return the `response` of the answer.

        Raises `ProtocolError` where a real API server would report a failure of the webhook.
        """
        sent = review(obj)
        status, body = self.post(path, json.dumps(sent).encode())
        if status != http.HTTPStatus.OK:
            message = f"{path} answered with HTTP status {status}: {body[:200]!r}"
            raise ProtocolError(message)
        answer = json.loads(body)
        response: dict[str, Any] = answer["response"]
        if (answer["apiVersion"], answer["kind"], response["uid"]) != (sent["apiVersion"], sent["kind"], sent["request"]["uid"]):
            message = f"{path} answered another request than the one that was sent"
            raise ProtocolError(message)
        return response


def review(obj: Mapping[str, Any]) -> dict[str, Any]:
    """Return the AdmissionReview of an object's CREATE, in the form of kube-apiserver."""
    group, _, version = obj["apiVersion"].rpartition("/")
    kind = {"group": group, "version": version, "kind": obj["kind"]}
    resource = {"group": group, "version": version, "resource": f"{obj['kind'].lower()}s"}
    metadata = obj["metadata"]
    request = {
        "uid": str(uuid.uuid4()),
        "kind": kind,
        "resource": resource,
        "requestKind": kind,
        "requestResource": resource,
        **({"name": metadata["name"]} if "name" in metadata else {}),
        "namespace": metadata.get("namespace", "default"),
        "operation": "CREATE",
        "userInfo": {"username": "demo", "groups": ["system:authenticated"]},
        "object": obj,
        "oldObject": None,
        "dryRun": False,
        "options": {"apiVersion": "meta.k8s.io/v1", "kind": "CreateOptions"},
    }
    return {"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": request}


def pod_of(workload: Mapping[str, Any]) -> dict[str, Any]:
    """Return the pod that a controller makes of a workload, with the API server's defaults that matter here."""
    template = copy.deepcopy(workload["spec"]["template"])
    metadata = {**template["metadata"], "generateName": f"{workload['metadata']['name']}-", "namespace": "default"}
    spec = {"schedulerName": "default-scheduler", **template["spec"]}
    for container in spec["containers"]:
        resources = container.get("resources", {})
        if "limits" in resources:
            resources["requests"] = {**resources["limits"], **resources.get("requests", {})}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": spec}


def patch_of(response: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the operations of a response, none where it brings no patch."""
    if "patch" not in response:
        return []
    if response.get("patchType") != "JSONPatch":
        message = "the response brings a patch without its type"
        raise ProtocolError(message)
    operations: list[dict[str, Any]] = json.loads(base64.b64decode(response["patch"]))
    return operations


def patched(obj: Mapping[str, Any], operations: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the object with the operations applied, by a library that knows nothing of percard."""
    result: dict[str, Any] = jsonpatch.apply_patch(obj, operations)
    return result


def as_kubectl_prints(response: Mapping[str, Any]) -> str:
    """Return what `kubectl apply` prints for a refusal (kubectl, pkg/cmd/util/helpers.go, `checkErr`)."""
    details = response["status"]["details"]
    causes = list(_causes(details["causes"]))
    head = f'The {details["kind"]} "{details["name"]}" is invalid: '
    return head + causes[0] if len(causes) == 1 else "\n".join([head, *(f"* {cause}" for cause in causes)])


def _causes(causes: list[dict[str, str]]) -> Iterator[str]:
    yield from dict.fromkeys(f"{cause['field']}: {cause['message']}" for cause in causes)
