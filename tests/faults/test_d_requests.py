"""Faults of others with the shape of requests (letter D), as far as the engine and the handler are concerned."""

import copy
import json
from typing import Any

import pytest

from tests.admission.samples import UID, response, review
from tests.support.door import ask, denied_at, operations
from tests.support.pods import ENGINE, Json, deployment, huawei, two_cards
from webhook.admission.errors import BadReviewError
from webhook.admission.handler import Handler
from webhook.admission.scope import ENDPOINTS

HANDLER = Handler(ENGINE, "1")


@pytest.mark.parametrize("count", ["2", "3"], ids=["right", "wrong"])
def test_d01_an_object_without_a_namespace_is_the_requests_and_none_is_written_into_it(count: str) -> None:
    whole = huawei(count=count)
    del whole["metadata"]["namespace"]
    with_namespace = copy.deepcopy(whole)
    with_namespace["metadata"]["namespace"] = "ns1"
    for endpoint in ENDPOINTS:
        assert ask(endpoint, whole) == ask(endpoint, with_namespace)
    assert ["namespace" in operation["path"] for operation in operations(ask("mutate", whole))].count(True) == 0


def test_d01_a_generated_name_stands_for_the_name() -> None:
    whole = huawei(count="3")
    whole["metadata"] |= {"generateName": "p-"}
    del whole["metadata"]["name"]
    answer = ask("validate", whole)
    assert denied_at(answer)
    assert answer["status"]["details"]["name"] == "p-"


@pytest.mark.parametrize("old", [two_cards("huawei"), huawei(count="3"), None])
@pytest.mark.parametrize("endpoint", ENDPOINTS)
def test_d03_a_delete_has_no_object_and_passes(endpoint: Any, old: Any) -> None:
    assert ask(endpoint, None, old, operation="DELETE", kind="Pod") == {"uid": UID, "allowed": True}


@pytest.mark.parametrize(
    "body",
    [
        b'{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview"}',
        b'{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":null}',
        b'{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":[]}',
        b"{}",
        b"[]",
        b"null",
        b"1",
        b"",
        b'{"a',
        b"\xff\xfe",
    ],
    ids=[
        "no request",
        "a null for a request",
        "a list for a request",
        "an empty object",
        "an empty list",
        "null alone",
        "a number",
        "nothing",
        "cut off",
        "no UTF-8",
    ],
)
def test_d05_what_is_no_review_is_refused_as_such_and_the_next_one_answered(body: bytes) -> None:
    for endpoint in ENDPOINTS:
        with pytest.raises(BadReviewError):
            HANDLER.respond(endpoint, body)
    assert ask("validate", two_cards("alibaba"))["allowed"] is True


def test_d07_the_old_version_is_answered_in_itself_and_an_unknown_one_refused() -> None:
    answer = json.loads(HANDLER.respond("mutate", review(obj=two_cards("huawei"), version="v1beta1")).body)
    assert answer["apiVersion"] == "admission.k8s.io/v1beta1"
    assert answer["response"]["patchType"] == "JSONPatch"
    with pytest.raises(BadReviewError, match="v2"):
        HANDLER.respond("mutate", review(obj=two_cards("huawei"), version="v2"))


@pytest.mark.parametrize("whole", [huawei(count="2"), huawei(count="3"), deployment(huawei(count="3"))])
def test_d12_who_asks_makes_no_difference(whole: Json) -> None:
    users: list[Any] = [None, {}, {"username": "system:admin", "groups": ["system:masters"]}, {"username": "system:serviceaccount:a:b"}]
    for endpoint in ENDPOINTS:
        assert len({json.dumps(ask(endpoint, whole, userInfo=user)) for user in users}) == 1


def test_d12_other_optional_parts_of_a_request_may_be_missing_too() -> None:
    answer = response(HANDLER.respond("validate", review(obj=huawei(count="3"), namespace=None)).body)
    assert answer["allowed"] is False
