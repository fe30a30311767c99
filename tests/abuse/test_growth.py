"""What is sent in large numbers takes time by its number, never by the square of it: a few MiB must not hold up everybody else."""

import json
from collections.abc import Callable
from typing import Any

import pytest
import yaml

from tests.abuse.growth import grows_evenly
from tests.lint.rendering import CONTEXT
from tests.support.pods import LIMITS, Json, alibaba, as_template, cg, container, huawei, mg, pod, volcengine, workload, xg
from webhook import build_engine, load_settings
from webhook.core.share import Stage
from webhook.lint import faults
from webhook.lint.fix import Fixer
from webhook.lint.output import format_named, format_names
from webhook.lint.report import Report
from webhook.lint.run import Checker

OTHERS = ("hami", "volcano_vgpu", "koordinator", "kai", "tencent", "baidu", "volcano_gpushare")
ENGINE = build_engine(load_settings(None, {}, {f"dialects.{name}.enabled": True for name in OTHERS}))


def _named(whole: Json, name: str) -> Json:
    for one in whole["spec"]["containers"]:
        one["name"] = name
    return whole


def _with(whole: Json, **metadata: Json) -> Json:
    whole["metadata"] |= metadata
    return whole


def _tasks(count: int) -> Json:
    tasks = [{"template": as_template(huawei(xg(63), count="2"))} for _ in range(count)]
    return workload("batch.volcano.sh/v1alpha1", "Job", {"tasks": tasks})


def _first_with(**fields: Any) -> Json:
    whole = huawei(count="2")
    whole["spec"]["containers"][0] |= fields
    return whole


OBJECTS: dict[str, Callable[[int], Json]] = {
    "right containers": lambda count: huawei(*[xg(64, 30)] * count, count="2"),
    "right containers with a list": lambda count: volcengine(*[mg(30, 4096)] * count, count=",".join("2" * count)),
    "right containers on the same cards": lambda count: alibaba(*[cg(8)] * count, count="2"),
    "containers with mistakes of their own": lambda count: volcengine(
        *[mg(31 + number, 4097 + number) for number in range(count)], count=",".join(str(2 + number % 60) for number in range(count))
    ),
    "containers with a common count": lambda count: huawei(*[xg(63 + number, 31 + number) for number in range(count)], count="7"),
    "containers with the same name": lambda count: _named(huawei(*[xg(63, 30)] * count, count="2"), "a"),
    "a list that has to be repaired": lambda count: volcengine(*[mg(30, 4096), None] * count, count=",".join("2" * count)),
    "a list that is too long": lambda count: volcengine(mg(30, 4096), count=",".join("1" * count)),
    "init containers": lambda count: huawei(initContainers=[container(f"i{number}", xg(64)) for number in range(count)]),
    "several dialects": lambda count: pod(*[mg(30, 4096), xg(64), cg(8)] * count),
    "several dialects in each container": lambda count: pod(*[mg(30, 4096) | xg(64) | cg(8)] * count),
    "whole cards": lambda count: pod(xg(64), *[{"nvidia.com/gpu": 1}] * count),
    "unknown keys": lambda count: pod(xg(64) | {f"volcano.sh/gpu-{number}": 1 for number in range(count)}),
    "keys off by one": lambda count: pod(xg(64) | {f"volcano.sh/gpu-mem.128M{chr(256 + number)}": 1 for number in range(count)}),
    "reserved keys": lambda count: _with(huawei(), annotations={f"volcano.sh/bind-{number}": "x" for number in range(count)}),
    "a forged annotation": lambda count: _with(
        huawei(*[xg(64)] * count), annotations={LIMITS: json.dumps({"containers": {f"c{number}": {"cards": 2} for number in range(count)}})}
    ),
    "variables": lambda count: _first_with(env=[{"name": "NVIDIA_VISIBLE_DEVICES", "value": "all"}] * count),
    "templates": _tasks,
    "templates with the same name": lambda count: workload(
        "batch.volcano.sh/v1alpha1", "Job", {"tasks": [{"name": "a", **task} for task in _tasks(count)["spec"]["tasks"]]}
    ),
    "items of a list": lambda count: {"apiVersion": "v1", "kind": "List", "items": [huawei(xg(63), count="2")] * count},
    "HAMi": lambda count: pod(*[{"nvidia.com/gpu": 2, "nvidia.com/gpumem": 4096}] * count),
    "HAMi in init containers": lambda count: pod(
        None, initContainers=[container(f"i{number}", {"nvidia.com/gpu": 2, "nvidia.com/gpumem": 4096}) for number in range(count)]
    ),
    "Koordinator": lambda count: pod(*[{"koordinator.sh/gpu.shared": 2, "koordinator.sh/gpu-memory": "9Gi"}] * count),
}


