"""Every spelling of a number under every resource key: what is the same number, what is none, what is out of range."""

import math
from typing import Any

import pytest

from tests.support.pods import CG_CORE, CG_MEMORY, CG_TFLOPS, ENGINE, MG_CORE, MG_MEMORY, XG_CORE, XG_MEMORY, Json, pod
from webhook.core.finding import Finding

# Each key with the others that make a right share of it, and a value that suits the key.
COMPANIONS: dict[str, tuple[Json, int]] = {
    MG_CORE: ({MG_MEMORY: 4096}, 40),
    MG_MEMORY: ({MG_CORE: 30}, 4000),
    XG_MEMORY: ({}, 40),
    XG_CORE: ({XG_MEMORY: 64}, 40),
    CG_MEMORY: ({}, 40),
    CG_CORE: ({CG_MEMORY: 8}, 40),
    CG_TFLOPS: ({CG_MEMORY: 8}, 40),
}
MEMORY_KEYS = (MG_MEMORY, XG_MEMORY, CG_MEMORY)
CORE_KEYS = (MG_CORE, XG_CORE, CG_CORE)

# With `{n}` the number, `{tenth}` a tenth of it: spellings of the same number.
SAME = ["{n}", "{n}.0", "{n}.", "+{n}", "0{n}", "{n}000m", "{n}000000u", "{n}000000000n", "{tenth}e1", "{tenth}E1", "{n}0e-1", " {n} "]
NO_NUMBERS: dict[str, Any] = {
    "no text at all": "",
    "a blank": " ",
    "letters": "abc",
    "a list": [],
    "a mapping": {},
    "true": True,
    "false": False,
    "a suffix that there is not": "8b",
    "the suffix of a byte": "8GB",
    "the suffix of a binary byte": "8GiB",
    "a small binary suffix": "8gi",
    "a capital kilo": "8K",
    "a small mega": "8g",
    "two suffixes": "8kk",
    "an underscore": "1_0",
    "a hexadecimal number": "0x10",
    "a comma": "1,000",
    "an exponent without digits": "8e",
    "an exponent with a point": "8e1.5",
    "a suffix and an exponent": "8ke1",
    "two signs": "+-8",
    "a blank inside": "8 0",
    "a blank before the suffix": "8 k",
    "digits of another script": "\uff18",
    "Arabic digits": "٨",
    "a fraction": "1/2",
    "a percent sign": "8%",
    "NaN as text": "NaN",
    "infinity as text": "inf",
    "NaN": math.nan,
    "infinity": math.inf,
    "a line feed at the end": "8\n",
    "a NUL": "8\x00",
    "a thousand and one digits": "1" * 1001,
}
NOT_WHOLE = ["500m", "0.5", ".5", "1.5", "1e-1", "1500m", "1.5000001k", "0.0005Mi", "1n", 0.5, 1e-12]
NOT_POSITIVE: list[Any] = [0, "0", "-0", "0.0", "0e9", "0Gi", "0n", ".", "k", None, -1, "-64", "-1e3", "-8Gi", "-500m", -0.5]
PLAIN_TOO_MUCH: list[Any] = [str(2**63 - 1), str(2**63), 2**63, str(2**31), "9" * 400, 10**400, 1e300]
SUFFIX_TOO_MUCH = ["16Gi", "2000E", "9E", "1e30", "1e2000", "8Ei", "999999999P", "1e999999999"]


def _findings(key: str, written: Any) -> tuple[Finding, ...]:
    return ENGINE.examine(pod(COMPANIONS[key][0] | {key: written})).findings


def _one(key: str, written: Any) -> Finding:
    found = [finding for finding in _findings(key, written) if str(finding.path) == f"spec.containers[0].resources.limits[{key}]"]
    (finding,) = [finding for finding in found if finding.check != "core-step"]
    assert finding.severity == "error"
    assert finding.container == "c0"
    assert finding.value is not None
    assert len(finding.value) <= 64
    assert len(finding.text) < 500
    return finding


