"""What the controller of certificates keeps in its Secret: all that it must know after it was killed."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import zip_longest
from typing import NamedTuple

from certs.authority import Authority, load_authority
from certs.errors import CertificateError
from certs.inspection import certificates_in, pem_parts
from certs.pair import Pair, checked_pair


class Retired(NamedTuple):
    """The certificate of an authority that signs no more, trusted until the last pair of it has ended (POSIX seconds)."""

    until: float
    certificate: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Stored:
    """The content of the Secret. Times are POSIX seconds.

    `authority` signs, `successor` will; `published` is since when every configuration carries the
    successor. `signed_until` is when the last pair that the authority signed ends. What cannot be used
    (anymore) is None.
    """

    authority: Authority | None = None
    successor: Authority | None = None
    published: float | None = None
    retired: tuple[Retired, ...] = ()
    signed_until: float = 0.0
    pair: Pair | None = None

    @property
    def trusted(self) -> tuple[bytes, ...]:
        """Return the certificates to trust, oldest first, so that the order stays when one takes the other's place."""
        present = [authority.certificate for authority in (self.authority, self.successor) if authority]
        return tuple(sorted({*present, *(retired.certificate for retired in self.retired)}, key=_beginning))

    @property
    def bundle(self) -> bytes:
        """Return what `caBundle` must be."""
        return b"".join(self.trusted)


def _beginning(certificate: bytes) -> tuple[float, bytes]:
    return certificates_in(certificate)[0].not_valid_before_utc.timestamp(), certificate


def to_data(stored: Stored) -> dict[str, bytes]:
    """Return the entries of the Secret."""
    data = {"ca.crt": stored.bundle}
    for name, pair in (
        ("signing", stored.authority.pair if stored.authority else None),
        ("next", stored.successor.pair if stored.successor else None),
        ("tls", stored.pair),
    ):
        if pair:
            data |= {f"{name}.crt": pair.certificate, f"{name}.key": pair.key}
    if stored.retired:
        moments = [_as_text(retired.until) for retired in stored.retired]
        data |= {"retired.crt": b"".join(retired.certificate for retired in stored.retired), "retired.until": b"\n".join(moments)}
    if stored.published is not None:
        data["next.published"] = _as_text(stored.published)
    if stored.signed_until:
        data["signing.until"] = _as_text(stored.signed_until)
    return data


def from_data(data: Mapping[str, bytes], now: float) -> Stored:
    """Return what the entries of a Secret say; whatever cannot be used at `now` is left out."""
    stored = Stored(
        authority=_authority(data, "signing", now),
        successor=_authority(data, "next", now),
        published=_as_time(data.get("next.published")),
        retired=tuple(_retired(data, now)),
        signed_until=_as_time(data.get("signing.until")) or 0.0,
        pair=_pair(data, now),
    )
    return stored if stored.authority else _with_lost_authority(stored, data.get("signing.crt", b""), now)


def _with_lost_authority(stored: Stored, certificate: bytes, now: float) -> Stored:
    """Go on trusting an authority that cannot sign anymore: servers still show its pairs."""
    lost = [Retired(stored.signed_until or _end(part), part) for part in pem_parts(certificate) if _end(part) > now]
    return replace(stored, retired=(*stored.retired, *lost), signed_until=0.0)


def _authority(data: Mapping[str, bytes], name: str, now: float) -> Authority | None:
    try:
        found = load_authority(data.get(f"{name}.crt", b""), data.get(f"{name}.key", b""), now)
    except CertificateError:
        return None
    return found if _has_begun(found.pair, now) else None


def _pair(data: Mapping[str, bytes], now: float) -> Pair | None:
    try:
        found = checked_pair(data.get("tls.crt", b""), data.get("tls.key", b""), now)
    except CertificateError:
        return None
    return found if _has_begun(found, now) else None


def _has_begun(pair: Pair, now: float) -> bool:
    """Say whether a certificate can be used already: one that begins in the future was made while a clock was wrong."""
    return pair.starts <= now


def _retired(data: Mapping[str, bytes], now: float) -> Iterator[Retired]:
    """Yield the former authorities; one whose moment is lost is trusted to its own end."""
    parts = pem_parts(data.get("retired.crt", b""))
    moments = [_as_time(line) for line in data.get("retired.until", b"").split(b"\n")]
    for part, until in zip_longest(parts, moments[: len(parts)]):
        if _end(part) > now:
            yield Retired(until or _end(part), part)


def _end(certificate: bytes) -> float:
    return certificates_in(certificate)[0].not_valid_after_utc.timestamp()


def _as_text(moment: float) -> bytes:
    return datetime.fromtimestamp(moment, UTC).isoformat().encode()


def _as_time(text: bytes | None) -> float | None:
    try:
        return datetime.fromisoformat(text.decode()).timestamp() if text else None
    except ValueError:
        return None
