"""Reads what an examination needs: by gets and lists, and by two dry runs that create nothing."""

import json
import time
from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Any, TypeVar

from kubernetes import client
from kubernetes.client.exceptions import ApiException

from certs.doctor.facts import Expected, Facts, Object, Trial

_CALL_SECONDS = 10
_Part = TypeVar("_Part")
_MARKER_LABEL = "kubernetes.io/service-name"


class Reader:
    """Reads one installation; what cannot be read is noted, not raised."""

    def __init__(self, connection: client.ApiClient, expected: Expected) -> None:
        """Take a connection with the user's rights."""
        self._expected = expected
        self._core = client.CoreV1Api(connection)
        self._apps = client.AppsV1Api(connection)
        self._admission = client.AdmissionregistrationV1Api(connection)
        self._discovery = client.DiscoveryV1Api(connection)
        self._version = client.VersionApi(connection)
        self._unread: dict[str, str] = {}

    def facts(self, *, good: Object | None, bad: Object | None, try_in: str) -> Facts:
        """Read everything; the trials are pods for a dry run in the namespace `try_in`, None to leave that out."""
        name, namespace = self._expected.name, self._expected.namespace
        labels = f"app.kubernetes.io/name={name},app.kubernetes.io/component=server"
        others = self._all("other webhooks", self._admission.list_mutating_webhook_configuration)
        return Facts(
            now=time.time(),
            kubernetes=(self._one("version", self._version.get_code) or {}).get("gitVersion", ""),
            validating=self._one("configurations", self._admission.read_validating_webhook_configuration, name),
            mutating=self._one("configurations", self._admission.read_mutating_webhook_configuration, name),
            floor=self._one("policies", self._admission.read_validating_admission_policy, self._expected.floor),
            mutating_of_others=tuple(other for other in others if other["metadata"]["name"] != name),
            secret=self._one("secret", self._core.read_namespaced_secret, self._expected.secret, namespace),
            deployment=self._one("deployment", self._apps.read_namespaced_deployment, name, namespace),
            pods=self._all("pods", self._core.list_namespaced_pod, namespace, label_selector=labels),
            slices=self._all(
                "endpoints", self._discovery.list_namespaced_endpoint_slice, namespace, label_selector=f"{_MARKER_LABEL}={name}"
            ),
            namespaces=self._all("namespaces", self._core.list_namespace),
            good=None if good is None else self._try(good, try_in),
            bad=None if bad is None else self._try(bad, try_in),
            unread=self._unread,
        )

    def _one(self, part: str, call: Callable[..., Any], *arguments: str) -> dict[str, Any] | None:
        return self._noting(part, lambda: _json(call, *arguments), None)

    def _all(self, part: str, call: Callable[..., Any], *arguments: str, **options: str) -> tuple[dict[str, Any], ...]:
        return self._noting(part, lambda: tuple(_json(call, *arguments, **options)["items"]), ())

    def _noting(self, part: str, read: Callable[[], _Part], nothing: _Part) -> _Part:
        try:
            return read()
        except ApiException as problem:
            if problem.status != HTTPStatus.NOT_FOUND:
                self._unread[part] = f"{problem.status} {problem.reason}"
        except Exception as problem:  # noqa: BLE001 -- the client lets through what its HTTP library raises
            self._unread[part] = _why(problem)
        return nothing

    def _try(self, pod: Object, namespace: str) -> Trial | None:
        try:
            return Trial(_json(self._core.create_namespaced_pod, namespace, pod, dry_run="All"))
        except ApiException as problem:
            if problem.status == HTTPStatus.FORBIDDEN and not problem.body:
                return None
            return Trial(None, _message(problem))
        except Exception as problem:  # noqa: BLE001 -- as above
            self._unread["trials"] = _why(problem)
            return None


def _why(problem: Exception) -> str:
    """Return what the HTTP library says; of calls that were tried again the last reason."""
    return str(getattr(problem, "reason", None) or problem) or type(problem).__name__


def _json(call: Callable[..., Any], *arguments: object, **options: str) -> dict[str, Any]:
    """Return the object as it was sent: the client's own types lose what they do not know."""
    found: dict[str, Any] = json.loads(call(*arguments, **options, _preload_content=False, _request_timeout=_CALL_SECONDS).data)
    return found


def _message(problem: ApiException) -> str:
    """Return what the API server says, with the causes of an invalid object."""
    try:
        status: Mapping[str, Any] = json.loads(problem.body or "{}")
    except ValueError:
        return f"{problem.status} {problem.reason}"
    return str(status.get("message") or problem.reason)
