"""The API server over one kept connection: fast enough for thousands of objects."""

import http.client
import json
import ssl
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self
from urllib.parse import urlsplit

from tests.e2e.controlplane import ControlPlane

Object = dict[str, Any]
_SECONDS = 30
JSON, MERGE_PATCH = "application/json", "application/merge-patch+json"


@dataclass(frozen=True, slots=True)
class Reply:
    """An HTTP status and the object that came with it."""

    status: int
    body: Object

    @property
    def ok(self) -> bool:
        """Say whether the request was carried out."""
        return self.status < http.client.MULTIPLE_CHOICES

    @property
    def message(self) -> str:
        """Return what a person is told."""
        return str(self.body.get("message", ""))


class Api:
    """A client with one user's token; not for several threads."""

    def __init__(self, cluster: ControlPlane, token: str | None = None) -> None:
        address = urlsplit(cluster.url)
        context = ssl.create_default_context(cafile=str(cluster.ca_file))
        self._connection = http.client.HTTPSConnection(str(address.hostname), address.port, timeout=_SECONDS, context=context)
        self._headers = {"Authorization": f"Bearer {token or cluster.admin_token}"}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._connection.close()

    def request(self, method: str, path: str, body: object = None, content_type: str = JSON) -> Reply:
        """Send one request."""
        data = None if body is None else json.dumps(body)
        self._connection.request(method, path, data, {**self._headers, "Content-Type": content_type})
        answer = self._connection.getresponse()
        return Reply(answer.status, json.loads(answer.read() or b"{}"))

    def get(self, path: str) -> Object:
        """Return an object that must be there."""
        reply = self.request("GET", path)
        assert reply.ok, reply
        return reply.body

    def create(self, path: str, obj: Mapping[str, object], *, dry_run: bool = False) -> Reply:
        """Create an object in a collection."""
        return self.request("POST", f"{path}?dryRun=All" if dry_run else path, obj)

    def make_namespace(self, name: str, mode: str | None = None) -> str:
        """Create a namespace with a mode of enforcement, and return the path of its core objects."""
        labels = {} if mode is None else {"percard.webhook/mode": mode}
        reply = self.create("/api/v1/namespaces", {"metadata": {"name": name, "labels": labels}})
        assert reply.ok, reply
        return f"/api/v1/namespaces/{name}"
