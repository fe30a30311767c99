"""Examples through kubectl, as pods and as every kind of object that makes pods."""

import re
from pathlib import Path

import pytest

from tests.e2e import examples
from tests.e2e.kubectl import Answer, Kubectl

_GOOD, _BAD = examples.good_files(), examples.bad_files()


def _id(file: Path) -> str:
    return f"{file.parent.name}-{file.stem}"


def _told(file: Path) -> list[tuple[str, str]]:
    """Return field and text of each error that the comment of a bad example promises."""
    comment = "\n".join(line.removeprefix("#").strip() for line in file.read_text(encoding="utf-8").splitlines() if line.startswith("#"))
    blocks = re.findall(r"^error: (\S+)\n(.*?\[[a-z-]+\])$", comment, re.DOTALL | re.MULTILINE)
    return [(field, " ".join(text.split())) for field, text in blocks]


@pytest.mark.parametrize("kind", examples.KINDS)
@pytest.mark.parametrize("file", _GOOD, ids=_id)
def test_a_good_example_is_taken_as_any_kind_and_applying_it_again_changes_nothing(
    file: Path, kind: str, kubectl: Kubectl, namespace: str
) -> None:
    obj = examples.as_kind(kind, "example", examples.template_of(examples.read(file)))
    for flags in (["--dry-run=server"], []):
        answer = kubectl.apply(obj, "-n", namespace, *flags)
        assert (answer.code, answer.err) == (0, "")
    assert kubectl.run("diff", "-n", namespace, "-f", "-", given=obj) == Answer(0, "", "")
    assert kubectl.apply(obj, "-n", namespace).code == 0
    assert kubectl.run("diff", "-n", namespace, "-f", "-", given=obj) == Answer(0, "", "")


@pytest.mark.parametrize("file", _BAD, ids=_id)
def test_a_bad_example_is_refused_with_the_words_of_its_comment(file: Path, kubectl: Kubectl, namespace: str) -> None:
    text = file.read_text(encoding="utf-8").replace("namespace: default", f"namespace: {namespace}")
    told = _told(file)
    assert told
    for flags in (["--dry-run=server"], []):
        answer = kubectl.apply(text, "-n", namespace, *flags)
        assert answer.code == 1
        seen = " ".join(answer.err.split())
        for field, message in told:
            assert f"{field}: percard: {message}" in seen
    assert kubectl.items(examples.read(file)["kind"], "-n", namespace) == []


@pytest.mark.parametrize("kind", examples.KINDS)
def test_a_mistake_is_refused_with_the_path_of_the_kind(kind: str, kubectl: Kubectl, namespace: str) -> None:
    template = examples.template_of(examples.read(examples.FOLDER / "huawei" / "uneven-memory.yaml"))
    answer = kubectl.apply(examples.as_kind(kind, "example", template), "-n", namespace)
    path = f"{examples.template_path(kind)}spec.containers[0].resources.limits[volcano.sh/gpu-mem.128Mi]"
    assert answer.code == 1
    assert f"{path}: percard: container 'worker': '64' is 8192 MiB over 3 cards, 2730 2/3 MiB each" in answer.err
    assert "[memory-step]" in answer.err
