"""How findings are cut to what the API server, controllers and kubectl pass on."""

import pytest

from tests.admission.samples import finding
from webhook.admission.texts import cause_message, denial_message, warning_texts

LONG = finding(message="x" * 400)
VERY_LONG = finding(message="é" * 2000)


def test_a_message_names_container_and_field_first() -> None:
    assert denial_message([finding()]).startswith(
        "percard: container 'app', spec.containers[0].resources.limits[volcano.sh/gpu-mem.128Mi]: '63'"
    )


def test_a_finding_about_the_pod_starts_with_the_field() -> None:
    assert denial_message([finding(container=None)]).startswith("percard: spec.containers[0]")


def test_a_message_holds_all_errors_that_fit() -> None:
    message = denial_message([finding("core-step"), finding("memory-step")])
    assert "[core-step] | container 'app'" in message
    assert message.endswith("[memory-step]")


def test_a_message_counts_the_errors_that_do_not_fit() -> None:
    assert denial_message([LONG] * 9).endswith("[memory-step] | and 8 more")


@pytest.mark.parametrize("count", [1, 2, 3, 50, 5000])
@pytest.mark.parametrize("one", [finding(), LONG, VERY_LONG], ids=["short", "long", "very long"])
def test_a_message_fits_into_an_event(one: object, count: int) -> None:
    message = denial_message([one] * count)  # type: ignore[list-item]
    assert len(message.encode()) <= 920
    assert "[memory-step]" in message


def test_a_warning_is_passed_on_as_the_finding_says_it() -> None:
    assert warning_texts([finding()]) == ["percard: container 'app': '63' must be a multiple; write '64' [memory-step]"]


def test_a_long_warning_is_cut_before_its_check_id() -> None:
    [text] = warning_texts([LONG])
    assert len(text) == 256
    assert text.endswith("xx… [memory-step]")


@pytest.mark.parametrize("count", [16, 100, 3000])
def test_warnings_stay_within_what_the_api_server_keeps(count: int) -> None:
    texts = warning_texts([LONG] * count)
    assert sum(map(len, texts)) < 4096
    assert max(map(len, texts)) <= 256
    assert texts[-1] == f"percard: and {count - 14} more [memory-step]"


def test_the_checks_of_warnings_that_do_not_fit_are_named() -> None:
    assert warning_texts([LONG] * 15 + [finding("a"), finding("b"), finding("a")])[-1] == "percard: and 4 more [memory-step, a, b]"
    assert len(warning_texts([LONG] * 14 + [finding(f"check-{number}") for number in range(99)])[-1]) <= 256


def test_a_short_warning_still_fits_beside_long_ones() -> None:
    assert warning_texts([LONG] * 14 + [finding("a")])[-1].endswith("[a]")


def test_no_control_character_gets_through() -> None:
    bad = finding(message="a\nb\x00c\x1b[31m\x7f\x85d")
    for text in (cause_message(bad), denial_message([bad]), *warning_texts([bad])):
        assert text.isprintable()
