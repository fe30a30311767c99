"""What `percard doctor` expects of an installation: what the settings in force say."""

from tools.match_conditions import marks_of
from webhook import build_engine, load_settings
from webhook.cli.commands.doctor import expected_of

SETTINGS = {"annotation_prefix": "gpu.example", "dialects.hami.enabled": True, "dialects.kai.enabled": True}


def test_a_patched_pod_carries_the_annotation_of_the_settings() -> None:
    engine = build_engine(load_settings(None, {}, SETTINGS))
    assert expected_of(engine, "gpu-admission").annotation == "gpu.example/limits"
    assert expected_of(build_engine(), "percard-system").annotation == "percard.webhook/limits"


def test_the_conditions_name_what_the_generated_ones_do() -> None:
    engine = build_engine(load_settings(None, {}, SETTINGS))
    marks = marks_of(engine.dialects)
    assert set(expected_of(engine, "n").marks) == marks.prefixes | marks.resources | marks.pod_keys
