"""The cluster as the controller sees it: one Secret, two configurations, and a word when one of them changes."""

import base64
import os
import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from typing import Any, cast

from kubernetes import client, config, watch
from kubernetes.client.exceptions import ApiException
from kubernetes.config.config_exception import ConfigException

from certs.controller_decide import Observed
from certs.controller_state import Stored, from_data, to_data
from certs.errors import ClusterError, ConflictError

_CALL_SECONDS = 10
# A watch ends by itself after some minutes, so that a connection that died unnoticed is not trusted for ever.
_WATCH_SECONDS = 240
_PAUSE_SECONDS = 2.0
_PAUSE_AFTER_FAILURE_SECONDS = 10.0
_LABELS = {"app.kubernetes.io/name": "percard", "app.kubernetes.io/managed-by": "percard-certs"}

Object = Any  # the kubernetes client has no types


@dataclass(frozen=True, slots=True)
class Names:
    """What the controller reads and writes; a configuration may be missing."""

    namespace: str
    secret: str
    mutating: str
    validating: str


def connect(kubeconfig: str | None) -> client.ApiClient:
    """Return a client with the rights of this pod, or of a kubeconfig file, empty for kubectl's own; raises `ClusterError`."""
    try:
        if kubeconfig is None:
            configuration = client.Configuration()
            config.load_incluster_config(configuration)  # type: ignore[no-untyped-call]
            return client.ApiClient(configuration)
        return cast("client.ApiClient", config.new_client_from_config(kubeconfig or None, persist_config=False))  # type: ignore[no-untyped-call]
    except (ConfigException, OSError) as problem:
        message = f"no way to the API server: {_without(kubeconfig) or problem}"
        raise ClusterError(message) from None


def _without(kubeconfig: str | None) -> str | None:
    """Return what to do where no file with credentials is there, None where that is not what is wrong."""
    if kubeconfig is None:
        return None
    looked_at = kubeconfig or os.environ.get("KUBECONFIG") or "~/.kube/config"
    if any(Path(file).expanduser().is_file() for file in looked_at.split(os.pathsep)):
        return None
    return f"there is no file '{looked_at}'; name one with --kubeconfig or in the variable KUBECONFIG"


class Cluster:
    """Reads and writes; every write fails where the object changed since it was read."""

    def __init__(self, connection: client.ApiClient, names: Names) -> None:
        """Take a connection; nothing is read yet."""
        self._core = client.CoreV1Api(connection)
        self._admission = client.AdmissionregistrationV1Api(connection)
        self._names = names
        self._secret: Object = None
        self._configurations: dict[str, Object] = {}

    def read(self, now: float) -> Observed:
        """Return what is there; raises `ClusterError`."""
        names = self._names
        self._secret = _read(self._core.read_namespaced_secret, names.secret, names.namespace)
        kinds = {
            "mutating": (self._admission.read_mutating_webhook_configuration, names.mutating),
            "validating": (self._admission.read_validating_webhook_configuration, names.validating),
        }
        read = {kind: _read(call, name) for kind, (call, name) in kinds.items()}
        self._configurations = {kind: found for kind, found in read.items() if found is not None}
        bundles = {kind: [_bundle(entry) for entry in found.webhooks or []] for kind, found in self._configurations.items()}
        return Observed(None if self._secret is None else from_data(_decoded(self._secret.data), now), bundles)

    def write(self, stored: Stored) -> None:
        """Write the Secret that was read; raises `ConflictError` where it is another one by now."""
        names = self._names
        data = {key: base64.b64encode(value).decode() for key, value in to_data(stored).items()}
        if self._secret is None:
            metadata = client.V1ObjectMeta(name=names.secret, namespace=names.namespace, labels=_LABELS)
            _call(self._core.create_namespaced_secret, names.namespace, client.V1Secret(metadata=metadata, data=data))
            return
        self._secret.data = data
        _call(self._core.replace_namespaced_secret, names.secret, names.namespace, self._secret)

    def publish(self, configuration: str, bundle: bytes) -> None:
        """Write caBundle of every entry of a configuration that was read, and nothing else of it."""
        found = self._configurations[configuration]
        value = base64.b64encode(bundle).decode()
        patch = [{"op": "test", "path": "/metadata/resourceVersion", "value": found.metadata.resource_version}]
        paths = [f"/webhooks/{index}/clientConfig/caBundle" for index in range(len(found.webhooks or []))]
        patch += [{"op": "add", "path": path, "value": value} for path in paths]
        call = getattr(self._admission, f"patch_{configuration}_webhook_configuration")
        _call(call, found.metadata.name, patch, field_manager="percard-certs")

    def watch(self, changed: Callable[[], None], failed: Callable[[str], None], stopping: threading.Event) -> None:
        """Start threads that call `changed` whenever one of the objects may have changed, `failed` where that cannot be seen."""
        names = self._names
        watched = (
            (self._core.list_namespaced_secret, names.secret, (names.namespace,)),
            (self._admission.list_mutating_webhook_configuration, names.mutating, ()),
            (self._admission.list_validating_webhook_configuration, names.validating, ()),
        )
        for call, name, arguments in watched:
            threading.Thread(target=_watch, args=(_follow(call, name, arguments), changed, failed, stopping), daemon=True).start()


