"""A settings file is one YAML mapping; each value knows its line."""

from pathlib import Path

import pytest

from webhook.settings.document import read_document
from webhook.settings.problems import SettingsError


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "percard.yaml"


def test_values_come_with_path_type_and_line(file: Path) -> None:
    file.write_text("workloads: off\nserve:\n  port: 9443\n  host: '9'\n  api: false\nwhole_card_keys: [a/b, \"1\"]\n")
    entries, problems = read_document(file)
    assert problems == []
    assert [(entry.path, entry.value, entry.origin) for entry in entries] == [
        (("workloads",), "off", f"{file}, line 1"),
        (("serve", "port"), 9443, f"{file}, line 3"),
        (("serve", "host"), "9", f"{file}, line 4"),
        (("serve", "api"), False, f"{file}, line 5"),
        (("whole_card_keys",), ["a/b", "1"], f"{file}, line 6"),
    ]


def test_json_is_read_as_the_yaml_that_it_is(file: Path) -> None:
    file.write_text('{"serve": {"port": 9443, "names": ["a"]}}')
    entries, _ = read_document(file)
    assert [(entry.path, entry.value) for entry in entries] == [(("serve", "port"), 9443), (("serve", "names"), ["a"])]


@pytest.mark.parametrize("text", ["", "# nothing yet\n", "---\n", "~", "{}"])
def test_an_empty_file_sets_nothing(file: Path, text: str) -> None:
    file.write_text(text)
    assert read_document(file) == ([], [])


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_a_byte_order_mark_is_understood(file: Path, encoding: str) -> None:
    file.write_text("workloads: warning\n", encoding=encoding)
    entries, _ = read_document(file)
    assert [entry.value for entry in entries] == ["warning"]


def test_an_empty_section_is_an_entry_without_a_value(file: Path) -> None:
    file.write_text("serve:\nlog: {}\n")
    entries, _ = read_document(file)
    assert [(entry.path, entry.value) for entry in entries] == [(("serve",), None), (("log",), None)]


def test_a_key_given_twice_is_a_problem_with_its_path(file: Path) -> None:
    file.write_text("serve:\n  port: 1\n  port: 2\n")
    _, problems = read_document(file)
    assert list(map(str, problems)) == [f"serve.port: must not be given twice ({file}, line 3)"]


def test_a_tag_is_a_problem_with_its_path(file: Path) -> None:
    file.write_text("serve:\n  host: !!python/name:os.system x\n  port: !!int '3'\n")
    entries, problems = read_document(file)
    assert entries == []
    assert list(map(str, problems)) == [
        f"serve.host: must have no tag 'tag:yaml.org,2002:python/name:os.system' ({file}, line 2)",
        f"serve.port: must have no tag 'tag:yaml.org,2002:int' ({file}, line 3)",
    ]


def test_a_mapping_that_contains_itself_ends(file: Path) -> None:
    file.write_text("serve: &self\n  log: *self\nlist: &list [*list]\n")
    entries, problems = read_document(file)
    assert problems == []
    assert [(entry.path, entry.value) for entry in entries] == [(("serve", "log", "log", "log"), {}), (("list",), [{}])]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"- a\n", "the settings file must be a mapping"),
        (b"text\n", "the settings file must be a mapping"),
        (b"a: [\n", "the settings file is no YAML: expected the node content, but found '<stream end>' in line 2, column 1"),
        (b"a: 1\n---\nb: 2\n", "the settings file is no YAML: but found another document in line 2, column 1"),
        (b"a: \xff\n", "the settings file is no YAML: invalid start byte"),
        (b"[" * 5000, "the settings file is no YAML: it nests too deeply"),
        (b"a: \x01\n", "the settings file is no YAML: special characters are not allowed"),
    ],
)
def test_what_is_no_yaml_mapping_is_refused_with_the_file(file: Path, content: bytes, message: str) -> None:
    file.write_bytes(content)
    with pytest.raises(SettingsError) as refused:
        read_document(file)
    assert str(refused.value) == f"{message} ({file})"


def test_a_missing_file_is_refused_with_its_name(file: Path) -> None:
    with pytest.raises(SettingsError) as refused:
        read_document(file)
    assert str(refused.value) == f"the settings file cannot be read: No such file or directory ({file})"


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(SettingsError) as refused:
        read_document(tmp_path)
    assert str(refused.value) == f"the settings file cannot be read: Is a directory ({tmp_path})"
