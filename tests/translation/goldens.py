"""The golden translations: a folder for each dialect, a manifest and what becomes of it side by side."""

from dataclasses import dataclass
from pathlib import Path

from webhook import Engine
from webhook.core.conversion import Converter
from webhook.lint.converted import Files
from webhook.lint.report import Unreadable

GOLDEN = Path(__file__).parent / "golden"
# What a dialect's own manifests are translated into.
_COMMON = "hami"
_OTHER = "volcano_vgpu"


@dataclass(frozen=True)
class Golden:
    """A manifest `from-….yaml` that is written in the folder's dialect, or `to-….yaml` that is read in it."""

    file: Path

    @property
    def name(self) -> str:
        return f"{self.dialect}/{self.file.name}"

    @property
    def dialect(self) -> str:
        return self.file.parent.name

    @property
    def target(self) -> str:
        if self.file.name.startswith("from-"):
            return self.dialect
        return _OTHER if self.dialect == _COMMON else _COMMON

    @property
    def expected(self) -> Path:
        return self.file.with_suffix(".expect.txt")


def goldens(folder: Path) -> list[Golden]:
    """Return the golden manifests below a folder."""
    return [Golden(file) for file in sorted(folder.rglob("*.yaml"))]


def converted(engine: Engine, golden: Golden) -> str:
    """Return what is told, a line each, and below it what is printed; what a target cannot say is left out."""
    target = next(dialect for dialect in engine.dialects if dialect.id == golden.target)
    files = Files(Converter(engine, target, allow_loss=True))
    told = []
    for found in files.translate([str(golden.file)]):
        assert not isinstance(found, Unreadable), found
        told += [finding.text for finding in found[1].findings]
        told += [f"{remark.outcome}: {remark.text}" for _, remark in found[1].told]
    return "".join(f"# {line}\n" for line in told) + files.as_yaml()
