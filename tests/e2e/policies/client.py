"""The API server over one kept connection, with the warnings of its answers."""

import re
import ssl
from dataclasses import dataclass
from typing import Any, Self

import httpx

from tests.e2e.controlplane import ControlPlane

Json = dict[str, Any]
_SECONDS = 30
_COLLECTIONS = {
    "Pod": "/api/v1/namespaces/{}/pods",
    "PodTemplate": "/api/v1/namespaces/{}/podtemplates",
    "ReplicationController": "/api/v1/namespaces/{}/replicationcontrollers",
    "Deployment": "/apis/apps/v1/namespaces/{}/deployments",
    "StatefulSet": "/apis/apps/v1/namespaces/{}/statefulsets",
    "DaemonSet": "/apis/apps/v1/namespaces/{}/daemonsets",
    "ReplicaSet": "/apis/apps/v1/namespaces/{}/replicasets",
    "Job": "/apis/batch/v1/namespaces/{}/jobs",
    "CronJob": "/apis/batch/v1/namespaces/{}/cronjobs",
}
_DENIED = re.compile(r"ValidatingAdmissionPolicy '(?P<policy>[^']+)' with binding '[^']+' denied request: (?P<text>.*)$", re.DOTALL)
_WARNED = re.compile(r"Validation failed for ValidatingAdmissionPolicy '(?P<policy>[^']+)' with binding '[^']+': (?P<text>.*)$", re.DOTALL)
_ID = re.compile(r"\[([a-z-]+)\](?:; |$)")


@dataclass(frozen=True, slots=True)
class Said:
    """What one policy said."""

    policy: str
    text: str

    @property
    def checks(self) -> set[str]:
        """Return the ids of the checks that it names."""
        return set(_ID.findall(self.text))


@dataclass(frozen=True, slots=True)
class Reply:
    """An HTTP status, the object that came with it, and the warnings."""

    status: int
    body: Json
    warnings: tuple[str, ...]

    @property
    def ok(self) -> bool:
        """Say whether the request was carried out."""
        return self.status < httpx.codes.MULTIPLE_CHOICES

    @property
    def message(self) -> str:
        """Return what a person is told."""
        return str(self.body.get("message", ""))

    @property
    def denied_by(self) -> Said | None:
        """Return what the policy said that refused the request, None where it was no policy."""
        found = _DENIED.search(self.message)
        return Said(found["policy"], found["text"]) if found else None

    @property
    def warned_by(self) -> list[Said]:
        """Return what the policies warned of."""
        found = [_WARNED.search(text) for text in self.warnings]
        return [Said(one["policy"], one["text"]) for one in found if one]


class Client:
    """A client with the administrator's token."""

    def __init__(self, cluster: ControlPlane) -> None:
        context = ssl.create_default_context(cafile=str(cluster.ca_file))
        headers = {"Authorization": f"Bearer {cluster.admin_token}"}
        self._http = httpx.Client(base_url=cluster.url, verify=context, headers=headers, timeout=_SECONDS)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._http.close()

    def request(self, method: str, path: str, body: Json | None = None, content_type: str = "application/json") -> Reply:
        """Send one request."""
        answer = self._http.request(method, path, json=body, headers={"Content-Type": content_type})
        return Reply(answer.status_code, answer.json(), tuple(map(_text, answer.headers.get_list("warning"))))

    def text(self, path: str) -> str:
        """Return a text that must be there."""
        answer = self._http.get(path)
        answer.raise_for_status()
        return answer.text

    def create(self, obj: Json, namespace: str, *, dry_run: bool = True) -> Reply:
        """Create an object in a namespace, or only try to."""
        named = obj if "name" in obj["metadata"] else {**obj, "metadata": {**obj["metadata"], "generateName": "case-"}}
        moved = {**named, "metadata": {**named["metadata"], "namespace": namespace}}
        return self.request("POST", self.collection(obj, namespace) + ("?dryRun=All" if dry_run else ""), moved)

    def collection(self, obj: Json, namespace: str) -> str:
        """Return the path of the objects of a kind in a namespace."""
        return _COLLECTIONS[obj["kind"]].format(namespace)


def _text(header: str) -> str:
    """Return the text of a Warning header: `299 - "text"`."""
    return header.partition('"')[2].removesuffix('"').replace('\\"', '"').replace("\\\\", "\\")
