"""The life of a server: from its settings to its last answer."""

import asyncio
import gc
import logging
import time
from dataclasses import replace

import uvloop

from webhook.admission.handler import Handler
from webhook.server.asgi import App, Application, not_found
from webhook.server.credentials import Credentials
from webhook.server.desk import Desk
from webhook.server.gate import Gate, Limits
from webhook.server.listener import Listener, bound_socket
from webhook.server.logs import LibraryLog, LogQueue, Logs, Sparing, is_watched, stderr_queue, style_of
from webhook.server.metrics import Counters, registry_of
from webhook.server.ops import OpsApplication, Readiness
from webhook.server.resources import OPS_CONNECTIONS, OPS_IDLE_SECONDS, Resources
from webhook.server.rounds import rounds
from webhook.server.stopping import Signals
from webhook.server.tls import CertificateSource
from webhook.server.watch import SettingsWatch, Watch, revision_of
from webhook.settings import ServeSettings, Settings, Sources, load
from webhook.wiring import build_engine

_STEP_SECONDS = 0.05
# The garbage of a request is freed by reference counts; cycles are rare, and looking for them every 700
# allocations, as Python does by default, shows in the slowest answers.
_GC_THRESHOLDS = (50_000, 20, 20)


def serve(sources: Sources, certificates: CertificateSource, version: str) -> int:
    """Serve until a signal says stop; return the exit code: 0, or 130 after an interrupt.

    Raises `SettingsError` and `CannotListenError` before anything is served.
    """
    settings = load(sources).settings
    queue = stderr_queue()
    try:
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            return runner.run(_serve(sources, settings, certificates, version, queue))
    finally:
        queue.close()


async def _serve(sources: Sources, settings: Settings, certificates: CertificateSource, version: str, queue: LogQueue) -> int:
    server = Server(settings, certificates, version, queue)
    watch = Watch(server.gate, server.credentials, SettingsWatch(sources, version))
    return await server.run(watch)


class Server:
    """One server: two ports, one event loop."""

    def __init__(self, settings: Settings, certificates: CertificateSource, version: str, queue: LogQueue) -> None:
        """Bind both ports; nothing listens yet."""
        self._serve = settings.serve
        self._queue = queue
        self._counters = Counters(version, revision=revision_of(settings))
        self._logs = Logs(settings.log.level, style_of(settings.log.format), queue)
        engine = build_engine(settings)
        desk = Desk(Handler(engine, version), self._counters, self._logs)
        _listen_to_libraries(self._logs.sparing)
        self._resources = Resources(self._serve.max_connections, self._logs)
        self.gate = Gate(_limits(self._serve, self._resources.connections), desk, self._counters)
        self.credentials = Credentials(certificates, self._serve.client_ca)
        self._readiness = Readiness(self.gate, self.credentials)
        self._tls = Listener(
            bound_socket(self._serve.host, self._serve.port, "--port"), self.gate, Application(self.gate, self._rest(version))
        )
        self._ops = Listener(bound_socket(self._serve.host, self._serve.ops_port, "--ops-port"), self._ops_gate(), self._ops_app())

    def _rest(self, version: str) -> App:
        if not self._serve.api:
            return not_found
        from webhook.server.api import build_api  # noqa: PLC0415 - FastAPI takes 30 MB that a cluster's server has no use for

        return build_api(self.gate, version)

    def _ops_gate(self) -> Gate:
        counters = Counters(self._counters.version)
        limits = replace(
            self.gate.limits,
            client_names=frozenset(),
            connections=OPS_CONNECTIONS,
            idle_seconds=min(OPS_IDLE_SECONDS, self.gate.limits.idle_seconds),
        )
        return Gate(limits, Desk(self.gate.desk.handler, counters, self._logs), counters, endpoints={})

    def _ops_app(self) -> App:
        return OpsApplication(self._readiness, self.credentials, registry_of(self._counters), self._refresh)

    def _refresh(self) -> None:
        self._counters.lost_lines = self._queue.dropped

    async def run(self, watch: Watch) -> int:
        """Serve until a signal comes; return the exit code."""
        signals = Signals()
        await self._ops.open()
        self._logs.log.info("started", host=self._serve.host, port=self._tls.port, ops_port=self._ops.port)
        # Should one of the tasks fail, the group ends the server: better restarted than blind to its certificates.
        async with asyncio.TaskGroup() as group:
            work = (watch.run(), self._ops.patrol(), self._tls.patrol(), self._resources.patrol(), self._open(watch))
            tasks = [group.create_task(part) for part in work]
            await signals.asked.wait()
            await self._stop(signals)
            for task in tasks:
                task.cancel()
        return signals.exit_code

    async def _open(self, watch: Watch) -> None:
        await watch.opened.wait()
        contexts = self.credentials.contexts
        if contexts is None:
            return
        await self._tls.open(contexts.listening)
        gc.collect()
        gc.freeze()
        gc.set_threshold(*_GC_THRESHOLDS)
        self._readiness.listening = True
        self._logs.log.info("serving", host=self._serve.host, port=self._tls.port, ops_port=self._ops.port)
        if is_watched():
            self._logs.log.info("ask it from another terminal, end it with Ctrl-C", **self._addresses())

    def _addresses(self) -> dict[str, str]:
        """Return what whoever started it by hand may open."""
        host = _typed(self._serve.host)
        tls, ops = f"https://{host}:{self._tls.port}", f"http://{host}:{self._ops.port}"
        found = {"docs": f"{tls}/docs"} if self._serve.api else {"reviews": f"{tls}/validate"}
        return found | ({"trust": f"{ops}/ca.pem"} if self._serve.self_signed else {}) | {"metrics": f"{ops}/metrics"}

    async def _stop(self, signals: Signals) -> None:
        """Be unready at once, go on serving until nobody comes any more, then close.

        A pod that terminates gets requests for some seconds after it has left the Service's endpoints.
        """
        self.gate.draining = True
        self._logs.log.info("stopping", signal=signals.first)
        if signals.first == "SIGTERM":
            await signals.forced_before(self._quiet())
        await signals.forced_before(self._tls.close(self._serve.body_timeout + self._serve.head_timeout))
        await signals.forced_before(self._ops.close(1.0))
        self._logs.log.info("stopped")

    async def _quiet(self) -> None:
        begin = heard = time.monotonic()
        async for now, stalled in rounds(_STEP_SECONDS):
            # Nobody can be heard during a stall: what came meanwhile is still to be read.
            heard = now if stalled else max(heard, self.gate.last_request)
            if now - heard >= self._serve.quiet_period or now - begin >= self._serve.max_quiet_period:
                return


def _typed(host: str) -> str:
    """Return a host as it is typed in an address; one that stands for all interfaces is this machine."""
    if host in ("0.0.0.0", "::"):  # noqa: S104 - nothing is bound here
        return "localhost"
    return f"[{host}]" if ":" in host else host


def _limits(serve: ServeSettings, connections: int) -> Limits:
    return Limits(
        body_bytes=serve.max_body,
        connections=connections,
        in_flight=serve.max_in_flight,
        head_seconds=serve.head_timeout,
        body_seconds=serve.body_timeout,
        idle_seconds=serve.keep_alive,
        client_names=frozenset(serve.client_names),
    )


def _listen_to_libraries(sparing: Sparing) -> None:
    """Bring warnings of uvicorn and asyncio into the log; nothing else writes to standard error."""
    root = logging.getLogger()
    root.handlers = [LibraryLog(sparing)]
    root.setLevel(logging.WARNING)
