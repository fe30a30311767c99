"""The ops port: is it alive, is it ready, what has it counted; plain HTTP for the kubelet and Prometheus."""

import json
from collections.abc import Callable
from http import HTTPStatus

from prometheus_client import CollectorRegistry
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest

from webhook.server.asgi import Message, Receive, Send
from webhook.server.credentials import Credentials
from webhook.server.gate import Gate

_JSON = "application/json"
Page = tuple[HTTPStatus, str, bytes]


class Readiness:
    """Tells what a server still lacks; `listening` is set once the TLS port is open."""

    def __init__(self, gate: Gate, credentials: Credentials) -> None:
        """Take what to look at."""
        self._gate = gate
        self._credentials = credentials
        self.listening = False

    def missing(self) -> list[str]:
        """Return what is missing, nothing where requests may come."""
        reasons = []
        if self._gate.draining:
            reasons.append("the server is about to stop")
        if self._credentials.contexts is None:
            reasons.append(f"no certificate: {self._credentials.problem or 'not looked for yet'}")
        elif self._credentials.expired:
            reasons.append(f"the certificate has expired: {self._credentials.problem or 'no newer one was found'}")
        elif not self.listening:
            reasons.append("the TLS port is not open yet")
        return reasons


class OpsApplication:
    """`/livez`, `/readyz`, `/metrics`, and `/ca.pem` where the certificate is self-signed."""

    def __init__(self, readiness: Readiness, credentials: Credentials, registry: CollectorRegistry, refresh: Callable[[], None]) -> None:
        """Take what to show; `refresh` is called before metrics are read."""
        self._readiness = readiness
        self._credentials = credentials
        self._registry = registry
        self._refresh = refresh
        self._pages: dict[str, Callable[[], Page]] = {
            "/livez": self._alive,
            "/readyz": self._ready,
            "/metrics": self._metrics,
            "/ca.pem": self._authority,
        }

    async def __call__(self, scope: Message, _: Receive, send: Send) -> None:
        """Serve one request."""
        page = self._pages.get(scope["path"])
        if page is None:
            status, kind, body = HTTPStatus.NOT_FOUND, _JSON, b'{"error": "no such path"}'
        elif scope["method"] not in ("GET", "HEAD"):
            status, kind, body = HTTPStatus.METHOD_NOT_ALLOWED, _JSON, b'{"error": "must be a GET"}'
        else:
            status, kind, body = page()
        headers = [(b"content-type", kind.encode()), (b"content-length", str(len(body)).encode())]
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": body})

    def _alive(self) -> Page:
        return HTTPStatus.OK, _JSON, b'{"alive": true}'

    def _ready(self) -> Page:
        missing = self._readiness.missing()
        status = HTTPStatus.SERVICE_UNAVAILABLE if missing else HTTPStatus.OK
        return status, _JSON, json.dumps({"ready": not missing, "missing": missing}).encode()

    def _metrics(self) -> Page:
        self._refresh()
        return HTTPStatus.OK, CONTENT_TYPE_LATEST, generate_latest(self._registry)

    def _authority(self) -> Page:
        if not self._credentials.authority:
            return HTTPStatus.NOT_FOUND, _JSON, b'{"error": "the certificate is not self-signed"}'
        return HTTPStatus.OK, "application/x-pem-file", self._credentials.authority
