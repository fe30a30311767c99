"""Which series there are, that their number is bounded, and that Prometheus can read them."""

import json
import re

from prometheus_client import generate_latest
from prometheus_client.parser import text_string_to_metric_families

from tests.server.process import review_bytes
from tests.server.samples import desk_with
from webhook.server.metrics import FAMILIES, Counters, Histogram, registry_of


def _page(counters: Counters) -> str:
    return generate_latest(registry_of(counters)).decode()


def test_every_family_is_shown_even_before_anything_happened() -> None:
    shown = {family.name: family for family in text_string_to_metric_families(_page(Counters("1.2.3")))}
    for family in FAMILIES:
        assert (shown[family.name].type, shown[family.name].documentation) == (family.kind, family.about)


def test_names_follow_the_rules_of_prometheus() -> None:
    for family in FAMILIES:
        assert re.fullmatch(r"percard_[a-z_]+", family.name)
        assert not family.name.endswith("_total")
        if family.kind == "histogram":
            assert family.name.endswith(("_seconds", "_bytes"))


def test_the_process_is_shown() -> None:
    assert "process_resident_memory_bytes" in _page(Counters("1.2.3"))


def test_a_value_at_a_bound_is_in_its_bucket() -> None:
    histogram = Histogram((1.0, 2.0))
    for value in (0.5, 1.0, 1.5, 2.0, 3.0):
        histogram.observe(value)
    assert histogram.buckets() == [("1.0", 2.0), ("2.0", 4.0), ("+Inf", 5.0)]
    assert histogram.total == 8.0


def test_the_number_of_series_does_not_depend_on_what_is_asked() -> None:
    desk, counters, _ = desk_with()
    recorded = json.loads(review_bytes("pod-create-uneven-split"))

    def ask(number: int) -> None:
        request = recorded["request"] | {"uid": f"uid-{number}", "namespace": f"ns-{number}", "name": f"pod-{number}"}
        for operation in ("CREATE", f"OP{number}"):
            desk.answer("validate", json.dumps(recorded | {"request": request | {"operation": operation}}).encode())

    ask(0)
    before = _page(counters).count("\n")
    for number in range(1, 2500):
        ask(number)
    assert _page(counters).count("\n") == before
