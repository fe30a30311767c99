"""Variables become settings; those that Kubernetes sets for Services do not."""

import pytest

from webhook.settings.entries import Entry
from webhook.settings.environment import environment_entries, variable_name


def test_two_underscores_nest_and_one_is_part_of_the_name() -> None:
    assert list(environment_entries({"PERCARD_SERVE__OPS_PORT": "9090"})) == [
        Entry(("serve", "ops_port"), "9090", "variable PERCARD_SERVE__OPS_PORT", is_text=True)
    ]


@pytest.mark.parametrize("name", ["PATH", "percard_workloads", "XPERCARD_WORKLOADS", "_PERCARD_COMPLETE", "PERCARD"])
def test_variables_of_others_are_left_alone(name: str) -> None:
    assert list(environment_entries({name: "x"})) == []


def test_the_variable_that_names_the_file_is_no_setting() -> None:
    assert list(environment_entries({"PERCARD_CONFIG": "/etc/percard.yaml"})) == []


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("PERCARD_SERVICE_HOST", "10.0.0.7"),
        ("PERCARD_SERVICE_PORT", "443"),
        ("PERCARD_SERVICE_PORT_HTTPS", "443"),
        ("PERCARD_PORT", "tcp://10.0.0.7:443"),
        ("PERCARD_PORT", "udp://10.0.0.7:443"),
        ("PERCARD_PORT_443_TCP", "tcp://10.0.0.7:443"),
        ("PERCARD_PORT_443_TCP_PROTO", "tcp"),
        ("PERCARD_PORT_443_TCP_PORT", "443"),
        ("PERCARD_PORT_443_TCP_ADDR", "10.0.0.7"),
        ("PERCARD_PORT_53_UDP_ADDR", "10.0.0.7"),
        ("PERCARD_WEBHOOK_SERVICE_HOST", "10.0.0.8"),
        ("PERCARD_WEBHOOK_SERVICE_PORT", "443"),
        ("PERCARD_WEBHOOK_PORT", "tcp://10.0.0.8:443"),
        ("PERCARD_WEBHOOK_PORT_443_TCP_ADDR", "10.0.0.8"),
    ],
)
def test_what_kubernetes_sets_for_a_service_is_ignored(name: str, text: str) -> None:
    assert list(environment_entries({name: text})) == []


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("PERCARD_PORT", "8443"),
        ("PERCARD_SERVE_PORT", "8443"),
        ("PERCARD_SERVE__PORT", "8443"),
        ("PERCARD_PORTS", "tcp://10.0.0.7:443"),
        ("PERCARD_SERVICE", "10.0.0.7"),
        ("PERCARD_PORT_HTTPS_TCP", "tcp://10.0.0.7:443"),
    ],
)
def test_what_only_resembles_a_service_variable_is_kept(name: str, text: str) -> None:
    assert [entry.value for entry in environment_entries({name: text})] == [text]


def test_the_name_of_a_variable_leads_back_to_its_setting() -> None:
    path = ("dialects", "huawei", "memory_step_mib")
    assert [entry.path for entry in environment_entries({variable_name(path): "256"})] == [path]
