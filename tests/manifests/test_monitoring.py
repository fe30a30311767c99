"""Alerts and dashboard ask only for series that the server has, by labels that they have."""

import json
import re
from collections.abc import Iterator

import pytest

from tests.manifests import shipped
from tools.manifests import MANIFESTS
from webhook.server.metrics import COUNTERS, GAUGES, HISTOGRAMS

FOLDER = MANIFESTS / "monitoring"
SERIES = {f"{family.name}_total": {*family.labels} for family in COUNTERS}
SERIES |= {family.name: {*family.labels} for family in GAUGES}
SERIES |= {f"{family.name}_bucket": {*family.labels, "le"} for family in HISTOGRAMS}
# Set by Prometheus for every pod that it finds.
SERIES = {name: labels | {"pod"} for name, labels in SERIES.items()}
_NAME = re.compile(r"\bpercard_\w+")
_LABELS = re.compile(r"by \(([^)]*)\)|\{([^}]*)\}")


def _alerts() -> Iterator[tuple[str, str]]:
    for group in shipped.read("monitoring/alerts.yaml")["spec"]["groups"]:
        for rule in group["rules"]:
            yield rule["alert"], rule["expr"]


def _panels() -> Iterator[tuple[str, str]]:
    for panel in json.loads((FOLDER / "dashboard.json").read_text(encoding="utf-8"))["panels"]:
        for target in panel["targets"]:
            yield panel["title"], target["expr"]


@pytest.mark.parametrize(("name", "expression"), [*_alerts(), *_panels()])
def test_an_expression_asks_for_series_and_labels_that_exist(name: str, expression: str) -> None:
    names = _NAME.findall(expression)
    assert names, name
    assert set(names) <= SERIES.keys()
    labels = set()
    for grouped, matched in _LABELS.findall(expression):
        labels |= {label.strip() for label in grouped.split(",") if label.strip()}
        labels |= {re.split(r"[=!]", matcher.strip())[0] for matcher in matched.split(",") if matcher.strip()}
    assert labels <= set().union(*(SERIES[found] for found in names))


def test_every_counter_and_gauge_is_on_the_dashboard() -> None:
    shown = {found for _, expression in _panels() for found in _NAME.findall(expression)}
    assert SERIES.keys() == shown


def test_each_alert_says_what_to_do() -> None:
    for group in shipped.read("monitoring/alerts.yaml")["spec"]["groups"]:
        for rule in group["rules"]:
            assert rule["annotations"].keys() == {"summary", "description"}
            assert rule["labels"]["severity"] in {"critical", "warning", "info"}


def test_the_certificate_is_alarmed_about_after_its_renewal_is_due_and_before_it_ends() -> None:
    # 30 days of life, two thirds of it over after 20: 10 days are left where the renewal works.
    (expression,) = (text for name, text in _alerts() if name == "PercardCertificateNotRenewed")
    match = re.search(r"< (\d+) \* 86400", expression)
    assert match
    assert 1 < int(match[1]) < 10


def test_the_dashboard_is_rendered_into_a_config_map_that_the_sidecar_finds() -> None:
    objects = shipped.documents(shipped.rendered_folder(FOLDER))
    dashboard = shipped.of_kind(objects, "ConfigMap", "percard-dashboard")
    assert dashboard["metadata"]["labels"] == {"grafana_dashboard": "1"}
    assert json.loads(dashboard["data"]["percard.json"])["uid"] == "percard"