def _follow(call: Any, name: str, arguments: tuple[str, ...]) -> Callable[[], Iterable[object]]:
    limits = {"timeout_seconds": _WATCH_SECONDS, "_request_timeout": (_CALL_SECONDS, _WATCH_SECONDS + _CALL_SECONDS)}

    def events() -> Iterable[object]:
        found = watch.Watch().stream(call, *arguments, field_selector=f"metadata.name={name}", **limits)  # type: ignore[no-untyped-call]
        return cast("Iterable[object]", found)

    return events


def _watch(
    events: Callable[[], Iterable[object]], changed: Callable[[], None], failed: Callable[[str], None], stopping: threading.Event
) -> None:
    """Follow one object; where that fails, look every few seconds instead."""
    while not stopping.is_set():
        pause = _PAUSE_SECONDS
        try:
            for _ in events():
                changed()
        except Exception as problem:  # noqa: BLE001 -- as in _call; a thread that ended would leave changes unseen
            failed(f"watch: {problem.status} {problem.reason}" if isinstance(problem, ApiException) else f"watch: {type(problem).__name__}")
            pause = _PAUSE_AFTER_FAILURE_SECONDS
            changed()
        # Also after a watch that ended well: one that ends at once must not become a loop.
        stopping.wait(pause)


def _read(call: Any, *arguments: str) -> Object:
    try:
        return _call(call, *arguments)
    except ClusterError as problem:
        if isinstance(problem.__cause__, ApiException) and problem.__cause__.status == HTTPStatus.NOT_FOUND:
            return None
        raise


def _call(call: Any, *arguments: Any, **options: str) -> Object:
    try:
        return call(*arguments, **options, _request_timeout=_CALL_SECONDS)
    except ApiException as problem:
        conflict = problem.status in (HTTPStatus.CONFLICT, HTTPStatus.UNPROCESSABLE_ENTITY)
        message = f"{call.__name__}: {problem.status} {problem.reason}"
        raise (ConflictError if conflict else ClusterError)(message) from problem
    except Exception as problem:  # the client lets through what its HTTP library raises, which is not ours to import
        message = f"{call.__name__}: {type(problem).__name__}"
        raise ClusterError(message) from problem


def _decoded(data: Mapping[str, str] | None) -> dict[str, bytes]:
    return {key: base64.b64decode(value) for key, value in (data or {}).items()}


def _bundle(entry: Object) -> bytes:
    return base64.b64decode(entry.client_config.ca_bundle or "")
