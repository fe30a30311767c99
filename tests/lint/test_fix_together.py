"""Places that must say the same are repaired together: one of them alone would be refused."""

import json

import pytest

from tests.lint.rendering import ENGINE
from webhook.lint.fix import Fixer
from webhook.lint.run import Checker

POD = """\
apiVersion: v1
kind: Pod
metadata:
  name: trial
  {pod}
spec:
  schedulerName: {scheduler}
  containers:
    - name: app
      image: app
      resources:
        requests:  # as the limits
          {request}
        limits:
          {limit}
          {other}
"""
VOLCENGINE = {
    "pod": "annotations: {{vke.volcengine.com/container-multiple-gpu: '{cards}', "
    "vke.volcengine.com/mgpu-compute-policy: native-burst-share}}",
    "scheduler": "volcano",
    "memory": "vke.volcengine.com/mgpu-memory",
    "core": "vke.volcengine.com/mgpu-core",
}
HUAWEI = {
    "pod": "labels: {{volcano.sh/gpu-num: '{cards}'}}",
    "scheduler": "volcano",
    "memory": "volcano.sh/gpu-mem.128Mi",
    "core": "volcano.sh/gpu-core.percentage",
}
ALIBABA = {
    "pod": "labels: {{aliyun.com/gpu-count: '{cards}'}}",
    "scheduler": "default-scheduler",
    "memory": "aliyun.com/gpu-mem",
    "core": "aliyun.com/gpu-core.percentage",
}


def _pod(dialect: dict[str, str], cards: int, role: str, written: tuple[str, str], other: str) -> str:
    """Return a pod that asks for `other`, and for one amount with its request and limit as written."""
    request, limit = (f"{dialect[role]}: {text}" for text in written)
    asked = f"{dialect['core' if role == 'memory' else 'memory']}: {other}" if other else "cpu: 1"
    return POD.format(pod=dialect["pod"].format(cards=cards), scheduler=dialect["scheduler"], request=request, limit=limit, other=asked)


def _fixed(text: str, *, unsafe: bool = False) -> str:
    repaired = Fixer(ENGINE, unsafe=unsafe).fixed(text)
    assert Fixer(ENGINE, unsafe=unsafe).fixed(repaired) == repaired
    return repaired


def _checks(text: str) -> list[str]:
    return [located.finding.check for located in Checker(ENGINE).check_bytes("a.yaml", text.encode()).findings]


# What the next larger share is: 10242 = 3 × 3414 MiB; 42 = 3 × 14 %; 66 = 3 × 22 blocks; 30 = 3 × 10 %, a multiple of 5 each;
# 9 = 3 × 3 GiB; one card takes compute in steps of 5 %. 8 GiB are 64 blocks, or 8192 MiB.
TABLE = {
    "Volcengine, memory": (VOLCENGINE, 3, "memory", ("10240", "10240"), "30", ("10242", "10242")),
    "Volcengine, compute": (VOLCENGINE, 3, "core", ("'40'", '"40"'), "12288", ("'42'", '"42"')),
    "Volcengine, bytes": (VOLCENGINE, 2, "memory", ("8Gi", "8Gi"), "30", ("8192", "8192")),
    "Volcengine, in other words": (VOLCENGINE, 3, "memory", ("10Ki", '"10240"'), "30", ("10242", '"10242"')),
    "Huawei, memory": (HUAWEI, 3, "memory", ('"64"', "64 # why"), "30", ('"66"', "66 # why")),
    "Huawei, compute": (HUAWEI, 3, "core", ("'20'", "'20'"), "66", ("'30'", "'30'")),
    "Huawei, bytes": (HUAWEI, 2, "memory", ("8GB", "8GB"), "30", ("64", "64")),
    "Alibaba, memory": (ALIBABA, 3, "memory", ("8", "8"), "", ("9", "9")),
    "Alibaba, compute": (ALIBABA, 1, "core", ("12", '"12"'), "9", ("15", '"15"')),
    "Alibaba, a part": (ALIBABA, 2, "memory", ("7.5", "7.5"), "", ("8", "8")),
    "an anchor": (HUAWEI, 3, "memory", ("&m 64", "*m"), "30", ("&m 66", "*m")),
}


@pytest.mark.parametrize("name", TABLE)
def test_a_value_in_limits_and_requests(name: str) -> None:
    dialect, cards, role, written, other, repaired = TABLE[name]
    text = _fixed(_pod(dialect, cards, role, written, other))
    assert text == _pod(dialect, cards, role, repaired, other)
    assert _checks(text) == []


