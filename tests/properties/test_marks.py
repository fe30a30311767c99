"""The quick look at the bytes never hides what the engine would have something to say about."""

import json
import re
from collections.abc import Callable

import pytest
import yaml
from hypothesis import given

from tests.support.generated import damaged
from tests.support.pods import ENGINE, Json, alibaba, huawei, volcengine

# Ways to write the same JSON in which no key of a vendor stands letter for letter.
HIDDEN: dict[str, Callable[[str], str]] = {
    "as it is": str,
    "escaped slashes": lambda text: text.replace("/", "\\/"),
    "escaped dots": lambda text: re.sub(r"\.(?=[a-z])", r"\\u002e", text),
    "escaped letters": lambda text: text.replace("g", "\\u0067").replace("k", "\\u006B"),
    "one escaped letter": lambda text: text.replace("gpu", "gp\\u0075", 1),
}


@pytest.mark.parametrize("how", HIDDEN)
@given(damaged())
def test_json_that_the_engine_complains_of_is_never_passed_over(how: str, whole: Json) -> None:
    verdict = ENGINE.examine(whole)
    if not verdict.findings and not verdict.pods:
        return
    text = HIDDEN[how](json.dumps(whole, ensure_ascii=how == "as it is"))
    assert json.loads(text) == json.loads(json.dumps(whole)) or "NaN" in text
    assert ENGINE.mentions_marks(text)
    assert ENGINE.mentions_marks(text.encode(errors="surrogatepass"))


@pytest.mark.parametrize("whole", [volcengine(count="2"), huawei(count="2"), alibaba(count="2")])
@pytest.mark.parametrize(
    "text_of",
    [
        yaml.safe_dump,
        lambda whole: yaml.safe_dump(whole, default_flow_style=True, width=20),
        lambda whole: yaml.safe_dump(whole, default_style='"', width=4),
        lambda whole: yaml.safe_dump(whole, default_style='"').replace("volcano", "\\x76olcano").replace("ali", "\\U00000061li"),
    ],
    ids=["block", "flow", "folded", "escapes"],
)
def test_yaml_that_holds_a_mark_is_never_passed_over(whole: Json, text_of: Callable[[Json], str]) -> None:
    text = text_of(whole)
    assert yaml.safe_load(text) == whole
    assert ENGINE.mentions_marks(text)


def test_a_key_that_is_folded_over_two_lines_is_not_passed_over() -> None:
    text = 'limits: {? "volc\\\n   ano.sh/gpu-mem.128Mi" : 63}'
    assert yaml.safe_load(text) == {"limits": {"volcano.sh/gpu-mem.128Mi": 63}}
    assert ENGINE.mentions_marks(text)


@pytest.mark.parametrize(
    "text",
    [
        '{"a":"nothing of ours, \\u003c and \\u0026 as Go writes them"}',
        "apiVersion: v1\nkind: Pod\nmetadata: {labels: {volcano.sh/task-spec: a}}",
        "limits: {nvidia.com/gpu: 1, volcano.sh/vgpu-number: 1}",
        "",
    ],
)
def test_text_without_a_mark_is_passed_over(text: str) -> None:
    assert not ENGINE.mentions_marks(text)
    assert not ENGINE.mentions_marks(text.encode())
