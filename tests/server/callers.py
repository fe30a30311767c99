"""Clients that call all the time."""

import http.client
import threading
import time
from typing import Self

from tests.server.process import PATIENCE_SECONDS, Server, call_on, review_bytes


class Callers:
    """Threads that call all the time, each on a connection that is kept alive; they count what fails."""

    def __init__(self, server: Server, threads: int = 4) -> None:
        """Take whom to call."""
        self.good = 0
        self.bad: list[str] = []
        self._server = server
        self._over = threading.Event()
        self._threads = [threading.Thread(target=self._call_all_the_time) for _ in range(threads)]

    def __enter__(self) -> Self:
        """Start calling."""
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Stop calling."""
        self._over.set()
        for thread in self._threads:
            thread.join()

    def stop(self) -> None:
        """Stop calling."""
        self.__exit__()

    def wait_for(self, count: int) -> None:
        """Wait until that many more calls went well."""
        aim, over = self.good + count, time.monotonic() + PATIENCE_SECONDS
        while self.good < aim and not self.bad and time.monotonic() < over:
            time.sleep(0.01)

    def _call_all_the_time(self) -> None:
        body = review_bytes("pod-create-volcengine-mutate")
        connection = self._server.connect()
        while not self._over.is_set():
            try:
                status, _ = call_on(connection, "/mutate?timeout=10s", body)
            except (OSError, http.client.HTTPException) as problem:
                self.bad.append(repr(problem))
                return
            if status == http.HTTPStatus.OK:
                self.good += 1
            else:
                self.bad.append(str(status))
            time.sleep(0.002)
        connection.close()