@pytest.mark.parametrize("key", COMPANIONS)
@pytest.mark.parametrize("spelling", SAME)
def test_a_number_is_the_same_however_it_is_spelt(key: str, spelling: str) -> None:
    companions, number = COMPANIONS[key]
    written = spelling.format(n=number, tenth=number // 10)
    verdict = ENGINE.examine(pod(companions | {key: written}))
    assert verdict.findings == ()
    (gpu,) = verdict.pods
    (amount,) = [amount for amount in gpu.shares[0].amounts.values() if amount.where[-1] == key]
    assert (amount.value, amount.written) == (number, written)


@pytest.mark.parametrize("key", COMPANIONS)
def test_a_json_number_is_as_good_as_text(key: str) -> None:
    companions, number = COMPANIONS[key]
    plain = ENGINE.examine(pod(companions | {key: number}))
    assert plain.findings == ()
    assert ENGINE.examine(pod(companions | {key: float(number)})).patch == plain.patch


@pytest.mark.parametrize(
    ("key", "written", "mib"),
    [(MG_MEMORY, "4Ki", 4096), (MG_MEMORY, "4k", 4000), (XG_MEMORY, "1Ki", 1024 * 128), (CG_MEMORY, "1Ki", 1024**2)],
)
def test_a_suffix_within_range_is_a_plain_number(key: str, written: str, mib: int) -> None:
    (gpu,) = ENGINE.examine(pod(COMPANIONS[key][0] | {key: written})).pods
    assert gpu.shares[0].memory_mib == mib


@pytest.mark.parametrize("key", COMPANIONS)
@pytest.mark.parametrize("name", NO_NUMBERS)
def test_what_is_no_quantity_is_refused(key: str, name: str) -> None:
    finding = _one(key, NO_NUMBERS[name])
    assert (finding.check, "is not a Kubernetes quantity" in finding.message) == ("quantity", True)


@pytest.mark.parametrize("key", COMPANIONS)
@pytest.mark.parametrize("written", NOT_WHOLE, ids=repr)
def test_what_is_not_whole_is_refused(key: str, written: Any) -> None:
    finding = _one(key, written)
    assert (finding.check, "is not whole" in finding.message) == ("quantity", True)


@pytest.mark.parametrize("key", COMPANIONS)
@pytest.mark.parametrize("written", NOT_POSITIVE, ids=repr)
def test_what_is_not_positive_is_refused(key: str, written: Any) -> None:
    finding = _one(key, written)
    assert (finding.check, "is not positive" in finding.message) == ("quantity", True)


@pytest.mark.parametrize("key", MEMORY_KEYS + CORE_KEYS)
@pytest.mark.parametrize("written", PLAIN_TOO_MUCH, ids=lambda written: f"{str(written)[:24]}-{type(written).__name__}")
def test_a_plain_number_out_of_range_neither_wraps_nor_passes(key: str, written: Any) -> None:
    assert _one(key, written).check == ("memory-range" if key in MEMORY_KEYS else "core-range")


@pytest.mark.parametrize("key", MEMORY_KEYS + CORE_KEYS)
@pytest.mark.parametrize("written", SUFFIX_TOO_MUCH)
def test_a_number_with_a_suffix_out_of_range_is_taken_for_the_wrong_unit(key: str, written: str) -> None:
    finding = _one(key, written)
    assert finding.check == "card-count" or (finding.check, "not bytes" in finding.message) == ("quantity", True)


@pytest.mark.parametrize(
    ("key", "written", "cards", "right"),
    [
        (MG_MEMORY, "16Gi", 1, "16384"),
        (MG_MEMORY, "4096Mi", 1, "4096"),
        (MG_MEMORY, "4G", 1, "4096"),
        (XG_MEMORY, "8Gi", 1, "64"),
        (XG_MEMORY, "8Gi", 2, "64"),
        (XG_MEMORY, "8192Mi", 2, "64"),
        (CG_MEMORY, "10G", 1, "10"),
        (CG_MEMORY, "8Gi", 2, "8"),
        (CG_MEMORY, "8192Mi", 1, "8"),
    ],
)
def test_the_hint_for_bytes_says_what_to_write(key: str, written: str, cards: int, right: str) -> None:
    labels = {"volcano.sh/gpu-num": str(cards), "aliyun.com/gpu-count": str(cards)} if cards > 1 else {}
    verdict = ENGINE.examine(pod(COMPANIONS[key][0] | {key: written}, labels=labels))
    (finding,) = [finding for finding in verdict.findings if finding.check == "quantity"]
    assert f'write "{right}"' in finding.hint


@pytest.mark.parametrize(
    ("key", "written", "cards", "options"),
    [
        (XG_MEMORY, "7Gi", 3, ['"54"', '"57"']),  # 56 blocks do not divide by 3
        (CG_MEMORY, "9G", 2, ['"8"', '"10"']),
    ],
)
def test_the_hint_for_bytes_that_do_not_divide_gives_the_values_next_to_them(
    key: str, written: str, cards: int, options: list[str]
) -> None:
    verdict = ENGINE.examine(pod({key: written}, labels={"volcano.sh/gpu-num": str(cards), "aliyun.com/gpu-count": str(cards)}))
    (finding,) = [finding for finding in verdict.findings if finding.check == "quantity"]
    assert all(option in finding.hint for option in options)
