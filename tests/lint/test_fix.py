"""A repair changes what must change and not a byte more, and what is repaired checks clean."""

import pytest

from tests.lint.manifests import bad_pod, good_pod
from tests.lint.rendering import ENGINE
from webhook.lint.fix import Fixer
from webhook.lint.run import Checker

# 2 and 15 % are what 30 % over two cards leave each; without a policy the list is refused.
LISTED = """\
apiVersion: v1
kind: Pod
metadata:
  name: app
  annotations:  # ours
    vke.volcengine.com/container-multiple-gpu: {counts}
    vke.volcengine.com/mgpu-compute-policy: native-burst-share   # kept
spec:
  containers:
    - name: app
      image: app
      resources: {{limits: {{vke.volcengine.com/mgpu-memory: 4096, vke.volcengine.com/mgpu-core: 30}}}}
    - {{name: side, image: side}}
"""
POLICY = "    vke.volcengine.com/mgpu-compute-policy: native-burst-share   # kept\n"


def _fixed(text: str, *, unsafe: bool = False) -> str:
    repaired = Fixer(ENGINE, unsafe=unsafe).fixed(text)
    assert Fixer(ENGINE, unsafe=unsafe).fixed(repaired) == repaired
    return repaired


def _errors(text: str) -> list[str]:
    return [located.finding.check for located in Checker(ENGINE).check_bytes("a.yaml", text.encode()).findings]


@pytest.mark.parametrize(
    ("written", "repaired"),
    [("64", "66"), ('"64"', '"66"'), ("'64'", "'66'"), ("   64   # why", "   66   # why"), ("&m 64", "&m 66"), ("!!str 64", "!!str 66")],
    ids=["plain", "double quotes", "single quotes", "blanks and a comment", "an anchor", "a tag"],
)
def test_the_next_larger_memory_in_the_same_spelling(written: str, repaired: str) -> None:
    # 8192 MiB over three cards: 66 blocks of 128 MiB are 2816 on each, the next that divides.
    text = _fixed(bad_pod(written))
    assert text == bad_pod(repaired)
    assert _errors(text) == []


def test_crlf_stays() -> None:
    assert _fixed(bad_pod().replace("\n", "\r\n")) == bad_pod('"66"').replace("\n", "\r\n")


def test_json_stays_json() -> None:
    text = '{"apiVersion": "v1", "kind":"Pod",\n\t"metadata": {"labels": {"volcano.sh/gpu-num": "3"}}, "spec": {"containers": [%s]}}'
    container = '{"name": "app",  "resources": {"limits": {"volcano.sh/gpu-mem.128Mi": %s}}}'
    assert _fixed(text % (container % "64")) == text % (container % "66")


def test_only_the_broken_document_changes() -> None:
    text = f"# first\n---\n{good_pod()}---  # second\n{bad_pod()}--- \n{good_pod()}"
    assert _fixed(text) == text.replace(bad_pod(), bad_pod('"66"'))


@pytest.mark.parametrize(
    ("counts", "repaired"), [('"2"', '"2,0"'), ("'2, 0'", "'2,0'"), ('"2,0"', '"2,0"')], ids=["a zero entry", "a blank", "right"]
)
def test_the_list_of_counts(counts: str, repaired: str) -> None:
    assert _fixed(LISTED.format(counts=counts)) == LISTED.format(counts=repaired)


def test_a_missing_policy_is_added_beside_the_list() -> None:
    text = _fixed(LISTED.format(counts='"2,0"').replace(POLICY, ""))
    assert text == LISTED.format(counts='"2,0"').replace(POLICY, '    vke.volcengine.com/mgpu-compute-policy: "native-burst-share"\n')
    assert _errors(text) == []


def test_a_missing_policy_is_added_in_flow_style() -> None:
    block = LISTED[LISTED.index("  annotations") : LISTED.index("spec:")]
    text = LISTED.replace(block, "  annotations: {{vke.volcengine.com/container-multiple-gpu: '2,0'}}\n").format()
    key = 'vke.volcengine.com/mgpu-compute-policy: "native-burst-share"'
    assert _fixed(text) == text.replace("'2,0'}", f"'2,0', {key}}}")


def test_a_count_that_is_no_text_is_quoted_and_what_it_hid_is_repaired_too() -> None:
    text = bad_pod().replace('gpu-num: "3"', "gpu-num: 3")
    assert _fixed(text) == bad_pod('"66"')


def test_a_foreign_scheduler_is_replaced_only_where_asked() -> None:
    text = good_pod().replace("schedulerName: volcano", "schedulerName: other  # why")
    assert _fixed(text) == text
    assert _fixed(text, unsafe=True) == text.replace("other", "volcano")


@pytest.mark.parametrize("text", [good_pod(), "a: 1\n", "volcano.sh/gpu-num: [\n", "", "a: 1\n--- x\nvolcano.sh/gpu-num: 1\n"])
def test_what_needs_nothing_or_cannot_be_read_stays(text: str) -> None:
    assert _fixed(text) == text


def test_a_value_that_others_share_is_repaired_for_all() -> None:
    base = bad_pod("&m 64")
    second = bad_pod("*m").replace("name: trial", "name: second")
    items = "".join(f"- {pod.replace(chr(10), chr(10) + '  ').rstrip()}\n" for pod in (base, second))
    text = f"apiVersion: v1\nkind: List\nitems:\n{items}"
    assert _fixed(text) == text.replace("&m 64", "&m 66")
