"""A small API server over HTTP for three kinds of objects: versions, conflicts, JSON patches and a watch."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import jsonpatch

Object = dict[str, Any]


class FakeApi(ThreadingHTTPServer):
    """Objects by path, such as `/api/v1/namespaces/n/secrets/s`; `seen` are the requests in order."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.objects: dict[str, Object] = {}
        self.seen: list[tuple[str, str]] = []
        self.version = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def put(self, path: str, obj: Object) -> Object:
        """Store an object as another version."""
        self.version += 1
        obj.setdefault("metadata", {})["resourceVersion"] = str(self.version)
        self.objects[path] = obj
        return obj


@contextmanager
def fake_api() -> Iterator[FakeApi]:
    """Run a fake API server."""
    with FakeApi() as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()


class _Handler(BaseHTTPRequestHandler):
    server: FakeApi

    def _answer(self, status: int, body: Object) -> None:
        data = json.dumps(body).encode() + b"\n"
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def _start(self) -> tuple[str, Object | None]:
        path = self.path.partition("?")[0]
        self.server.seen.append((self.command, self.path))
        return path, self.server.objects.get(path)

    def _body(self) -> Any:
        return json.loads(self.rfile.read(int(self.headers["content-length"])))

    def do_GET(self) -> None:
        path, found = self._start()
        if "watch=true" in self.path:
            self._answer(200, {"type": "ADDED", "object": {"kind": "Any", "apiVersion": "v1", "metadata": {"resourceVersion": "1"}}})
        elif found is None:
            self._answer(404, {"kind": "Status", "code": 404, "message": path})
        else:
            self._answer(200, found)

    def do_POST(self) -> None:
        path, _ = self._start()
        body = self._body()
        self._answer(201, self.server.put(f"{path}/{body['metadata']['name']}", body))

    def do_PUT(self) -> None:
        path, found = self._start()
        body = self._body()
        if found is None or found["metadata"]["resourceVersion"] != body["metadata"]["resourceVersion"]:
            self._answer(409, {"kind": "Status", "code": 409})
        else:
            self._answer(200, self.server.put(path, body))

    def do_PATCH(self) -> None:
        path, found = self._start()
        assert self.headers["content-type"] == "application/json-patch+json"
        try:
            self._answer(200, self.server.put(path, jsonpatch.apply_patch(found, self._body())))
        except jsonpatch.JsonPatchTestFailed:
            self._answer(422, {"kind": "Status", "code": 422})

    def log_message(self, *_: object) -> None:
        """Print nothing."""
