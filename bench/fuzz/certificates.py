"""Damaged certificates, keys and bundles: each is served with or refused, and whoever looks at them is not stopped."""

import base64
import random
import time
import warnings
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import count

from cryptography.utils import CryptographyDeprecationWarning

from bench.fuzz.outcome import Effort, Outcome, tried
from bench.fuzz.texts import spoilt
from certs.authority import load_authority, new_authority
from certs.errors import CertificateError
from certs.inspection import authorities_called, certificates_in, is_issued_by, names_of, pem_parts
from certs.pair import checked_pair
from webhook.server.tls import ContextError, new_context

_SEPARATOR = b"\n#percard-fuzz#\n"


def _seeds() -> list[tuple[bytes, bytes]]:
    """Return pairs of a chain and its key: an authority's, a leaf's, a leaf's with its authority."""
    now = datetime.now(UTC)
    authority = new_authority("percard-ca", timedelta(days=30), now)
    leaf = authority.issue(["percard.percard-system.svc", "127.0.0.1"], timedelta(days=7), now)
    other = new_authority("percard-ca", timedelta(days=30), now)
    return [
        (authority.pair.certificate, authority.pair.key),
        (leaf.certificate, leaf.key),
        (leaf.certificate + authority.certificate, leaf.key),
        (leaf.certificate + other.certificate, other.pair.key),
    ]


def _damaged(seed: int) -> Iterator[bytes]:
    """Yield a chain and a key in one, damaged as text or below it, in the bytes that the text stands for."""
    chance = random.Random(seed)  # noqa: S311 - to be repeated, not to be secret
    pairs = _seeds()
    texts = [text for pair in pairs for text in pair]
    for _ in count():
        parts = list(chance.choice(pairs))
        for _ in range(chance.randint(1, 3)):
            which = chance.randrange(2)
            parts[which] = _below(parts[which], chance) if chance.random() < 0.6 else spoilt(parts[which], texts, chance)
        yield _SEPARATOR.join(parts)


def _below(text: bytes, chance: random.Random) -> bytes:
    """Change bytes of the DER that a PEM text holds."""
    lines = text.strip().splitlines()
    if len(lines) < 3:
        return text
    try:
        der = bytearray(base64.b64decode(b"".join(line for line in lines if not line.startswith(b"-----"))))
    except ValueError:
        return text
    for _ in range(chance.randint(1, 3)):
        if der:
            der[chance.randrange(len(der))] = chance.choice((0, 1, 0x7F, 0xFF, chance.randrange(256)))
    return b"\n".join([lines[0], base64.encodebytes(bytes(der)).strip(), lines[-1]]) + b"\n"


def _one(data: bytes) -> str:
    certificate, _, key = data.partition(_SEPARATOR)
    now = time.time()
    names_of(certificate)
    certificates_in(certificate)
    is_issued_by(certificate, pem_parts(certificate)[-1] if pem_parts(certificate) else certificate)
    authorities_called("percard-ca", [certificate, key], now)
    found = []
    for load in (checked_pair, load_authority):
        try:
            load(certificate, key, now)
            found.append("a pair" if load is checked_pair else "an authority")
        except CertificateError as refusal:
            str(refusal).encode()
    try:
        new_context(checked_pair(certificate, key, now), certificate)
        found.append("served with")
    except (CertificateError, ContextError):
        pass
    return ", ".join(found) or "refused"


def fuzz(effort: Effort) -> Outcome:
    """Read as many pairs as are asked for."""
    with warnings.catch_warnings():
        # What is wrong about a number is told as a warning until cryptography refuses it.
        warnings.simplefilter("ignore", CryptographyDeprecationWarning)
        return tried(effort.of(_damaged(effort.seed)), _one)
