"""Labels, annotations and resources that look like a key and are none: told, with the key that was meant, and never read."""

import pytest

from tests.support.pods import ENGINE, LIMITS, MG_LIST, XG_COUNT, Json, alibaba, cg, huawei, mg, pod, volcengine, xg
from webhook.core.nearness import NearMisses
from webhook.core.share import Stage

NEAR = NearMisses([(XG_COUNT, "huawei"), (MG_LIST, "volcengine"), ("ack.gpushare.placement", "alibaba")], "gpu")


@pytest.mark.parametrize(
    "key",
    [
        pytest.param("volcano.sh/GPU-num", id="capitals"),
        pytest.param("Volcano.sh/gpu-num", id="a capital in the prefix"),
        pytest.param("volcano.sh/gpu_num", id="an underscore for a dash"),
        pytest.param("volcano.sh/gpu-nums", id="one more at the end"),
        pytest.param("volcano.sh/ggpu-num", id="one more inside"),
        pytest.param("volcano.sh/gpu-nm", id="one less"),
        pytest.param("volcano.sh/gpu-nun", id="another letter"),
        pytest.param("v\u043elcano.sh/gpu-num", id="a Cyrillic letter"),
        pytest.param("\u0475\u043elc\u0430n\u043e.sh/gpu-num", id="several Cyrillic letters"),
        pytest.param("volcano.sh/\uff47\uff50\uff55-num", id="full width"),
        pytest.param("volcano.sh/gpu\u2010num", id="a hyphen that is no minus"),
        pytest.param("volcano.sh/gpu-num\u200b", id="a blank without width"),
        pytest.param("\u2066volcano.sh/gpu-num\u2069", id="marks of direction"),
        pytest.param("volcano.sh/gpu-nu\u0301m", id="an accent"),
    ],
)
def test_a_key_that_looks_like_a_known_one_is_that_dialect_s(key: str) -> None:
    assert NEAR.may_be(key)
    assert NEAR.dialect_of(key) == "huawei"


@pytest.mark.parametrize(
    "key",
    [
        *("volcano.sh/gpu-number", "volcano.sh/gpu-index", "volcano.sh/task-index", "volcano.sh/gpu-model", "example.com/gpu-num"),
        *("alibabacloud.com/gpu-count", "nvidia.com/gpu", "volcano.sh/vgpu-number", "gpu", "", "/"),
    ],
)
def test_a_key_of_its_own_is_nobody_s(key: str) -> None:
    assert NEAR.dialect_of(key) is None


def test_most_keys_are_passed_over_without_a_closer_look() -> None:
    assert not NEAR.may_be("app.kubernetes.io/name")


@pytest.mark.parametrize("stage", Stage)
@pytest.mark.parametrize(
    ("whole", "field", "meant"),
    [
        (pod(xg(64), labels={"volcano.sh/GPU-num": "2"}), "metadata.labels[volcano.sh/GPU-num]", "the pod label volcano.sh/gpu-num"),
        (
            pod(mg(30, 4096), annotations={"vke.volcengine.com/container-multiple-gpus": "2"}),
            "metadata.annotations[vke.volcengine.com/container-multiple-gpus]",
            "the pod annotation vke.volcengine.com/container-multiple-gpu",
        ),
        (
            pod(cg(8), annotations={"aliyun.com/gpu-counts": "2"}),
            "metadata.annotations[aliyun.com/gpu-counts]",
            "the pod label aliyun.com/gpu-count",
        ),
        (
            pod(xg(64) | {"volcano.sh/GPU-core.percentage": 30}),
            "spec.containers[0].resources.limits[volcano.sh/GPU-core.percentage]",
            "volcano.sh/gpu-core.percentage",
        ),
    ],
)
def test_it_is_warned_of_beside_a_share_with_the_key_that_was_meant(whole: Json, field: str, meant: str, stage: Stage) -> None:
    (found,) = (finding for finding in ENGINE.examine(whole, stage=stage).findings if finding.check == "unknown-key")
    assert (found.severity, str(found.path), found.hint) == ("warning", field, f"{meant} was meant, most likely")
    assert ("it has no effect" in found.message) is field.startswith("metadata")


def test_what_looks_the_same_is_spelt_out() -> None:
    (found,) = ENGINE.examine(pod(xg(64), labels={"v\u043elcano.sh/gpu-num": "2"})).findings
    assert found.message.startswith("v\\u043elcano.sh/gpu-num is no key of Huawei CCE xGPU")
    assert found.hint == "the pod label volcano.sh/gpu-num was meant, most likely"


@pytest.mark.parametrize("whole", [huawei(count="2"), volcengine(mg(30, 4096), count="2"), alibaba(count="2")])
def test_keys_that_are_known_are_not_taken_for_others(whole: Json) -> None:
    whole["metadata"].setdefault("annotations", {}).update({LIMITS: "x", "volcano.sh/gpu-index": "0", "aliyun.com/note": "x"})
    assert "unknown-key" not in {finding.check for finding in ENGINE.examine(whole, stage=Stage.MUTATE).findings}


def test_nobody_is_told_of_a_key_where_no_container_asks() -> None:
    assert ENGINE.examine(pod(None, labels={"volcano.sh/GPU-num": "2"})).findings == ()
    assert ENGINE.examine(pod({"volcano.sh/GPU-mem.128Mi": 64})).findings == ()
