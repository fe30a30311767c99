"""One server for the tests that do not change it."""

from collections.abc import Iterator

import pytest

from tests.server.process import Server


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Serve with a self-signed certificate, the API and short time limits."""
    limits = {"PERCARD_SERVE__HEAD_TIMEOUT": "1s", "PERCARD_SERVE__BODY_TIMEOUT": "1400ms"}
    with Server(tmp_path_factory.mktemp("server"), "--self-signed", environ=limits) as running:
        running.wait_for("serving")
        yield running
