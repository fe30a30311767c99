"""`make dist`: the wheel and the archive of the sources, built a second time from that archive and compared."""

import hashlib
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SUMS = "SHA256SUMS"


class BuildError(Exception):
    """The packages could not be built; the text is what the builder said."""


def main(arguments: Sequence[str]) -> int:
    """Build into dist/, or into the folder that is named; return 0 where both builds are the same byte by byte."""
    target = Path(arguments[0]) if arguments else ROOT / "dist"
    shutil.rmtree(target, ignore_errors=True)
    try:
        first = built(ROOT, target)
        second = _built_again(target)
    except BuildError as problem:
        print(f"dist: {problem}", file=sys.stderr)
        return 2
    differing = sorted(name for name in first.keys() | second.keys() if first.get(name) != second.get(name))
    if differing:
        print(f"dist: built from its own archive in another folder, this differs: {', '.join(differing)}", file=sys.stderr)
        return 1
    lines = "".join(f"{digest}  {name}\n" for name, digest in sorted(first.items()))
    (target / SUMS).write_text(lines, encoding="ascii")
    print(f"{lines}the same from {ROOT} and from the archive")
    return 0


def built(source: Path, target: Path) -> dict[str, str]:
    """Build what the sources in a folder make; return file name → SHA-256. Raises `BuildError`."""
    command = [sys.executable, "-m", "hatchling", "build", "-d", str(target)]
    answer = subprocess.run(command, cwd=source, capture_output=True, text=True, check=False)
    if answer.returncode:
        raise BuildError(answer.stderr.strip())
    return {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in target.iterdir()}


def _built_again(target: Path) -> dict[str, str]:
    with tempfile.TemporaryDirectory(prefix="percard-dist-") as folder:
        with tarfile.open(next(target.glob("*.tar.gz"))) as archive:
            archive.extractall(folder, filter="data")
        return built(next(Path(folder).iterdir()), Path(folder, "dist"))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
