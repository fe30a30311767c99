"""Every fault of others that was collected is a test named by its id, a test of another name, or stands in docs/limits.md."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
NUMBERS = {
    "A": "01 04 05 06 07 09 10 13 14 15 17 19 22 25 26 28 30",
    "B": "01 03 06 07 08 10 12 13 14 15 17 18 19 21 23 24 26",
    "C": "01 03 04 06 07 08 10 12 14 15 16 17",
    "D": "01 03 05 07 08 10 12 14 15 16 18",
    "E": "01 02 03 04 06 08 10 11 13 14 16",
    "F": "01 02 03 04 05 07 08 09 10 11 12 14 15 18 19",
    "G": "01 02 03 05 06 07 08 11 12",
    "H": "01 03 05 06 07 10",
}
IDS = [f"{letter}{number}" for letter, numbers in NUMBERS.items() for number in numbers.split()]
# Faults whose tests say what they are about without an id.
UNDER_OTHER_NAMES = {
    "B26": ("manifests/test_webhooks.py", "test_an_entry_calls_a_path_that_the_server_has"),
    "D08": ("server/test_bad_clients.py", "test_an_endless_body_is_cut_at_the_limit"),
    "D10": ("server/test_http.py", "test_json_is_accepted_with_parameters"),
    "D14": ("server/test_stopping.py", "test_no_call_fails_while_a_server_stops"),
    "D15": ("server/test_limits.py", "test_an_idle_connection_outlives_the_moment_at_which_others_close"),
    "D18": ("server/test_http.py", "test_what_is_refused_is_told_in_json"),
    "F01": (
        "e2e/installed/test_manifests_unanswered.py",
        "test_an_object_with_a_mark_meets_what_the_overlay_has_below_the_webhook",
    ),
    "F02": ("manifests/test_webhooks.py", "test_a_namespace_s_label_chooses_what_is_called"),
    "F03": ("manifests/test_webhooks.py", "test_an_entry_names_its_groups_and_resources_and_no_subresource"),
    "F04": ("e2e/installed/test_manifests_unanswered.py", "test_the_namespaces_that_a_cluster_starts_from_are_unaffected"),
    "F05": ("e2e/installed/test_manifests_unanswered.py", "test_the_namespaces_that_a_cluster_starts_from_are_unaffected"),
    "F10": ("manifests/test_webhooks.py", "test_an_entry_follows_good_practice"),
    "F12": ("server/test_certificates.py", "test_a_server_waits_unready_for_its_certificate_and_serves_as_soon_as_it_comes"),
    "F15": ("manifests/test_webhooks.py", "test_a_condition_asks_nothing_that_is_missing_at_run_time"),
    "G01": ("server/test_certificates.py", "test_a_renewed_certificate_is_served_while_old_connections_live_on"),
    "G02": ("server/test_credentials.py", "test_an_expired_pair_is_noticed"),
    "G03": ("certs/test_controller_decide.py", "test_an_authority_is_exchanged_in_three_phases"),
    "G05": ("manifests/test_webhooks.py", "test_an_entry_follows_good_practice"),
    "G11": ("certs/test_source.py", "test_a_leaf_is_no_authority_and_an_authority_no_server"),
    "G12": ("manifests/test_installation.py", "test_probes_and_service_use_the_ports_of_the_container_by_name"),
    "H05": ("server/test_metrics.py", "test_the_number_of_series_does_not_depend_on_what_is_asked"),
    "H07": ("server/test_certificates.py", "test_only_clients_of_the_right_authority_and_name_are_heard"),
}
HEADING = "## Faults that do not apply"
_TEST = re.compile(r"def test_((?:[a-h][0-9]{2}_)+)")


def _tested() -> set[str]:
    """Return the ids that tests are named after; one test may stand for several: `test_f04_f05_…`."""
    texts = (file.read_text(encoding="utf-8") for file in (ROOT / "tests").rglob("test_*.py"))
    return {name.upper() for text in texts for names in _TEST.findall(text) for name in names.split("_") if name}


def _excused() -> set[str]:
    text = (ROOT / "docs" / "limits.md").read_text(encoding="utf-8").partition(HEADING)[2].partition("\n## ")[0]
    rows = (line.split("|")[1] for line in text.splitlines() if line.startswith("| "))
    return {name for row in rows for name in re.findall(r"\b[A-H][0-9]{2}\b", row.partition(":")[0])}


@pytest.mark.parametrize("fault", IDS)
def test_a_fault_is_tested_or_excused(fault: str) -> None:
    assert fault in _tested() | _excused() | UNDER_OTHER_NAMES.keys()


@pytest.mark.parametrize("fault", UNDER_OTHER_NAMES)
def test_a_test_of_another_name_is_there(fault: str) -> None:
    file, name = UNDER_OTHER_NAMES[fault]
    assert f"def {name}(" in (ROOT / "tests" / file).read_text(encoding="utf-8")


def test_nothing_is_named_after_a_fault_that_is_not_known() -> None:
    assert (_tested() | _excused() | UNDER_OTHER_NAMES.keys()) - set(IDS) == set()
