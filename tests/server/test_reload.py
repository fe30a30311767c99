"""Settings that change under a running server."""

import json
from pathlib import Path

from tests.server.process import Server, review_bytes


def test_settings_are_read_again_and_a_mistake_keeps_those_before(tmp_path: Path) -> None:
    settings = tmp_path / "percard.yaml"
    settings.write_text("workloads: error\n")
    body = review_bytes("statefulset-create-uneven")
    with Server(tmp_path, "--self-signed", "--config", str(settings)) as server:
        server.wait_for("serving")

        def allowed() -> bool:
            return bool(json.loads(server.call("/validate", body)[1])["response"]["allowed"])

        assert not allowed()
        settings.write_text("workloads: warning\n")
        revision = server.wait_for("settings in force")["revision"]
        assert allowed()
        assert server.metric(f'percard_settings_info{{revision="{revision}"}}') == 1
        settings.write_text("workloads: sometimes\n")
        problems = server.wait_for("settings not usable")["problems"]
        assert "workloads" in problems[0]
        assert allowed()
        settings.write_text("workloads: 'off'\n")
        server.wait_for("settings in force", 2)
        assert server.metric('percard_reloads_total{result="failed",what="settings"}') == 1
        assert server.metric('percard_reloads_total{result="ok",what="settings"}') == 2
