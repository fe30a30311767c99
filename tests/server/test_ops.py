"""The ops port of a running server."""

import json
import urllib.error
import urllib.request

import pytest

from tests.server.process import Server


def test_a_server_that_serves_is_alive_and_ready(server: Server) -> None:
    assert server.ops("/livez") == (200, b'{"alive": true}')
    assert server.ops("/readyz") == (200, b'{"ready": true, "missing": []}')


def test_unknown_pages_and_other_methods_are_refused_in_json(server: Server) -> None:
    assert server.ops("/nothing") == (404, b'{"error": "no such path"}')
    with pytest.raises(urllib.error.HTTPError) as caught:
        urllib.request.urlopen(f"http://127.0.0.1:{server.ops_port}/livez", data=b"x", timeout=30)
    with caught.value as answer:
        assert (answer.code, json.loads(answer.read())) == (405, {"error": "must be a GET"})


def test_reviews_are_not_answered_over_plain_http(server: Server) -> None:
    assert server.ops("/mutate")[0] == 404


def test_the_authority_of_a_self_signed_server_can_be_fetched(server: Server) -> None:
    status, pem = server.ops("/ca.pem")
    assert (status, pem.startswith(b"-----BEGIN CERTIFICATE-----")) == (200, True)
    assert b"PRIVATE" not in pem


def test_metrics_are_shown_to_prometheus(server: Server) -> None:
    assert server.metric("percard_certificate_expiry_timestamp_seconds") > 0
    assert server.metric("percard_connections") == 0