def test_a_request_that_says_something_else_is_not_touched_but_where_asked() -> None:
    text = _pod(HUAWEI, 3, "memory", ("60", "64"), "30")
    assert _fixed(text) == _pod(HUAWEI, 3, "memory", ("60", "66"), "30")
    assert _fixed(text, unsafe=True) == _pod(HUAWEI, 3, "memory", ("66", "66"), "30")


def test_a_missing_limit_is_added_where_asked() -> None:
    text = _pod(HUAWEI, 2, "memory", ("64", "64"), "30").replace(
        "          volcano.sh/gpu-mem.128Mi: 64\n          volcano", "          volcano"
    )
    added = '          volcano.sh/gpu-core.percentage: 30\n          volcano.sh/gpu-mem.128Mi: "64"\n'
    assert _checks(text) == ["requests-limits"]
    assert (_fixed(text), _checks(_fixed(text, unsafe=True))) == (text, [])
    assert added in _fixed(text, unsafe=True)


def test_limits_and_requests_in_json() -> None:
    text = '{"apiVersion": "v1","kind":"Pod", "metadata": {"labels": {"volcano.sh/gpu-num": "3"}},\n"spec": {"containers": [%s]}}'
    container = '{"name": "app","resources": {"limits": {"volcano.sh/gpu-mem.128Mi": %s},  "requests":{"volcano.sh/gpu-mem.128Mi":"%s"}}}'
    assert _fixed(text % (container % ("64", "64"))) == text % (container % ("66", "66"))


DEPLOYMENT = """\
apiVersion: apps/v1
kind: Deployment
metadata: {{name: trial, labels: {{volcano.sh/gpu-num: '02'}}}}
spec:
  selector:
    matchLabels: {{app: trial, volcano.sh/gpu-num: {selected}}}
  template:
    metadata:
      labels: {{app: trial, volcano.sh/gpu-num: {label}}}
    spec:
      schedulerName: volcano
      containers:
        - {{name: app, image: app, resources: {{limits: {{volcano.sh/gpu-mem.128Mi: "64"}}}}}}
"""


@pytest.mark.parametrize(
    ("label", "selected", "repaired"),
    [("'02'", "'02'", "'2'"), ("2", "2", '"2"'), ("'02'", '"02"', '"2"'), ("'02'", "'2'", "'2'"), ("'02'", "'3'", "'3'")],
    ids=["both", "numbers", "other quotes", "right already", "another one"],
)
def test_a_selector_goes_on_matching_its_template(label: str, selected: str, repaired: str) -> None:
    right = '"2"' if label == "2" else "'2'"
    text = _fixed(DEPLOYMENT.format(label=label, selected=selected))
    assert text == DEPLOYMENT.format(label=right, selected=repaired)


def test_the_selector_of_a_replication_controller() -> None:
    text = DEPLOYMENT.replace("apps/v1", "v1").replace("Deployment", "ReplicationController").replace("\n    matchLabels: {{", " {{")
    assert _fixed(text.format(label="'02'", selected="'02'")) == text.format(label="'2'", selected="'2'")


def _limits(mib: int, quote: str) -> str:
    text = json.dumps({"containers": {"app": {"cards": 3, "memoryMiB": mib}}, "dialect": "huawei"}, separators=(",", ":"))
    return json.dumps(text) if quote == '"' else f"'{text}'"


@pytest.mark.parametrize("quote", ["'", '"'])
def test_percard_s_own_annotation_follows(quote: str) -> None:
    # 66 blocks of 128 MiB over three cards are 2816 MiB on each.
    text = _pod(HUAWEI, 3, "memory", ("64", "64"), "").replace("labels:", "annotations: {{percard.webhook/limits: {limits}}}\n  labels:", 1)
    stale, fresh = (text.replace("{{", "{").replace("}}", "}").replace("{limits}", _limits(mib, quote)) for mib in (2730, 2816))
    assert _fixed(stale) == fresh.replace(": 64", ": 66")
    assert _checks(_fixed(stale)) == []


def test_percard_s_own_annotation_that_alone_is_wrong_is_written_anew_only_where_asked() -> None:
    text = _pod(HUAWEI, 3, "memory", ("66", "66"), "").replace("labels:", "annotations: {percard.webhook/limits: LIMITS}\n  labels:", 1)
    stale = text.replace("LIMITS", _limits(4096, "'"))
    assert (_fixed(stale), _fixed(stale, unsafe=True)) == (stale, text.replace("LIMITS", _limits(2816, "'")))


def test_where_one_of_two_places_cannot_be_written_neither_is() -> None:
    text = _pod(HUAWEI, 3, "memory", ("|-\n            64", "64"), "30")
    assert _checks(text) == ["memory-step"]
    assert _fixed(text) == text
