"""What is said of a wrong share in a further stack: where, with its arithmetic, and what to write instead."""

import pytest

from tests.translation.pods import Object, engine, pod
from tests.translation.test_vectors import BAIDU, KOORDINATOR, baidu, hami, kai, koordinator, vgpu
from webhook.core.share import Stage

LIMITS = "spec.containers[0].resources.limits"
WHOLE_PERCENT = "of a card's memory; must be a whole % from 1 to 100 on each card"

# A pod → the field, the value as written, and the whole text.
SAID: dict[str, tuple[Object, str, str, str]] = {
    "more than all memory of a card": (
        hami(gpu=1, gpumem_percentage=101),
        f"{LIMITS}[nvidia.com/gpumem-percentage]",
        "101",
        f"container 'app': '101' is 101 % on 1 card {WHOLE_PERCENT}; write \"100\" [memory-percent]",
    ),
    "a figure of each card is not spread": (
        hami(gpu=2, gpumem_percentage=101),
        f"{LIMITS}[nvidia.com/gpumem-percentage]",
        "101",
        f"container 'app': '101' is 202 % over 2 cards, 101 % each {WHOLE_PERCENT}; write \"100\" [memory-percent]",
    ),
    "a total that does not divide": (
        koordinator(shared=2, memory_ratio=75),
        f"{LIMITS}[{KOORDINATOR}-memory-ratio]",
        "75",
        (
            f"container 'app': '75' is 75 % over 2 cards, 37 1/2 % each {WHOLE_PERCENT}; "
            'write "74" (37 % on each card) or "76" (38 % on each card) [memory-percent]'
        ),
    ),
    "memory twice": (
        hami(gpu=1, gpumem=1000, gpumem_percentage=50),
        f"{LIMITS}[nvidia.com/gpumem-percentage]",
        "50",
        (
            "container 'app': asks for nvidia.com/gpu and nvidia.com/gpumem and nvidia.com/gpumem-percentage; "
            "memory must be asked for once; "
            "leave nvidia.com/gpumem or nvidia.com/gpumem-percentage out [resource-set]"
        ),
    ),
    "one key is lacking, which may be any of three": (
        vgpu(cores=50),
        f"{LIMITS}[volcano.sh/vgpu-cores]",
        "50",
        (
            "container 'app': asks for volcano.sh/vgpu-cores; Volcano vGPU knows no such request; "
            "add volcano.sh/vgpu-number, volcano.sh/vgpu-memory or volcano.sh/vgpu-memory-percentage [resource-set]"
        ),
    ),
    "one key is lacking": (
        baidu(memory=10),
        f"{LIMITS}[{BAIDU}_memory]",
        "10",
        f"container 'app': asks for {BAIDU}_memory; Baidu CCE sGPU knows no such request; add {BAIDU} [resource-set]",
    ),
    "two keys are lacking": (
        baidu(core=50),
        f"{LIMITS}[{BAIDU}_core]",
        "50",
        (
            f"container 'app': asks for {BAIDU}_core; Baidu CCE sGPU knows no such request; "
            f"add {BAIDU} and {BAIDU}_memory or {BAIDU} and {BAIDU}_memory_percent [resource-set]"
        ),
    ),
    "no key would make it a request, so one must go": (
        koordinator(gpu=50, core=50),
        f"{LIMITS}[{KOORDINATOR}]",
        "50",
        (
            f"container 'app': asks for {KOORDINATOR}-core and {KOORDINATOR}; Koordinator knows no such request; "
            f"leave '{KOORDINATOR}-core' out [resource-set]"
        ),
    ),
    "the model of another card": (
        pod({BAIDU: 1, "baidu.com/t4_16g_cgpu_memory": 8}),
        f"{LIMITS}[baidu.com/t4_16g_cgpu_memory]",
        "8",
        (
            f"container 'app': asks for {BAIDU} and baidu.com/t4_16g_cgpu_memory; Baidu CCE sGPU knows no such request; "
            "leave 'baidu.com/t4_16g_cgpu_memory' out [resource-set]"
        ),
    ),
    "as little as can be must go": (
        koordinator(gpu=50, memory="8Gi", core=50),
        f"{LIMITS}[{KOORDINATOR}]",
        "50",
        (
            f"container 'app': asks for {KOORDINATOR}-memory and {KOORDINATOR}-core and {KOORDINATOR}; Koordinator knows no such request; "
            f"leave '{KOORDINATOR}' out [resource-set]"
        ),
    ),
    "a count of the pod alone": (
        kai(fraction_num_devices="2"),
        "metadata.annotations.gpu-fraction-num-devices",
        "2",
        (
            "container 'app': asks for gpu-fraction-num-devices; KAI Scheduler knows no such request; "
            "add gpu-memory or gpu-fraction [resource-set]"
        ),
    ),
    "a whole card is no fraction": (
        kai(fraction="1"),
        "metadata.annotations.gpu-fraction",
        "1",
        (
            "container 'app': '1' is no part of a card; must be a plain decimal number above 0 and below 1; "
            'write for example "0.5" [pod-request]'
        ),
    ),
    "a container that is not there": (
        kai({}, {}, fraction="0.5", fraction_container_name="worker"),
        "metadata.annotations.gpu-fraction-container-name",
        "worker",
        (
            "'worker' is no container of the pod; gpu-fraction-container-name must name one of spec.containers; "
            "write 'app' or 'app-1', or leave it out for the first [pod-request]"
        ),
    ),
    "a part of a card where whole ones are counted": (
        hami(gpu="1.5", gpumem=1000),
        f"{LIMITS}[nvidia.com/gpu]",
        "1.5",
        "container 'app': '1.5' is not whole; must be a whole number of cards, 1 or more; write \"1\" or \"2\" [quantity]",
    ),
    "more cards than any node has": (
        hami(gpu=65, gpumem=1000),
        f"{LIMITS}[nvidia.com/gpu]",
        "65",
        "container 'app': '65' is too many cards; must be from 1 to 64; write \"64\" or less [card-count]",
    ),
}


@pytest.mark.parametrize("name", SAID)
def test_a_wrong_share_is_told_where_it_stands_with_what_to_write(name: str) -> None:
    obj, field, value, text = SAID[name]
    (finding,) = engine().examine(obj).findings
    assert (str(finding.path), finding.value, finding.text) == (field, value, text)


@pytest.mark.parametrize(
    ("fraction", "percent"), [("0.5", "50"), ("0.125", '"25/2"'), (".01", "1"), ("0.333333", '"333333/10000"'), ("0.000001", '"1/10000"')]
)
def test_a_fraction_of_a_card_may_be_any_part_and_is_told_exactly(fraction: str, percent: str) -> None:
    verdict = engine().examine(kai(fraction=fraction, fraction_num_devices="2"), stage=Stage.MUTATE)
    assert verdict.findings == ()
    (operation,) = verdict.patch
    assert operation.path == "/metadata/annotations/percard.webhook~1limits"
    assert operation.value == f'{{"containers":{{"app":{{"cards":2,"memoryPercent":{percent}}}}},"dialect":"kai"}}'
