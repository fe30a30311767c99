"""Where a server gets its pair from: two files that may change, or an authority of its own."""

import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

from certs.authority import Authority, new_authority
from certs.errors import CertificateError
from certs.pair import Pair, checked_pair, read_bounded

# A self-signed server is for a machine of one's own: its CA lives as long as the process, and a year covers
# any process. The leaf is short-lived so that renewal is met in practice and not once in years.
_AUTHORITY_LIFE = timedelta(days=365)
_LEAF_LIFE = timedelta(days=7)

Clock = Callable[[], float]


class FileSource:
    """A certificate file and a key file, such as those of a mounted Secret.

    Both are read at each poll and compared by content: a Secret is swapped through the link `..data`,
    which no file's own time or name shows. A pair that is bad, or half swapped, keeps the one before. What was
    refused is judged anew each time, because whether a pair has begun or ended changes with the clock.
    """

    authority = b""

    def __init__(self, certificate: Path, key: Path, clock: Clock = time.time) -> None:
        """Take the two paths; nothing is read before the first poll."""
        self._paths = (certificate, key)
        self._clock = clock
        self.pair: Pair | None = None
        self.problem = "the certificate has not been read yet"

    def poll(self) -> bool:
        """Read the files; return True where `pair` is another one now. `problem` says what is wrong with them."""
        try:
            found = self._found()
        except CertificateError as problem:
            self.problem = str(problem)
            return False
        changed = found != self.pair
        self.pair, self.problem = found, ""
        return changed

    def _found(self) -> Pair:
        """Return the pair of the files, or the present one where they hold that; raises `CertificateError`."""
        certificate, key = (read_bounded(path) for path in self._paths)
        if self.pair and (certificate, key) == (self.pair.certificate, self.pair.key):
            return self.pair
        now = self._clock()
        found = checked_pair(certificate, key, now)
        # Without a better one it is served: the clock of this machine may be the one that is wrong.
        if found.starts > now and self.pair and self.pair.starts <= now < self.pair.expires:
            message = f"the certificate is not valid before {datetime.fromtimestamp(found.starts, UTC).isoformat()}"
            raise CertificateError(message)
        return found


class SelfSignedSource:
    """A fresh authority and a leaf of it, renewed when two thirds of its life are over.

    The wall clock counts, not the time that the process ran: a suspended machine wakes up with an old leaf. After a
    clock was set back, a leaf or an authority that has not begun yet is exchanged as one that is over.
    """

    def __init__(self, names: Sequence[str], leaf_life: timedelta = _LEAF_LIFE, clock: Clock = time.time) -> None:
        """Take the DNS names and IP addresses to serve; nothing is made before the first poll."""
        self._names = list(names)
        self._leaf_life = leaf_life
        self._clock = clock
        self._issuer: Authority | None = None
        self.pair: Pair | None = None
        self.problem = ""

    @property
    def authority(self) -> bytes:
        """Return the PEM certificate that clients must trust, empty before the first poll."""
        return self._issuer.certificate if self._issuer else b""

    def poll(self) -> bool:
        """Make a new leaf where one is due; return True where `pair` is another one now."""
        now = self._clock()
        if self.pair and self.pair.serves_at(now):
            return False
        moment = datetime.fromtimestamp(now, UTC)
        if self._issuer is None or not self._issuer.pair.serves_at(now):
            self._issuer = new_authority("percard self-signed", _AUTHORITY_LIFE, moment)
        self.pair = self._issuer.issue(self._names, self._leaf_life, moment)
        return True
