"""What goes over the wire, byte for byte, and what is refused as no AdmissionReview."""

import json
from typing import Any

import pytest

from tests.admission.samples import UID, finding, handler, review
from webhook.admission.errors import BadReviewError
from webhook.core.patch import PatchOp

ALLOWED = (
    b'{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview",'
    b'"response":{"uid":"705ab4f5-6393-11e8-b7cc-42010a800002","allowed":true}}'
)
# base64 of [{"op":"add","path":"/spec/schedulerName","value":"volcano"}]
PATCH = b"W3sib3AiOiJhZGQiLCJwYXRoIjoiL3NwZWMvc2NoZWR1bGVyTmFtZSIsInZhbHVlIjoidm9sY2FubyJ9XQ=="
FIELD = b"spec.containers[0].resources.limits[volcano.sh/gpu-mem.128Mi]"


def test_an_allowed_request_is_answered_with_its_uid_and_nothing_else() -> None:
    assert handler().respond("validate", review()).body == ALLOWED


def test_v1beta1_is_answered_in_v1beta1() -> None:
    assert handler().respond("validate", review(version="v1beta1")).body == ALLOWED.replace(b"/v1", b"/v1beta1")


def test_a_patch_goes_out_as_base64_with_its_type() -> None:
    answer = handler(patch=(PatchOp("add", "/spec/schedulerName", "volcano"),)).respond("mutate", review())
    assert answer.body == ALLOWED.replace(b"true}", b'true,"patch":"' + PATCH + b'","patchType":"JSONPatch"}')


def test_a_removal_has_no_value() -> None:
    answer = handler(patch=(PatchOp("remove", "/metadata/labels/a~1b"),)).respond("mutate", review())
    assert b"W3sib3AiOiJyZW1vdmUiLCJwYXRoIjoiL21ldGFkYXRhL2xhYmVscy9hfjFiIn1d" in answer.body


def test_a_denial_is_written_as_the_api_server_wants_it() -> None:
    expected = (
        b'{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","response":{"uid":"705ab4f5-6393-11e8-b7cc-42010a800002",'
        b'"allowed":false,"status":{"status":"Failure",'
        b'"message":"percard: container \'app\', ' + FIELD + b": '63' must be a multiple; write '64' [memory-step]\","
        b'"reason":"Invalid","details":{"name":"p","group":"","kind":"Pod","causes":[{"reason":"FieldValueInvalid",'
        b"\"message\":\"percard: container 'app': '63' must be a multiple; write '64' [memory-step]\","
        b'"field":"'
        + FIELD
        + b'"}]},"code":422},"auditAnnotations":{"dialect":"","memory-unit":"","version":"1.2.3","checks":"memory-step"}}}'
    )
    assert handler(finding()).respond("validate", review()).body == expected


BAD = {
    "an empty body": b"",
    "text": b"hello",
    "null": b"null",
    "a number": b"1",
    "a list": b"[]",
    "an empty object": b"{}",
    "a review without a request": b'{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview"}',
    "a request that is null": b'{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":null}',
    "a request that is a list": b'{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":[]}',
    "an unknown version": review(version="v2"),
    "another kind": review().replace(b'"AdmissionReview"', b'"Pod"', 1),
    "no uid": review(uid=None),
    "an empty uid": review(uid=""),
    "a uid that is a number": review(uid=7),
    "a byte order mark": b"\xef\xbb\xbf" + review(),
    "invalid UTF-8 in the object": review().replace(b'"app"', b'"\xff"'),
    "NaN": review().replace(b'"app"', b"NaN"),
    "Infinity": review().replace(b'"app"', b"-Infinity"),
    "a hundred thousand brackets": review().replace(b'"app"', b"[" * 100_000 + b"]" * 100_000),
    "half a review": review()[:-20],
    "two reviews": review() * 2,
    "a gzip member": b"\x1f\x8b\x08\x00\x00\x00\x00\x00",
}


@pytest.mark.parametrize("body", BAD.values(), ids=BAD.keys())
@pytest.mark.parametrize("endpoint", ["mutate", "validate", "validate/warn", "validate/audit"])
def test_what_cannot_be_answered_is_refused(endpoint: Any, body: bytes) -> None:
    with pytest.raises(BadReviewError, match=r"^must "):
        handler().respond(endpoint, body)


def test_a_number_that_no_float_can_hold_is_refused_with_the_uid_for_the_log() -> None:
    with pytest.raises(BadReviewError, match="out of range") as caught:
        handler().respond("validate", review().replace(b'"app"', b"1e999"))
    assert caught.value.uid == UID


def test_the_reason_of_a_refusal_echoes_no_value() -> None:
    with pytest.raises(BadReviewError) as caught:
        handler().respond("validate", json.dumps({"apiVersion": "s3cr3t", "kind": "s3cr3t", "request": "s3cr3t"}).encode())
    assert "s3cr3t" not in str(caught.value)


def test_a_review_without_user_kind_or_namespace_is_answered() -> None:
    assert handler().respond("validate", review(kind=None, namespace=None)).body == ALLOWED


def test_a_large_integer_in_an_object_is_no_obstacle() -> None:
    assert handler().respond("validate", review().replace(b'"app"', b"9" * 400)).body == ALLOWED
