"""Reviews against a real server: no 5xx, no lost uid, no answer over 100 ms, memory that stays."""

import ssl
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import islice

from bench.fuzz.exchange import AT_ONCE, CONNECTIONS, Line, exchange, lines
from bench.fuzz.outcome import Effort
from bench.fuzz.reviews import Sent, reviews
from bench.soak.result import Result
from bench.soak.servers import SoakServer
from webhook import build_engine
from webhook.admission.errors import BadReviewError
from webhook.admission.handler import Handler
from webhook.admission.memory import Memory
from webhook.admission.scope import ENDPOINTS

MOST_SECONDS = 0.1
# Until then the heap still grows to what a few large reviews at a time need.
_WARM_UP = 100_000
_MOST_GROWTH = 0.05
_LOOK_EVERY = 1000
_TOLD = 10


class Campaign:
    """Sends reviews, and looks at the server now and then."""

    def __init__(self, server: SoakServer, most: int) -> None:
        """Take whom to send to and how many reviews there will be, which decides how often memory is told."""
        self.sent = 0
        self.wrong: list[tuple[Sent, str]] = []
        self.late: list[tuple[Sent, float]] = []
        self.late_by_the_clock = 0
        self.warm_kib = 0
        self._server = server
        self._tell_every = max(_LOOK_EVERY, most // 10)
        self._recent: list[Sent] = []
        self._handler = Handler(build_engine(), "0", Memory(0))

    def send(self, opened: list[Line], batch: list[Sent]) -> None:
        """Send a batch; what is late by the server's own clock is repeated here, to see whether it was work or waiting."""
        for sent, problem in exchange(opened, batch):
            if problem:
                self.wrong.append((sent, problem))
                print(f"  WRONG: {problem}: {sent.path} {sent.body[:300]!r}", flush=True)
        before, self.sent = self.sent, self.sent + len(batch)
        self._recent += batch
        if before // _LOOK_EVERY != self.sent // _LOOK_EVERY:
            self._look()
        if before < _WARM_UP <= self.sent:
            self.warm_kib = self._server.rss_kib()
        if before // self._tell_every != self.sent // self._tell_every:
            print(f"  {self.sent:>9,} reviews: {self._server.rss_kib() / 1024:.1f} MiB, {len(self.wrong)} wrong", flush=True)

    def _look(self) -> None:
        late = late_answers(self._server)
        if late > self.late_by_the_clock:
            self.late += [(sent, seconds) for sent in self._recent if (seconds := self._cpu_seconds(sent)) > MOST_SECONDS]
        self.late_by_the_clock, self._recent = late, []

    def _cpu_seconds(self, sent: Sent) -> float:
        endpoint = next(one for one in ENDPOINTS if f"/{one}" == sent.path)
        begun = time.process_time()
        with suppress(BadReviewError):
            self._handler.respond(endpoint, sent.body)
        return time.process_time() - begun


def late_answers(server: SoakServer) -> int:
    """Return how many answers took the server longer than 100 ms by the clock, waiting for a processor included."""
    late = 0.0
    for endpoint in ENDPOINTS:
        name = "percard_admission_duration_seconds"
        labels = f'endpoint="{endpoint}"'
        late += server.metric(f"{name}_count{{{labels}}}") - server.metric(f'{name}_bucket{{{labels},le="0.1"}}')
    return int(late)


def fuzz(server: SoakServer, context: ssl.SSLContext, effort: Effort, keep: Callable[[str, bytes], None]) -> list[Result]:
    """Send as many reviews as are asked for and say what was found; `keep` is given what was answered wrongly or late."""
    campaign = Campaign(server, effort.count or 0)
    with lines(server.port, context) as opened:
        for batch in _batches(effort):
            campaign.send(opened, batch)
            if len(campaign.wrong) >= _TOLD:
                break
    for number, (sent, _) in enumerate([*campaign.wrong, *campaign.late]):
        keep(f"reviews-{number}{sent.path.replace('/', '-')}", sent.body)
    return _results(server, campaign)


def _batches(effort: Effort) -> Iterator[list[Sent]]:
    end, left, source = time.monotonic() + effort.seconds, effort.count, reviews(effort.seed)
    while left is None or left > 0:
        batch = list(islice(source, min(CONNECTIONS * AT_ONCE, CONNECTIONS * AT_ONCE if left is None else left)))
        if left is None and time.monotonic() > end:
            return
        left = None if left is None else left - len(batch)
        yield batch


def _results(server: SoakServer, campaign: Campaign) -> list[Result]:
    faults = int(server.metric("percard_faults_total"))
    last = server.rss_kib()
    first = campaign.warm_kib or last
    growth = last / first - 1
    slow = f"{campaign.late_by_the_clock} by the clock, {len(campaign.late)} of them when repeated, in CPU time"
    return [
        Result("answers that were wrong, or no answers", f"{len(campaign.wrong)} of {campaign.sent:,}", not campaign.wrong),
        Result("faults that the server counted", str(faults), faults == 0),
        Result("answers over 100 ms", slow, not campaign.late),
        Result(
            "memory after the warm-up and at the end",
            f"{first / 1024:.1f} and {last / 1024:.1f} MiB: {growth:+.1%}",
            growth <= _MOST_GROWTH,
        ),
    ]
