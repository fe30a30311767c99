"""The desk: from the bytes of a review to a reply, counted and logged."""

import time
import traceback
from http import HTTPStatus

from webhook.admission.errors import BadReviewError, HandlerFaultError
from webhook.admission.handler import Handler
from webhook.admission.reply import Answer
from webhook.admission.scope import ENDPOINTS, Endpoint
from webhook.server.logs import Logs
from webhook.server.metrics import SECONDS_BUCKETS, Counters, Histogram
from webhook.server.replies import Reply, error_reply, fault_error

_OPERATIONS = frozenset({"CREATE", "UPDATE", "DELETE", "CONNECT"})
_LOGGED_CHARACTERS = 100
_LOGGED_FRAMES = 10


class Desk:
    """Answers bodies for the admission endpoints. `handler` may be replaced at any time between two requests."""

    def __init__(self, handler: Handler, counters: Counters, logs: Logs) -> None:
        """Take the handler, the counters to count in and the log to tell."""
        self.handler = handler
        self.logs = logs
        self._counters = counters
        self._durations = {endpoint: Histogram(SECONDS_BUCKETS) for endpoint in ENDPOINTS}
        counters.durations.update({(endpoint,): histogram for endpoint, histogram in self._durations.items()})

    def answer(self, endpoint: Endpoint, body: bytes, limit: float | None = None) -> Reply:
        """Return the reply to one body; nothing is raised. `limit` is the caller's time limit in seconds."""
        start = time.perf_counter()
        try:
            answer = self.handler.respond(endpoint, body)
        except BadReviewError as problem:
            return self._refused(endpoint, problem)
        except HandlerFaultError as fault:
            return self.failed(fault.__cause__, uid=fault.uid[:_LOGGED_CHARACTERS], endpoint=endpoint)
        seconds = time.perf_counter() - start
        self._durations[endpoint].observe(seconds)
        self._counters.body.observe(len(body))
        self._count(answer)
        self.logs.tell(answer)
        if limit is not None and seconds > limit:
            return self._late(limit, answer.uid)
        return Reply(HTTPStatus.OK, answer.body)

    def refuse(self, reply: Reply) -> Reply:
        """Count an HTTP error and return it."""
        self.count_error(reply.status)
        return reply

    def count_error(self, status: int) -> None:
        """Count an HTTP error by its code."""
        self._counters.add(self._counters.refused, (str(int(status)),))

    def _count(self, answer: Answer) -> None:
        counters = self._counters
        dialects = answer.dialects
        dialect = dialects[0] if len(dialects) == 1 else "several" if dialects else "none"
        operation = answer.operation if answer.operation in _OPERATIONS else "other"
        counters.add(counters.requests, (answer.endpoint, operation, dialect, answer.outcome))
        if answer.patch_operations:
            counters.add(counters.patches, (dialect,), answer.patch_operations)
        for finding in answer.findings:
            counters.add(counters.findings, (finding.check, finding.dialect, finding.severity))

    def _refused(self, endpoint: Endpoint, problem: BadReviewError) -> Reply:
        self.logs.sparing.warning("review refused", uid=problem.uid[:_LOGGED_CHARACTERS], endpoint=endpoint, reason=str(problem))
        return self.refuse(error_reply(HTTPStatus.BAD_REQUEST, str(problem)))

    def failed(self, fault: BaseException | None, **about: str) -> Reply:
        """Log where the fault is, but not what its text says: that may hold values of the object."""
        frames = [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in traceback.extract_tb(fault.__traceback__ if fault else None)]
        self._counters.faults += 1
        self.logs.log.error("fault", exception=type(fault).__name__, trace=frames[-_LOGGED_FRAMES:], **about)
        return self.refuse(fault_error())

    def _late(self, limit: float, uid: str) -> Reply:
        self.logs.sparing.warning("too late", uid=uid[:_LOGGED_CHARACTERS], limit_seconds=limit)
        return self.refuse(
            error_reply(HTTPStatus.SERVICE_UNAVAILABLE, f"the answer took longer than the caller's time limit of {limit:g} s")
        )
