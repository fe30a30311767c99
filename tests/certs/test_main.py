"""The command line of `percard-certs`: what it takes, and how it says what it cannot take."""

from datetime import timedelta

import pytest

from certs.main import _as_text, _parser, _policy, main

HOST = "percard.percard-system.svc"


def test_the_server_s_names_are_those_of_its_service_and_further_ones() -> None:
    options = _parser().parse_args(["--namespace", "percard-system", "--name", "127.0.0.1"])
    assert _policy(options).names == (HOST, f"{HOST}.cluster.local", "127.0.0.1")


@pytest.mark.parametrize(("text", "span"), [("30d", timedelta(days=30)), ("12h", timedelta(hours=12)), ("200s", timedelta(seconds=200))])
def test_a_span_of_time_carries_its_unit(text: str, span: timedelta) -> None:
    options = _parser().parse_args(["--namespace", "n", "--pair-life", text])
    assert _policy(options).pair_life == span
    assert _as_text(span) == text


@pytest.mark.parametrize("text", ["30", "d", "0s", "1w", "-3d", "1.5h", "30 d"])
def test_another_span_of_time_is_refused_with_what_to_write(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--namespace", "n", f"--settling={text}"])
    assert ended.value.code == 2
    assert "must be a duration with its unit (s, m, h, d), such as '30d'" in capsys.readouterr().err


def test_a_life_that_would_be_over_at_once_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--namespace", "n", "--pair-life=179s"])
    assert "must be at least 3m, not '179s'" in capsys.readouterr().err


def test_without_a_way_to_the_api_server_it_ends_and_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--namespace", "n", "--kubeconfig", "/nowhere"]) == 2
    assert '"event": "cannot start", "problem": "no way to the API server: ' in capsys.readouterr().err
