"""YAML that a person reads and every parser reads alike."""

import json

import pytest
import yaml

from tests.policies.made import made
from webhook.policies.documents import yaml_text


@pytest.mark.parametrize("text", ["n", "on", "1e3", "~", "", "a: b", "- x", "#", "it's", 'a "b"', "中", "\t", "a\nb", "Warn", "v1"])
def test_a_text_stays_the_text_that_it_is(text: str) -> None:
    obj = {"one": text, "list": [text, [text]], "inner": {"of": [{"first": text, "second": text}]}}
    assert yaml.safe_load(yaml_text([obj])) == obj


def test_empty_parts_and_numbers_stay_what_they_are() -> None:
    obj = {"list": [], "mapping": {}, "number": 3, "flag": True, "nothing": None, "items": [{}, [], 1]}
    assert yaml.safe_load(yaml_text([obj])) == obj


def test_an_expression_keeps_its_lines() -> None:
    assert yaml_text([{"expression": "a\n  && b"}]) == "---\nexpression: |-\n  a\n    && b\n"


def test_all_policies_are_read_back_as_they_were_made() -> None:
    objects = made()
    assert json.loads(json.dumps(list(yaml.safe_load_all(yaml_text(objects))))) == objects
