"""Objects of any shape: every translation, report and explanation says something of them and raises nothing."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.support.generated import damaged
from webhook.core.conversion import Converter
from webhook.lint.document import Document, Finders, no_span
from webhook.lint.explain import as_json, as_text, explain
from webhook.lint.inputs import Input
from webhook.lint.possibilities import possibilities
from webhook.wiring import build_translator

ENGINE = build_translator()
TARGETS = list(ENGINE.targets.values())
STRANGE = {
    "apiVersion": "v1",
    "kind": "Pod",
    "metadata": [1],
    "spec": {"containers": [{"name": "a", "resources": {"limits": {"volcano.sh/gpu-mem.128Mi": 64}}}]},
}


def _input(obj: Any) -> Input:
    return Input("pod.yaml", 0, Document(obj, "", Finders(lambda: (), no_span)))


def test_a_pod_whose_metadata_are_a_list_is_in_the_report_without_a_name() -> None:
    assert {row.pod for row in possibilities(ENGINE, _input(STRANGE))} == {"Pod"}


@given(damaged(), st.sampled_from(TARGETS), st.booleans())
def test_whatever_can_be_read_is_translated_or_left_as_it_is(obj: Any, target: Any, allow_loss: Any) -> None:
    converted = Converter(ENGINE, target, allow_loss=allow_loss).convert(obj)
    assert converted.carried or converted.data is obj


@given(damaged())
def test_whatever_can_be_read_is_reported_on_and_explained(obj: Any) -> None:
    item = _input(obj)
    assert all(row.outcome for row in possibilities(ENGINE, item))
    pods = explain(ENGINE, item).pods
    assert len(as_text(pods).splitlines()) >= len(pods)
    as_json(pods)
