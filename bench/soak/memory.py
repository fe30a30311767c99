"""A million different reviews leave the server as large as ten thousand did, and with as many series."""

import json
import socket
import ssl
import time
from collections.abc import Iterator

from bench import bodies
from bench.soak.result import Result, SoakError
from bench.soak.servers import SoakServer

NAMESPACES = 5000
# More than a server remembers rulings on.
WORKLOADS = 1500
_MOST_GROWTH = 0.05
_CONNECTIONS, _AT_ONCE = 4, 16
_HEAD = b"POST %b?timeout=10s HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"


class Requests:
    """Reviews of pods of many workloads and namespaces, each with its own uid, ready to be sent."""

    def __init__(self) -> None:
        """Write each kind of review once, with marks where the numbers belong."""
        kinds = (
            ("/mutate", bodies.patched()),
            ("/validate", bodies.denied()),
            ("/validate/warn", bodies.denied()),
            ("/validate", bodies.unmarked()),
        )
        self._kinds = [(path.encode(), _with_marks(review)) for path, review in kinds]

    def __getitem__(self, number: int) -> bytes:
        """Return one request: every second one is of the same workload, as replicas are."""
        path, template = self._kinds[number % len(self._kinds)]
        workload = number // 2 % WORKLOADS if number // 4 % 2 else 0
        body = template.replace(b"@uid@", b"%d" % number).replace(b"@namespace@", b"%d" % (number % NAMESPACES))
        body = body.replace(b"@workload@", b"%d" % workload)
        return _HEAD % (path, len(body)) + body


def _with_marks(review: bodies.Review) -> bytes:
    request, pod = review["request"], review["request"]["object"]
    request["uid"], request["namespace"] = "uid-@uid@", "team-@namespace@"
    pod["metadata"] |= {"namespace": "team-@namespace@", "generateName": "trainer-@workload@-7c9f8d6b5d-"}
    pod["metadata"]["labels"]["app"] = "trainer-@workload@"
    pod["spec"]["containers"][0]["image"] = "registry.example/trainer:@workload@"
    return json.dumps(review, separators=(",", ":")).encode()


class Sender:
    """Sends requests over several kept-alive connections, some at a time on each, and reads every answer."""

    def __init__(self, port: int, context: ssl.SSLContext) -> None:
        """Connect."""
        self._lines = [
            context.wrap_socket(socket.create_connection(("127.0.0.1", port), 60), server_hostname="127.0.0.1") for _ in range(_CONNECTIONS)
        ]
        self._files = [line.makefile("rb") for line in self._lines]
        self._requests = Requests()
        self.sent = 0

    def send_until(self, total: int) -> None:
        """Send until there were so many in all. Raises `SoakError` where one is not answered with 200."""
        while self.sent < total:
            batches = list(self._batches(total))
            for line, batch in batches:
                self._lines[line].sendall(b"".join(self._requests[number] for number in batch))
            for line, batch in batches:
                for _ in batch:
                    self._read(line)

    def _batches(self, total: int) -> Iterator[tuple[int, range]]:
        for line in range(_CONNECTIONS):
            batch = range(self.sent, min(self.sent + _AT_ONCE, total))
            self.sent = batch.stop if batch else self.sent
            yield line, batch

    def _read(self, line: int) -> None:
        file, length = self._files[line], 0
        status = file.readline()
        while (field := file.readline()) not in (b"\r\n", b""):
            if field.startswith(b"content-length:"):
                length = int(field[15:])
        body = file.read(length)
        if not status.startswith(b"HTTP/1.1 200 "):
            message = f"a review was answered with {status!r} {body[:300]!r}"
            raise SoakError(message)

    def close(self) -> None:
        """End the connections."""
        for file, line in zip(self._files, self._lines, strict=True):
            file.close()
            line.close()


def series_of(server: SoakServer) -> int:
    """Return how many series the server shows."""
    return sum(bool(line) and not line.startswith("#") for line in server.page("/metrics").splitlines())


def soak_memory(server: SoakServer, context: ssl.SSLContext, warm_up: int, reviews: int) -> list[Result]:
    """Compare memory after `warm_up` reviews with that after `reviews`, and the series of few namespaces with those of all."""
    sender, seen = Sender(server.port, context), []
    sender.send_until(NAMESPACES // 100)
    series = series_of(server)
    begin = time.monotonic()
    for total in (warm_up, *(reviews * tenth // 10 for tenth in range(1, 11))):
        sender.send_until(total)
        seen.append(server.rss_kib())
        print(
            f"  {sender.sent:>9,} reviews: {seen[-1] / 1024:.1f} MiB, {series_of(server)} series ({time.monotonic() - begin:.0f} s)",
            flush=True,
        )
    sender.close()
    growth, after = seen[-1] / seen[0] - 1, series_of(server)
    return [
        Result(
            f"memory after {reviews:,} reviews to that after {warm_up:,}",
            f"{seen[0] / 1024:.1f} MiB, then {seen[-1] / 1024:.1f} MiB: {growth:+.1%}",
            growth <= _MOST_GROWTH,
        ),
        Result(f"series after {NAMESPACES // 100} and {min(reviews, NAMESPACES):,} namespaces", f"{series}, then {after}", series == after),
    ]
