"""What the server proves itself with, kept current: its pair and the CA of its clients."""

import time
from pathlib import Path
from typing import Literal

from webhook.server.reading import read_file
from webhook.server.tls import CertificateSource, ContextError, Contexts, PairInForce, new_context

# A bundle of CAs has some hundred kilobytes at most; whatever is larger is some other file.
_LARGEST_BUNDLE = 4 << 20

Change = Literal["replaced", "failed", ""]


class Credentials:
    """The TLS contexts of a server. `contexts` is None until a first pair can be served with.

    `expires` is that of the pair in force (POSIX seconds), 0 while there is none; `problem` says what stands against
    the newest material, empty where nothing does.
    """

    def __init__(self, source: CertificateSource, client_ca: Path | None) -> None:
        """Take where the pair comes from, and the file of the CA that clients must have a certificate of."""
        self.contexts: Contexts | None = None
        self.expires = 0.0
        self.problem = ""
        self._source = source
        self._client_ca = client_ca
        self._served: tuple[PairInForce, bytes] | None = None

    @property
    def authority(self) -> bytes:
        """Return the PEM certificate that clients must trust, empty where they have it from elsewhere."""
        return self._source.authority

    @property
    def expired(self) -> bool:
        """Say whether the pair in force is over by the wall clock."""
        return self.contexts is not None and self.expires <= time.time()

    def refresh(self) -> Change:
        """Look at the material again; to be called in a thread, since it reads files.

        Nothing is replaced unless OpenSSL accepts all of it together. What it refused is tried again each time, because
        the reason may have been this process: without a file descriptor or memory to spare no context is made.
        """
        before = self.problem
        try:
            changed = self._refreshed()
        except (ContextError, OSError) as problem:
            self.problem = problem.strerror or "cannot be read" if isinstance(problem, OSError) else str(problem)
            changed = False
        if changed or (before and not self.problem):
            return "replaced"
        return "failed" if self.problem and self.problem != before else ""

    def _refreshed(self) -> bool:
        self._source.poll()
        pair = self._source.pair
        bundle = self._bundle()
        if pair is None or (pair, bundle) == self._served:
            self.problem = self._source.problem
            return False
        context = new_context(pair, bundle)
        if self.contexts is None:
            self.contexts = Contexts(context)
        else:
            self.contexts.replace(context)
        self._served, self.expires, self.problem = (pair, bundle), pair.expires, self._source.problem
        return True

    def _bundle(self) -> bytes:
        if self._client_ca is None:
            return b""
        try:
            content = read_file(self._client_ca, _LARGEST_BUNDLE)
        except OSError as problem:
            message = f"cannot read the client CA '{self._client_ca}': {problem.strerror}"
            raise ContextError(message) from None
        if not content.strip():
            message = f"the client CA '{self._client_ca}' must not be empty"
            raise ContextError(message)
        return content
