"""What is generated is up to date, and what it is generated from is not forgotten."""

import dataclasses
from pathlib import Path
from typing import Any

import pytest

from tests.manifests import shipped
from tools import cel, custom_resources, manifests, match_conditions
from webhook import build_engine
from webhook.core.walk import BUILT_IN, pods_in
from webhook.settings import DialectSettings, Settings

DIALECTS = build_engine().dialects
TEMPLATE = {"spec": {"containers": [{"name": "app", "image": "registry.example/app:1"}]}}
CONDITIONS = (match_conditions.pods, match_conditions.built_in_kinds, match_conditions.custom_kinds)


def _nested(path: str, leaf: Any) -> Any:
    """Return an object that holds the leaf at a path, once behind a wildcard."""
    for step in reversed(cel.path_steps(path)):
        leaf = [leaf] if step == cel.EACH_ITEM else {"any" if step == cel.EACH_VALUE else step: leaf}
    return leaf


@pytest.mark.parametrize(
    ("file", "right"), [pytest.param(*pair, id=str(pair[0].relative_to(manifests.MANIFESTS))) for pair in manifests.webhooks()]
)
def test_a_webhook_configuration_is_what_the_dialects_make_of_it(file: Path, right: str) -> None:
    assert file.read_text(encoding="utf-8") == right


def test_the_one_file_is_the_base_as_it_is_rendered() -> None:
    text = manifests.INSTALL.read_text(encoding="utf-8")
    head, _, body = text.partition("---\n")
    assert all(line.startswith("#") for line in head.splitlines())
    assert body == shipped.rendered_folder(manifests.MANIFESTS / "base")


def test_the_overlay_that_people_are_told_to_apply_is_the_base() -> None:
    folder = manifests.MANIFESTS / "overlays" / "self-signed"
    assert shipped.rendered_folder(folder) == shipped.rendered_folder(manifests.MANIFESTS / "base")


@pytest.mark.parametrize("condition", CONDITIONS, ids=lambda condition: condition.__name__)
def test_a_new_dialect_s_marks_are_in_every_condition(condition: Any) -> None:
    new = dataclasses.replace(
        DIALECTS[0],
        resources={"memory": "new.example/memory", "core": "family.example/share-core"},
        families=("family.example/share-",),
        foreign_keys=("family.example/share-of-others",),
        count_key="new.example/cards",
        placement_key="new-placement",
    )
    text = condition(match_conditions.marks_of([*DIALECTS, new]))
    assert "'new.example/cards', 'new.example/memory'" in text
    assert "key.startsWith('family.example/share-')" in text
    assert "'family.example/share-of-others'" in text
    assert "'new-placement'" in text
    assert "family.example/share-core" not in text


def test_a_key_that_one_dialect_calls_foreign_and_another_owns_is_a_mark() -> None:
    other = dataclasses.replace(DIALECTS[0], resources={"memory": "volcano.sh/gpu-memory"}, families=(), foreign_keys=())
    marks = match_conditions.marks_of([*DIALECTS, other])
    assert "volcano.sh/gpu-memory" not in marks.strangers
    assert "volcano.sh/gpu-number" in marks.strangers


def test_every_mark_of_the_engine_is_one_of_the_conditions() -> None:
    marks = match_conditions.marks_of(DIALECTS)
    for dialect in DIALECTS:
        for key in dialect.marks.values():
            assert key in marks.resources or key.startswith(tuple(marks.prefixes))
            assert key not in marks.strangers
        assert dialect.pod_keys.keys() <= marks.pod_keys
        assert all(any(family.startswith(prefix) for prefix in marks.prefixes) for family in dialect.families)


def test_the_marks_of_a_dialect_that_a_site_enables_are_looked_for_with_its_settings() -> None:
    settings = Settings(dialects={"tencent": DialectSettings(enabled=True)})
    for file, text in manifests.webhooks(settings):
        assert "key.startsWith('tke.cloud.tencent.com/qgpu-')" in text
        assert "tke.cloud.tencent.com" not in file.read_text(encoding="utf-8")


def test_the_paths_of_the_built_in_kinds_are_those_of_the_engine() -> None:
    assert {".".join(map(str, path)) for path in BUILT_IN.values()} - {""} == set(match_conditions._BUILT_IN_PATHS)


@pytest.mark.parametrize(
    ("group", "path"), sorted({(carrier.group, path) for carrier in custom_resources.CARRIERS for path in carrier.paths})
)
def test_the_engine_finds_a_template_at_each_path_of_the_table(group: str, path: str) -> None:
    found = list(pods_in({"apiVersion": f"{group}/v1", "kind": "Any", **_nested(path, TEMPLATE)}))
    assert [(view.spec, view.is_template) for view in found] == [(TEMPLATE["spec"], True)]


@pytest.mark.parametrize("path", custom_resources.paths(custom_resources.ARGO_CARRIERS))
@pytest.mark.parametrize("place", ["container", "script"])
def test_the_engine_finds_argo_s_own_templates_at_each_path_of_the_table(path: str, place: str) -> None:
    template = {place: {"image": "registry.example/app:1"}}
    found = list(pods_in({"apiVersion": "argoproj.io/v1alpha1", "kind": "Any", **_nested(path, template)}))
    assert [view.containers for view in found] == [[((place,), template[place])]]


def test_a_path_goes_through_one_list_or_mapping_at_most() -> None:
    for carrier in (*custom_resources.CARRIERS, *custom_resources.ARGO_CARRIERS):
        for path in carrier.paths:
            assert path.startswith("spec.")
            assert path.count("*") <= 1


def test_a_key_that_would_need_an_escape_is_refused() -> None:
    with pytest.raises(ValueError, match="no escape"):
        cel.texts(["it's"])


def test_the_page_on_installation_lists_the_custom_resources_of_the_table() -> None:
    text = (manifests.ROOT / "docs" / "install.md").read_text(encoding="utf-8")
    for group, resources in custom_resources.rules():
        assert f"| `{group}` | {', '.join(resources)} |" in text
