"""Writes the manifests that are generated; with --check, says which are out of date.

A site whose settings enable further dialects gives them with --config: the webhook configurations then look for their marks too.
"""

import argparse
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from tools import match_conditions, policy_manifests, webhook_configurations
from tools.match_conditions import Marks
from webhook import build_engine
from webhook.settings import Settings, Sources, load

ROOT = Path(__file__).resolve().parent.parent
MANIFESTS = ROOT / "manifests"
INSTALL = MANIFESTS / "install.yaml"
_INSTALL_HEAD = """\
# Everything that manifests/overlays/self-signed installs, in one file: kubectl apply -f install.yaml
# Rendered by `.venv/bin/python -m tools.manifests`; the reasons stand in manifests/base.
---
"""
_WEBHOOKS: dict[str, Callable[[Marks], str]] = {
    "base/webhooks/mutating.yaml": webhook_configurations.mutating,
    "base/webhooks/validating.yaml": webhook_configurations.validating,
    "overlays/audit-first/validating.yaml": webhook_configurations.auditing,
}


def webhooks(settings: Settings | None = None) -> Iterable[tuple[Path, str]]:
    """Yield each webhook configuration's file and its right text, for the dialects that the settings enable."""
    marks = match_conditions.marks_of(build_engine(settings).dialects)
    for name, render in _WEBHOOKS.items():
        yield MANIFESTS / name, render(marks)


def rendered(folder: Path) -> str | None:
    """Return what `kubectl kustomize` makes of a folder, None where there is no kubectl."""
    kubectl = shutil.which("kubectl")
    if kubectl is None:
        print("kubectl is not here: install.yaml, which it renders, is left as it is", file=sys.stderr)
        return None
    return subprocess.run([kubectl, "kustomize", folder], capture_output=True, text=True, check=True).stdout


def install() -> Iterable[tuple[Path, str]]:
    """Yield install.yaml and its right text, from the files as they are."""
    text = rendered(MANIFESTS / "overlays" / "self-signed")
    if text is not None:
        yield INSTALL, _INSTALL_HEAD + text


def _write(file: Path, right: str) -> None:
    if not file.exists() or file.read_text(encoding="utf-8") != right:
        file.write_text(right, encoding="utf-8")
        print(f"written: {file.relative_to(ROOT)}")


def write(settings: Settings | None = None) -> int:
    """Bring every generated manifest up to date."""
    for file, right in (*webhooks(settings), *policy_manifests.texts(MANIFESTS, settings)):
        _write(file, right)
    for file, right in install():
        _write(file, right)
    return 0


def check() -> int:
    """Name what is out of date; return 1 if anything is."""
    pairs = [*webhooks(), *policy_manifests.texts(MANIFESTS), *install()]
    old = [file for file, right in pairs if not file.exists() or file.read_text(encoding="utf-8") != right]
    for file in old:
        print(f"out of date: {file.relative_to(ROOT)}; run: .venv/bin/python -m tools.manifests")
    return 1 if old else 0


def main(arguments: Sequence[str]) -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(prog="python -m tools.manifests", description=__doc__)
    parser.add_argument("--check", action="store_true", help="change nothing; exit 1 where a manifest is out of date")
    parser.add_argument("--config", type=Path, metavar="FILE", help="settings of the site [percard's defaults]")
    options = parser.parse_args(arguments)
    if options.check:
        return check()
    return write(load(Sources(options.config, environ={})).settings if options.config else None)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
