"""Which files a path stands for."""

from pathlib import Path

import pytest

from webhook.lint.sources import Missing, find_sources


def _tree(root: Path, *names: str) -> None:
    for name in names:
        file = root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("a: 1\n", encoding="utf-8")


def _found(root: Path, *paths: str, exclude: tuple[str, ...] = ()) -> list[str]:
    sources = find_sources([str(root / path) for path in paths or ("",)], exclude)
    return [Path(source if isinstance(source, str) else f"missing:{source.name}").relative_to(root).as_posix() for source in sources]


def test_a_folder_is_walked_in_order(tmp_path: Path) -> None:
    _tree(tmp_path, "b.yaml", "a.yml", "sub/c.json", "sub/d.txt", "z.yaml")
    assert _found(tmp_path) == ["a.yml", "b.yaml", "sub/c.json", "z.yaml"]


def test_hidden_entries_are_left_out(tmp_path: Path) -> None:
    _tree(tmp_path, ".a.yaml", ".github/b.yaml", "c.yaml")
    assert _found(tmp_path) == ["c.yaml"]


def test_a_file_that_is_named_is_taken_whatever_it_is(tmp_path: Path) -> None:
    _tree(tmp_path, ".a.txt")
    assert _found(tmp_path, ".a.txt") == [".a.txt"]


def test_nothing_is_taken_twice(tmp_path: Path) -> None:
    _tree(tmp_path, "a.yaml", "b.yaml")
    assert _found(tmp_path, "b.yaml", "", "./a.yaml") == ["b.yaml", "a.yaml"]


def test_a_link_to_a_folder_cannot_loop(tmp_path: Path) -> None:
    _tree(tmp_path, "a.yaml")
    (tmp_path / "loop").symlink_to(tmp_path, target_is_directory=True)
    assert _found(tmp_path) == ["a.yaml"]


def test_a_link_to_a_file_is_followed(tmp_path: Path) -> None:
    _tree(tmp_path, "real/a.txt")
    (tmp_path / "b.yaml").symlink_to(tmp_path / "real/a.txt")
    assert _found(tmp_path) == ["b.yaml"]


@pytest.mark.parametrize(
    ("ignore", "found"),
    [
        ("build/\n", ["a.yaml", "sub/b.yaml"]),
        ("*.yaml\n!a.yaml\n", ["a.yaml"]),
        ("/a.yaml\n", ["build/c.yaml", "sub/b.yaml"]),
        ("# nothing\n", ["a.yaml", "build/c.yaml", "sub/b.yaml"]),
    ],
    ids=["a folder", "all but one", "anchored", "a comment"],
)
def test_gitignore_is_honoured(tmp_path: Path, ignore: str, found: list[str]) -> None:
    _tree(tmp_path, "a.yaml", "build/c.yaml", "sub/b.yaml")
    (tmp_path / ".gitignore").write_text(ignore, encoding="utf-8")
    assert _found(tmp_path) == found


def test_an_inner_gitignore_decides_over_an_outer_one(tmp_path: Path) -> None:
    _tree(tmp_path, "sub/a.yaml", "sub/b.yaml", "c.yaml")
    (tmp_path / ".gitignore").write_text("a.yaml\nc.yaml\n", encoding="utf-8")
    (tmp_path / "sub/.gitignore").write_text("!a.yaml\nb.yaml\n", encoding="utf-8")
    assert _found(tmp_path) == ["sub/a.yaml"]


def test_the_gitignore_of_the_repository_above_counts(tmp_path: Path) -> None:
    _tree(tmp_path, "deploy/a.yaml", "deploy/secret.yaml")
    (tmp_path / ".git").mkdir()
    (tmp_path / ".gitignore").write_text("secret.yaml\n", encoding="utf-8")
    assert _found(tmp_path, "deploy") == ["deploy/a.yaml"]


@pytest.mark.parametrize(
    ("exclude", "found"),
    [(("sub",), ["a.yaml", "other/sub.yaml"]), (("*.yaml", "!a.yaml"), ["a.yaml"]), (("sub/*.json", "other/"), ["a.yaml", "sub/b.yaml"])],
    ids=["a folder", "taken back", "two patterns"],
)
def test_exclude_takes_the_same_patterns(tmp_path: Path, exclude: tuple[str, ...], found: list[str]) -> None:
    _tree(tmp_path, "a.yaml", "sub/b.yaml", "other/sub.yaml")
    assert _found(tmp_path, exclude=exclude) == found


def test_what_does_not_exist_is_missing(tmp_path: Path) -> None:
    assert list(find_sources([str(tmp_path / "no")])) == [Missing(str(tmp_path / "no"), "no such file or folder")]


def test_standard_input_is_a_dash() -> None:
    assert list(find_sources(["-", "-"])) == ["-"]
