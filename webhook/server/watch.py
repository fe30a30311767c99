"""What may change under a running server: its certificates and its settings file."""

import asyncio
import hashlib

from webhook.admission.handler import Handler
from webhook.admission.line import as_time
from webhook.server.credentials import Credentials
from webhook.server.gate import Gate
from webhook.server.reading import read_file
from webhook.settings import Settings, SettingsError, Sources, load
from webhook.settings.problems import Problem
from webhook.wiring import build_engine

# The kubelet swaps a mounted Secret within a minute or two; two seconds more are nothing to that, and a
# self-signed leaf of minutes is still renewed in time.
POLL_SECONDS = 2.0
# Settings have some kilobytes; whatever is larger is some other file.
_LARGEST_FILE = 1 << 20


def revision_of(settings: Settings) -> str:
    """Return a hash of the values, the same for the same values."""
    return hashlib.sha256(repr(settings).encode()).hexdigest()[:12]


class SettingsWatch:
    """Reads the settings file again when its content changes; a mistake in it keeps the settings before.

    A content counts once it was the same at two looks: half of a file that is being written may be settings, too.
    """

    def __init__(self, sources: Sources, version: str) -> None:
        """Take the sources; what they say at present is in force already."""
        self._file = sources.file
        self._sources = sources
        self._version = version
        self._problems: tuple[Problem, ...] = ()
        # None while what the file holds is not what is in force.
        self._in_force = self._latest = self._content_at_start()

    def _content_at_start(self) -> bytes | None:
        try:
            return self._content()
        except SettingsError:
            return None

    def _content(self) -> bytes:
        try:
            return read_file(self._file, _LARGEST_FILE) if self._file else b""
        except OSError as error:
            raise SettingsError([Problem("", f"the settings file cannot be read: {error.strerror}", str(self._file))]) from None

    def changed(self) -> tuple[Settings, Handler] | None:
        """Return the new settings and their handler where the file changed; raises `SettingsError`, once for the same mistakes.

        A mistake is looked for again each time: without a file descriptor to spare the file could not even be opened.
        """
        try:
            return self._changed()
        except SettingsError as error:
            self._in_force = None
            if tuple(error.problems) == self._problems:
                return None
            self._problems = tuple(error.problems)
            raise

    def _changed(self) -> tuple[Settings, Handler] | None:
        content = self._content()
        before, self._latest = self._latest, content
        if content == self._in_force or content != before:
            return None
        settings = load(self._sources).settings
        handler = Handler(build_engine(settings), self._version)
        self._in_force, self._problems = content, ()
        return settings, handler


class Watch:
    """Keeps a server's gate and credentials current."""

    def __init__(self, gate: Gate, credentials: Credentials, settings: SettingsWatch) -> None:
        """Take what is kept current."""
        self._gate = gate
        self._credentials = credentials
        self._settings = settings
        self.opened = asyncio.Event()

    async def run(self) -> None:
        """Look every two seconds, for ever."""
        while True:
            await self.look_at_certificates()
            await self._look_at_settings()
            await asyncio.sleep(POLL_SECONDS)

    async def look_at_certificates(self) -> None:
        """Take a new pair or client CA into use, or say why not."""
        change = await asyncio.to_thread(self._credentials.refresh)
        if not change:
            return
        counters, log = self._gate.counters, self._gate.desk.logs.log
        counters.add(counters.reloads, ("certificate", "ok" if change == "replaced" else "failed"))
        counters.expiry = self._credentials.expires
        if change == "replaced":
            log.info("certificate in force", expires=as_time(self._credentials.expires))
            self.opened.set()
        else:
            log.warning("certificate not usable", reason=self._credentials.problem, serving=self._credentials.contexts is not None)

    async def _look_at_settings(self) -> None:
        counters, desk = self._gate.counters, self._gate.desk
        try:
            change = await asyncio.to_thread(self._settings.changed)
        except SettingsError as problem:
            counters.add(counters.reloads, ("settings", "failed"))
            desk.logs.log.warning("settings not usable", problems=[str(part) for part in problem.problems])
        else:
            if change is not None:
                self._use(*change)

    def _use(self, settings: Settings, handler: Handler) -> None:
        """Judge by the new settings from the next request on; those under `serve` and `log` need a restart."""
        counters, desk = self._gate.counters, self._gate.desk
        desk.handler = handler
        counters.revision = revision_of(settings)
        counters.add(counters.reloads, ("settings", "ok"))
        desk.logs.log.info("settings in force", revision=counters.revision)
