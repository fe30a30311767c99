"""KAI's annotations: which container they are about, and how each is read."""

from typing import Any

import pytest

from tests.translation.pods import Object, engine
from tests.translation.test_vectors import kai
from webhook.core.share import GpuShare

AT = "metadata.annotations."


def share_of(obj: Object) -> GpuShare:
    (gpu,) = engine().examine(obj).pods
    (share,) = gpu.shares
    return share


@pytest.mark.parametrize(("named", "index"), [(None, 0), ("app", 0), ("app-1", 1), ("app-2", 2), ("other", 0)])
def test_the_named_container_gets_the_cards_else_the_first(named: str | None, index: int) -> None:
    share = share_of(kai({}, {}, {}, fraction="0.5", **({} if named is None else {"fraction_container_name": named})))
    assert (share.name, share.ask.where) == (["app", "app-1", "app-2"][index], ("spec", "containers", index))


def test_a_container_without_a_name_is_not_the_named_one() -> None:
    obj = kai({}, {}, fraction="0.5")
    del obj["spec"]["containers"][1]["name"]
    assert share_of(obj).ask.where == ("spec", "containers", 0)


def test_what_is_no_text_is_no_name() -> None:
    obj = kai(fraction="0.5")
    obj["spec"]["containers"][0]["name"] = 5
    assert share_of(obj).name is None


def test_without_a_container_nobody_gets_the_cards() -> None:
    obj = kai(fraction="0.5")
    obj["spec"]["containers"] = []
    assert [gpu.shares for gpu in engine().examine(obj).pods] == []


NUMBER = "must be a whole number of MiB, 1 or more; write"
PART = "is no part of a card; must be a plain decimal number above 0 and below 1; write for example"


@pytest.mark.parametrize(
    ("annotations", "field", "start", "end"),
    [
        ({"memory": "4Gi"}, "gpu-memory", "container 'app': '4Gi' ", f'; {NUMBER} "4096" [quantity]'),
        ({"memory": 2000}, "gpu-memory", "container 'app': '2000' ", f'; {NUMBER} "1" or more, or leave the key out [quantity]'),
        ({"fraction": 0.5}, "gpu-fraction", "container 'app': '0.5' ", f'{PART} "0.5" [pod-request]'),
        (
            {"fraction": "0.5", "fraction_num_devices": "0"},
            "gpu-fraction-num-devices",
            "'0' is not a card count; must be plain digits, 1 or more; ",
            'write a number from 1 to 64, such as "2", or leave it out for one card [card-count]',
        ),
    ],
    ids=["memory with a unit", "memory that is a number", "a fraction that is a number", "no device"],
)
def test_what_cannot_be_read_is_told_at_its_annotation(annotations: dict[str, Any], field: str, start: str, end: str) -> None:
    (finding,) = engine().examine(kai(**annotations)).findings
    assert str(finding.path) == AT + field
    assert finding.text.startswith(start)
    assert finding.text.endswith(end)