@pytest.mark.parametrize("stage", [Stage.MUTATE, Stage.VALIDATE])
@pytest.mark.parametrize("what", OBJECTS)
def test_examining_a_new_object_grows_evenly(what: str, stage: Stage) -> None:
    assert grows_evenly(lambda count: lambda: ENGINE.examine(OBJECTS[what](count), stage=stage))


@pytest.mark.parametrize("what", OBJECTS)
def test_examining_an_update_grows_evenly(what: str) -> None:
    assert grows_evenly(lambda count: lambda: ENGINE.examine(OBJECTS[what](count), _relabelled(OBJECTS[what](count))))


def _relabelled(whole: Json) -> Json:
    return whole | {"metadata": {"name": "w"}}


TEXTS: dict[str, Callable[[int], str]] = {
    "containers": lambda count: yaml.safe_dump(huawei(*[xg(63 + 2 * number) for number in range(count)], count="2")),
    "documents": lambda count: yaml.safe_dump_all([huawei(xg(63 + 2 * number), count="2") for number in range(count)]),
    "JSON values one after the other": lambda count: "".join(json.dumps(huawei(xg(63 + 2 * number), count="2")) for number in range(count)),
    "comments above": lambda count: "# percard: ignore[memory-step] -- why\n" * count + yaml.safe_dump(huawei(xg(63), count="2")),
    "comments on lines": lambda count: yaml.safe_dump(huawei(*[xg(63 + 2 * number) for number in range(count)], count="2")).replace(
        "limits:\n", "limits: # percard: ignore[memory-step] -- why\n"
    ),
    "helm's comments": lambda count: "".join(
        f"# Source: a/{number}.yaml\n{yaml.safe_dump(huawei(xg(63), count='2'))}---\n" for number in range(count)
    ),
}


def _checked(what: str, count: int) -> Callable[[], Report]:
    data = TEXTS[what](count).encode()
    return lambda: Checker(ENGINE).check_bytes("x.yaml", data)


@pytest.mark.parametrize("what", TEXTS)
def test_checking_a_text_grows_evenly(what: str) -> None:
    assert grows_evenly(lambda count: _checked(what, count), 60)


@pytest.mark.parametrize("name", format_names())
def test_a_report_grows_evenly(name: str) -> None:
    def work(count: int) -> Callable[[], str]:
        report = _checked("documents", count)()
        return lambda: format_named(name).render(report, CONTEXT)

    assert grows_evenly(work)


def test_repairing_a_text_grows_evenly() -> None:
    def work(count: int) -> Callable[[], str]:
        text = TEXTS["documents"](count)
        return lambda: Fixer(ENGINE).fixed(text)

    assert grows_evenly(work, 15)


def test_a_key_that_stands_twice_among_many_is_found_at_once() -> None:
    """As fast as the others: compared with each other one by one, 300,000 keys would take half an hour."""
    keys = ",".join(f'"k{number}":0' for number in range(300_000))
    report = Checker(ENGINE).check_bytes("x.json", f'{{"volcano.sh/gpu-num":0,{keys},"k299999":1}}'.encode())
    assert [broken.message for broken in report.unreadable] == ["duplicate key 'k299999'"]


def test_the_lines_of_a_text_are_counted_once_however_much_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    looked_for: list[str] = []

    class Watched:
        def finditer(self, text: str) -> Any:
            looked_for.append(text)
            return original.finditer(text)

    original = faults._LINE_END
    monkeypatch.setattr(faults, "_LINE_END", Watched())
    report = Checker(ENGINE).check_bytes("x.yaml", TEXTS["containers"](50).encode())
    assert (len(report.findings), len(looked_for)) == (50, 1)
