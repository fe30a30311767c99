"""`make sbom`: the list of what pip puts into the image (CycloneDX), from an environment of requirements.lock alone."""

import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from tools.dist import BuildError, built

ROOT = Path(__file__).resolve().parents[1]


def main(arguments: Sequence[str]) -> int:
    """Write dist/percard.cdx.json, or the file that is named; return 0 where that went well."""
    target = Path(arguments[0]) if arguments else ROOT / "dist" / "percard.cdx.json"
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="percard-sbom-") as folder:
        try:
            describe(_environment(Path(folder)), target)
        except (BuildError, subprocess.CalledProcessError) as problem:
            print(f"sbom: {problem}", file=sys.stderr)
            return 2
    print(f"{target}: what the image's environment holds on this platform, with licences")
    return 0


def _environment(folder: Path) -> Path:
    """Make an environment as the Dockerfile does: wheels of the lock with their hashes, percard, and no pip; return its Python."""
    built(ROOT, folder / "wheels")
    python = folder / "environment" / "bin" / "python"
    pip = [sys.executable, "-m", "pip", "--python", str(python), "install", "--quiet", "--disable-pip-version-check", "--no-compile"]
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder / "environment")], check=True)
    lock = ["--require-hashes", "--only-binary", ":all:", "--requirement", str(ROOT / "requirements.lock")]
    subprocess.run([*pip, *lock], check=True)
    subprocess.run([*pip, "--no-index", "--no-deps", "--find-links", str(folder / "wheels"), "percard"], check=True)
    return python


def describe(python: Path, target: Path) -> None:
    """Write what the environment of a Python holds; the same holding gives the same file."""
    program = Path(sys.executable).with_name("cyclonedx-py")
    options = ["--output-reproducible", "--pyproject", str(ROOT / "pyproject.toml"), "--output-file", str(target)]
    subprocess.run([program, "environment", *options, str(python)], check=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
