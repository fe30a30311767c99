"""A report to render: an error, a warning in a hostile name, and an unreadable file."""

from pathlib import Path

import pytest

from tests.lint.manifests import bad_pod, good_pod
from tests.lint.rendering import ENGINE
from webhook.lint.report import Report
from webhook.lint.run import Checker

HOSTILE = 'a<b>&\\"]]>\\u001b[31m %0A::error::x|`#\\u202e'


@pytest.fixture
def report(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Report:
    """Return a report on an error, a warning in a hostile name, and an unreadable file."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a b.yaml").write_text(bad_pod(), encoding="utf-8")
    named = good_pod().replace("name: app", f'name: "{HOSTILE}"\n      securityContext: {{privileged: true}}')
    (tmp_path / "ü.yaml").write_text(named, encoding="utf-8")
    (tmp_path / "broken.yaml").write_text("volcano.sh/gpu-num: [\n", encoding="utf-8")
    return Checker(ENGINE).check(["a b.yaml", "ü.yaml", "broken.yaml"])
