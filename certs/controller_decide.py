"""What to do next about certificates: a function of what is stored, what the configurations carry, and the time.

An authority is exchanged in three phases: publish the new one beside the old and wait until every
configuration carries both; sign the pair with the new one; drop the old one when no pair of it can be in
use. Each step is one write, and what is left to do is read from what was written: a controller that is
killed between two steps goes on where it stopped.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from certs.authority import new_authority
from certs.controller_state import Retired, Stored
from certs.inspection import authorities_called, is_issued_by, names_of
from certs.pair import Pair

# A year and a month: the pair is met often enough to be sure that its renewal works, the authority now and then.
AUTHORITY_LIFE = timedelta(days=365)
PAIR_LIFE = timedelta(days=30)
# API servers see a changed configuration within a second or two; several of them may be behind by some more.
SETTLING = timedelta(seconds=30)
# The common name of authorities: by it those of a lost Secret are recognised in the configurations.
AUTHORITY_NAME = "percard webhook authority"
# A Secret that is lost again and again must not make caBundle grow for ever.
_MOST_RETIRED = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """What is wanted: the names of the server, how long certificates live, how long API servers may lag behind."""

    names: tuple[str, ...]
    authority_life: timedelta = AUTHORITY_LIFE
    pair_life: timedelta = PAIR_LIFE
    settling: timedelta = SETTLING


@dataclass(frozen=True, slots=True)
class Observed:
    """What was read: the Secret's content, None without a Secret, and the caBundle of each entry of each configuration."""

    stored: Stored | None
    bundles: Mapping[str, Sequence[bytes]]


@dataclass(frozen=True, slots=True)
class Write:
    """Write the Secret."""

    stored: Stored
    why: str


@dataclass(frozen=True, slots=True)
class Publish:
    """Write caBundle of every entry of these configurations."""

    configurations: tuple[str, ...]
    bundle: bytes
    why: str


@dataclass(frozen=True, slots=True)
class Wait:
    """Nothing is to be done before a moment (POSIX seconds) unless something changes."""

    until: float


Action = Write | Publish | Wait


def decide(seen: Observed, policy: Policy, now: float) -> Action:
    """Return the next thing to do."""
    stored = seen.stored or Stored()
    if stored.authority is None and stored.successor is None:
        return _found(seen, stored, policy, now)
    stale = tuple(name for name, carried in seen.bundles.items() if any(bundle != stored.bundle for bundle in carried))
    if stale and stored.published is not None:
        # The wait for API servers begins anew once the configurations are right again.
        return Write(replace(stored, published=None), "a configuration lost the new authority")
    if stale:
        return Publish(stale, stored.bundle, "caBundle is not what it must be")
    return _renew(stored, policy, now) or _succeed(stored, policy, now) or _retire(stored, now) or _wait(stored)


def _found(seen: Observed, stored: Stored, policy: Policy, now: float) -> Write:
    """Begin with a new authority; keep the trust in those before, because servers may still show pairs of theirs."""
    carried = authorities_called(AUTHORITY_NAME, (bundle for carried in seen.bundles.values() for bundle in carried), now)
    known = {retired.certificate: retired for retired in stored.retired}
    adopted = [Retired(expires, certificate) for certificate, expires in carried.items() if certificate not in known]
    retired = tuple(sorted([*known.values(), *adopted])[-_MOST_RETIRED:])
    successor = new_authority(AUTHORITY_NAME, policy.authority_life, _moment(now))
    return Write(Stored(successor=successor, retired=retired, pair=stored.pair), "there is no usable authority")


def _renew(stored: Stored, policy: Policy, now: float) -> Write | None:
    """Sign a new pair where the present one is not what it should be; every configuration trusts the authority."""
    if stored.authority is None:
        return None
    why = _fault(stored.pair, stored.authority.pair, policy) or _age(stored.pair, stored.authority.pair, now)
    return Write(_signed(stored, policy, now), why) if why else None


def _fault(pair: Pair | None, authority: Pair, policy: Policy) -> str:
    if pair is None:
        return "there is no usable pair"
    if not is_issued_by(pair.certificate, authority.certificate):
        return "the pair is of another authority"
    return "" if names_of(pair.certificate) == set(policy.names) else "the pair is made out to other names"


def _age(pair: Pair | None, authority: Pair, now: float) -> str:
    return "two thirds of the pair's life are over" if pair and now >= _renewal_due(pair, authority) else ""


def _renewal_due(pair: Pair, authority: Pair) -> float:
    """Return when a new pair is due: never, where it could not outlive the present one because the authority does not."""
    return pair.renewal_due if pair.expires < authority.expires else authority.expires


def _signed(stored: Stored, policy: Policy, now: float) -> Stored:
    if stored.authority is None:
        return stored
    pair = stored.authority.issue(policy.names, policy.pair_life, _moment(now))
    return replace(stored, pair=pair, signed_until=max(stored.signed_until, pair.expires))


def _succeed(stored: Stored, policy: Policy, now: float) -> Write | Wait | None:
    if stored.successor is None:
        if stored.authority is None or now < stored.authority.pair.renewal_due:
            return None
        successor = new_authority(AUTHORITY_NAME, policy.authority_life, _moment(now))
        return Write(replace(stored, successor=successor, published=None), "two thirds of the authority's life are over")
    if not stored.pair and not stored.retired:
        return Write(_promoted(stored, policy, now), "no server shows a pair of another authority")
    # A moment in the future was written by another clock: it says nothing.
    if stored.published is None or stored.published > now:
        return Write(replace(stored, published=now), "every configuration carries the new authority")
    if now < stored.published + policy.settling.total_seconds():
        return Wait(stored.published + policy.settling.total_seconds())
    return Write(_promoted(stored, policy, now), "every API server knows the new authority")


def _promoted(stored: Stored, policy: Policy, now: float) -> Stored:
    former = (Retired(stored.signed_until or stored.authority.pair.expires, stored.authority.certificate),) if stored.authority else ()
    present = Stored(authority=stored.successor, retired=(*stored.retired, *former))
    return _signed(present, policy, now)


def _retire(stored: Stored, now: float) -> Write | None:
    left = tuple(retired for retired in stored.retired if now < retired.until)
    return Write(replace(stored, retired=left), "no pair of the old authority can be in use") if left != stored.retired else None


def _wait(stored: Stored) -> Wait:
    moments = [retired.until for retired in stored.retired]
    if stored.authority:
        moments.append(stored.authority.pair.renewal_due)
        moments += [_renewal_due(stored.pair, stored.authority.pair)] if stored.pair else []
    return Wait(min(moments))


def _moment(now: float) -> datetime:
    return datetime.fromtimestamp(now, UTC)
