"""A mutating webhook of another team: it adds a container to every pod that has none of that name."""

import base64
import json
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import trustme

SIDECAR = {"name": "sidecar", "image": "registry.example/sidecar:1"}


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        review = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        response = _answer(review["request"], first=self.path.startswith("/first"))
        body = json.dumps({"apiVersion": review["apiVersion"], "kind": review["kind"], "response": response}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


def _answer(request: dict[str, Any], *, first: bool) -> dict[str, Any]:
    containers = request["object"]["spec"]["containers"]
    response: dict[str, Any] = {"uid": request["uid"], "allowed": True}
    if all(container["name"] != SIDECAR["name"] for container in containers):
        operation = {"op": "add", "path": f"/spec/containers/{0 if first else '-'}", "value": SIDECAR}
        response |= {"patchType": "JSONPatch", "patch": base64.b64encode(json.dumps([operation]).encode()).decode()}
    return response


@contextmanager
def neighbour(authority: trustme.CA) -> Iterator[str]:
    """Run the webhook and yield its URL: `/first` adds the container before the others, `/last` after them."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("127.0.0.1").configure_cert(context)
    with ThreadingHTTPServer(("127.0.0.1", 0), _Handler) as server:
        server.daemon_threads = True
        server.socket = context.wrap_socket(server.socket, server_side=True)
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield f"https://127.0.0.1:{server.server_address[1]}"
        finally:
            server.shutdown()
            thread.join()
