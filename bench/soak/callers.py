"""Callers that never rest: most on connections that are kept alive, some with a connection for each call."""

import hashlib
import http.client
import json
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from bench import bodies

_JSON = {"Content-Type": "application/json"}
_TIMEOUT_SECONDS = 30
_MOST_TOLD = 20


@dataclass(frozen=True, slots=True)
class Question:
    """A review with a place for its uid, and what is right about the answer to it."""

    path: str
    parts: tuple[bytes, bytes]
    is_right: Callable[[dict[str, Any]], bool]

    @classmethod
    def about(cls, path: str, review: bodies.Review, is_right: Callable[[dict[str, Any]], bool]) -> "Question":
        """Return the question; the review's uid is exchanged for each call."""
        uid = review["request"]["uid"].encode()
        before, _, after = json.dumps(review, separators=(",", ":")).encode().partition(uid)
        return cls(path, (before, after), is_right)


QUESTIONS = (
    Question.about("/mutate?timeout=10s", bodies.patched(), lambda response: response["allowed"] and "patch" in response),
    Question.about(
        "/validate?timeout=10s", bodies.denied(), lambda response: not response["allowed"] and response["status"]["code"] == 422
    ),
    Question.about("/validate?timeout=10s", bodies.unmarked(), lambda response: response["allowed"] and "patch" not in response),
)


@dataclass(slots=True)
class Tally:
    """What became of the calls of one kind; times in seconds."""

    seconds: list[float] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)
    leaves: set[bytes] = field(default_factory=set)

    @property
    def told(self) -> str:
        """Return the figures for the report."""
        ordered = sorted(self.seconds) or [0.0]
        p50, p99 = (1000 * ordered[len(ordered) * percent // 100] for percent in (50, 99))
        times = f"p50 {p50:.1f} ms, p99 {p99:.1f} ms, longest {1000 * ordered[-1]:.0f} ms"
        return f"{len(self.seconds):,} good, {len(self.failures)} failed; {times}"


class Callers:
    """Threads that call a port of the loopback address."""

    def __init__(self, port: int, context: ssl.SSLContext, pause_seconds: float) -> None:
        """Take whom to call, and how long each rests between two calls."""
        self.kept, self.single = Tally(), Tally()
        self._port = port
        self._context = context
        self._pause = pause_seconds
        self._over = threading.Event()
        self._numbers = count()

    @contextmanager
    def calling(self, kept: int, single: int) -> Iterator[None]:
        """Call while the block runs, from so many connections that are kept and so many threads that make new ones."""
        threads = [threading.Thread(target=self._run, args=(number,), kwargs={"kept": number < kept}) for number in range(kept + single)]
        for thread in threads:
            thread.start()
        try:
            yield
        finally:
            self._over.set()
            for thread in threads:
                thread.join()

    def _run(self, number: int, *, kept: bool) -> None:
        tally = self.kept if kept else self.single
        connection = self._connection()
        for turn in count(number):
            if self._over.wait(self._pause if kept else 10 * self._pause):
                break
            try:
                self._call(connection, QUESTIONS[turn % len(QUESTIONS)], tally, note_leaf=not kept)
            except (OSError, http.client.HTTPException, ValueError, KeyError) as problem:
                self._fail(tally, repr(problem))
                connection.close()
            if not kept:
                connection.close()
        connection.close()

    def _connection(self) -> http.client.HTTPSConnection:
        return http.client.HTTPSConnection("127.0.0.1", self._port, context=self._context, timeout=_TIMEOUT_SECONDS)

    def _call(self, connection: http.client.HTTPSConnection, question: Question, tally: Tally, *, note_leaf: bool) -> None:
        uid = f"soak-{next(self._numbers)}"
        start = time.perf_counter()
        connection.request("POST", question.path, uid.encode().join(question.parts), _JSON)
        if note_leaf and isinstance(connection.sock, ssl.SSLSocket):
            tally.leaves.add(hashlib.sha256(connection.sock.getpeercert(binary_form=True) or b"").digest())
        answer = connection.getresponse()
        text = answer.read()
        took = time.perf_counter() - start
        response = json.loads(text).get("response", {})
        if answer.status == http.HTTPStatus.OK and response.get("uid") == uid and question.is_right(response):
            tally.seconds.append(took)
        else:
            self._fail(tally, f"{answer.status}: {text[:300]!r}")

    def _fail(self, tally: Tally, what: str) -> None:
        tally.failures.append(what)
        if len(tally.failures) <= _MOST_TOLD:
            print(f"a call failed at {time.strftime('%H:%M:%S')}: {what}", flush=True)
