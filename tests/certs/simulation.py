"""A cluster in memory: what the controller writes, and what servers and API servers see of it, later."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import TypeVar

from cryptography.hazmat.primitives.serialization import Encoding

from certs.controller_decide import Action, Observed, Policy, Publish, Wait, Write, decide
from certs.controller_state import Stored, from_data, to_data
from certs.inspection import certificates_in, is_issued_by
from certs.pair import Pair

Value = TypeVar("Value")

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC).timestamp()
MINUTE, DAY = 60.0, 86_400.0
POLICY = Policy(
    names=("percard.percard-system.svc",),
    authority_life=timedelta(days=365),
    pair_life=timedelta(days=30),
    settling=timedelta(seconds=30),
)
# The kubelet brings a changed Secret within a minute or two, the server looks every two seconds.
SERVER_LAG = 3 * MINUTE


@dataclass
class Simulation:
    """One Secret and two configurations with three entries, and the history of both. Times are POSIX seconds."""

    now: float = NOW
    policy: Policy = POLICY
    secret: dict[str, bytes] | None = None
    bundles: dict[str, list[bytes]] = field(default_factory=lambda: {"mutating": [b""], "validating": [b"", b""]})
    seen_bundles: list[tuple[float, bytes]] = field(default_factory=list)
    shown: list[tuple[float, Pair]] = field(default_factory=list)

    def observed(self) -> Observed:
        """Return what a controller would read."""
        return Observed(self.stored if self.secret is not None else None, {name: list(found) for name, found in self.bundles.items()})

    @property
    def stored(self) -> Stored:
        """Return what the Secret says."""
        return from_data(self.secret or {}, self.now)

    def next(self) -> Action:
        """Return what a controller would do now."""
        return decide(self.observed(), self.policy, self.now)

    def step(self, configurations: int = 2) -> bool:
        """Do the next thing, killed after so many configurations; return whether there was anything to do."""
        action = self.next()
        if isinstance(action, Write):
            self.write(action.stored)
        elif isinstance(action, Publish):
            for name in action.configurations[:configurations]:
                self.overwrite(name, action.bundle)
        return not isinstance(action, Wait)

    def settle(self) -> float:
        """Do everything that is to be done; return when to look again."""
        for _ in range(20):
            action = self.next()
            if isinstance(action, Wait):
                return action.until
            self.step()
        message = f"never at rest: {self.next()}"
        raise AssertionError(message)

    def sleep(self) -> None:
        """Let the time come for which the controller waits."""
        self.now = max(self.now, self.settle())

    def go_to_exchange(self) -> None:
        """Go to the moment at which the authority is to be exchanged."""
        authority = self.stored.authority
        assert authority
        while self.now < authority.pair.renewal_due:
            self.sleep()

    def overwrite(self, name: str, bundle: bytes) -> None:
        """Write caBundle of every entry of a configuration."""
        self.bundles[name] = [bundle] * len(self.bundles[name])
        self.seen_bundles.append((self.now, bundle))

    def write(self, stored: Stored) -> None:
        """Write the Secret; servers will show its pair."""
        self.secret = to_data(stored)
        pair = self.stored.pair
        if pair and (not self.shown or self.shown[-1][1] != pair):
            self.shown.append((self.now, pair))

    def broken_calls(self) -> Iterator[str]:
        """Yield each combination of a pair that a server may show and a bundle that an API server may use, that fails."""
        lag = self.policy.settling.total_seconds()
        for pair in _in_force(self.shown, self.now - SERVER_LAG):
            if pair.expires <= self.now:
                yield f"a server shows a pair that ended {self.now - pair.expires:.0f} s ago"
            if pair.starts > self.now:
                yield f"a server shows a pair that begins in {pair.starts - self.now:.0f} s"
            for bundle in _in_force(self.seen_bundles, self.now - lag):
                if not any(is_issued_by(pair.certificate, authority) for authority in parts(bundle)):
                    yield "a server shows a pair that an API server does not trust"


def _in_force(history: list[tuple[float, Value]], since: float) -> list[Value]:
    """Return what was in force at any moment from `since` on."""
    before = [value for moment, value in history if moment <= since]
    return [*before[-1:], *(value for moment, value in history if moment > since)]


def parts(bundle: bytes) -> list[bytes]:
    """Return the certificates of a bundle, each as PEM."""
    return [certificate.public_bytes(Encoding.PEM) for certificate in certificates_in(bundle)]
