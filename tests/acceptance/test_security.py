"""SECURITY.md is true: what an answer may quote, and the bounds that it names."""

import base64
import json
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from webhook import build_engine, load_settings
from webhook.admission.handler import Handler
from webhook.admission.line import as_json, line_of
from webhook.admission.scope import ENDPOINTS, Endpoint
from webhook.server.gate import Limits

TEXT = (Path(__file__).resolve().parents[2] / "SECURITY.md").read_text(encoding="utf-8")
PRIVATE = "hunter2"
# Each of these names interests a check, or nobody.
NAMES = ("PASSWORD", "NVIDIA_VISIBLE_DEVICES", "CGPU_DISABLE", "ALIYUN_COM_GPU_MEM_IDX", "LD_PRELOAD")


def _review(limits: dict[str, str]) -> bytes:
    environment = [{"name": name, "value": PRIVATE} for name in NAMES]
    container = {"name": "app", "image": "a:1", "env": environment, "resources": {"limits": limits}}
    metadata = {"name": "a", "namespace": "default", "annotations": {"team.example/note": PRIVATE}}
    pod = {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": {"containers": [container]}}
    request = {
        "uid": "1",
        "kind": {"group": "", "version": "v1", "kind": "Pod"},
        "resource": {"group": "", "version": "v1", "resource": "pods"},
        "operation": "CREATE",
        "namespace": "default",
        "object": pod,
    }
    return json.dumps({"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": request}).encode()


@pytest.mark.parametrize("limits", [{"aliyun.com/gpu-mem": "4"}, {"aliyun.com/gpu-mem": "0"}], ids=["good", "wrong"])
@pytest.mark.parametrize("endpoint", ENDPOINTS)
def test_no_answer_and_no_line_of_the_log_tells_the_value_of_a_variable(endpoint: Endpoint, limits: dict[str, str]) -> None:
    answer = Handler(build_engine(), "1").respond(endpoint, _review(limits))
    response: dict[str, Any] = json.loads(answer.body)["response"]
    patch = base64.b64decode(response.get("patch", "")).decode()
    line = as_json(line_of(answer, "info"), 0.0)
    assert answer.findings
    assert "alibaba" in line
    assert PRIVATE not in answer.body.decode() + patch + line


def test_the_bounds_that_it_names_are_those_in_force() -> None:
    serve = load_settings(None, {}, {}).serve
    head_bytes = next(field.default for field in fields(Limits) if field.name == "head_bytes")
    assert (serve.max_body, head_bytes) == (7 << 20, 64 << 10)
    for text in (
        "bodies are cut at 7 MiB, heads at 64 KiB",
        f"after {serve.head_timeout:g} s (head) and {serve.body_timeout:g} s (body)",
        f"requests beyond {serve.max_in_flight}",
        f"connections beyond {serve.max_connections}",
    ):
        assert text in TEXT.replace("\n", " ")
