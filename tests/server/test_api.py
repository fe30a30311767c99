"""The API for portals, over TLS, with the verdicts of all other doors."""

import json
from typing import Any

import pytest

from tests.server.process import Server, review_bytes


def _post(server: Server, path: str, body: Any) -> tuple[int, Any]:
    status, answer = server.call(path, json.dumps(body).encode())
    return status, json.loads(answer)


def _object(name: str) -> Any:
    return json.loads(review_bytes(name))["request"]["object"]


def test_objects_are_checked(server: Server) -> None:
    objects = [_object("pod-create-plain"), _object("statefulset-create-uneven")]
    status, report = _post(server, "/v1/check", {"objects": objects})
    [finding] = report["findings"]
    assert (status, report["version"]) == (200, 1)
    assert report["summary"] == {"documents": 2, "pods": 1, "errors": 1, "warnings": 0}
    assert (finding["check"], finding["severity"], finding["dialect"], finding["document"]) == ("memory-step", "error", "alibaba", 1)
    assert (finding["kind"], finding["name"], finding["container"]) == ("StatefulSet", "sts", "a")
    assert finding["field"] == "spec.template.spec.containers[0].resources.limits[aliyun.com/gpu-mem]"


def test_shares_are_explained_with_exact_figures(server: Server) -> None:
    status, answer = _post(server, "/v1/explain", {"objects": [_object("pod-create-uneven-split")]})
    [pod] = answer["pods"]
    assert (status, pod["dialect"], pod["scheduler"]) == (200, "huawei", "volcano")
    [share] = pod["containers"]
    # 64 blocks of 128 MiB are 8192 MiB; neither that nor 20 % divides by three.
    assert share == {
        "name": "a",
        "cards": 3,
        "totalMemoryMiB": 8192,
        "totalCorePercent": 20,
        "perCard": {"memoryMiB": "8192/3", "corePercent": "20/3"},
        "whole": False,
        "memoryAtLeast": False,
    }


def test_objects_are_translated_and_what_changes_is_told(server: Server) -> None:
    review = _object("pod-create-volcengine-mutate")
    status, answer = _post(server, "/v1/convert", {"objects": [review], "to": "hami"})
    [pod] = answer["objects"]
    # 4096 MiB and 30 % over two cards
    assert pod["spec"]["containers"][0]["resources"]["limits"] == {
        "nvidia.com/gpu": 2,
        "nvidia.com/gpumem": 2048,
        "nvidia.com/gpucores": 15,
    }
    assert (status, answer["carried"], answer["remarks"], answer["findings"]) == (200, True, [], [])
    status, answer = _post(server, "/v1/convert", {"objects": [review], "to": "kai"})
    [remark, *_] = answer["remarks"]
    assert (status, answer["carried"], answer["objects"]) == (200, False, [review])
    assert (remark["outcome"], remark["document"], remark["container"]) == ("lost", 0, "worker")
    assert remark["field"] == "spec.containers[0].resources.limits[vke.volcengine.com/mgpu-memory]"
    status, answer = _post(server, "/v1/convert", {"objects": [review], "to": "kai", "allowLoss": True})
    assert (status, answer["carried"]) == (200, True)
    status, answer = _post(server, "/v1/convert", {"objects": [review], "to": "dra"})
    assert [obj["kind"] for obj in answer["objects"]] == ["ResourceClaimTemplate", "Pod"]


def test_a_dialect_that_cannot_be_written_is_refused_with_those_that_can(server: Server) -> None:
    status, answer = _post(server, "/v1/convert", {"objects": [], "to": "hammi"})
    assert status == 422
    assert answer["error"].startswith("body.to: must be one of alibaba, baidu, dra, hami,")


def test_a_body_of_another_shape_is_told_where_but_not_what(server: Server) -> None:
    status, answer = _post(server, "/v1/check", {"objects": ["s3cr3t"], "more": "s3cr3t"})
    assert status == 422
    assert "body.objects.0" in answer["error"]
    assert "body.more" in answer["error"]
    assert "s3cr3t" not in answer["error"]


@pytest.mark.parametrize(
    ("image", "said"),
    [
        pytest.param('"\\ud800"', "must be text in Unicode", id="half a character"),
        pytest.param('"\\udfff\\ud800"', "must be text in Unicode", id="the halves of one in the wrong order"),
        pytest.param("NaN", "must be JSON", id="not a number"),
        pytest.param("1e999", "must be JSON", id="a number beyond any"),
        pytest.param("[" * 300 + "]" * 300, "must not be nested deeper than 200 levels", id="lists within lists"),
    ],
)
@pytest.mark.parametrize("path", ["/v1/check", "/v1/explain", "/v1/convert"])
def test_what_no_answer_could_repeat_is_refused_rather_than_failed_on(server: Server, path: str, image: str, said: str) -> None:
    pod = _object("pod-create-volcengine-mutate")
    pod["spec"]["containers"][0]["image"] = "@"
    body = {"objects": [pod]} | ({"to": "hami"} if path == "/v1/convert" else {})
    status, answer = server.call(path, json.dumps(body).replace('"@"', image).encode())
    assert (status, json.loads(answer)["error"].partition(": ")[0]) == (422, "body.objects")
    assert said in json.loads(answer)["error"]


@pytest.mark.parametrize("value", [0, 1, "true", None, "no"])
def test_what_is_no_boolean_is_not_taken_for_one(server: Server, value: Any) -> None:
    status, answer = _post(server, "/v1/convert", {"objects": [], "to": "hami", "allowLoss": value})
    assert (status, answer["error"].partition(":")[0]) == (422, "body.allowLoss")


def test_a_whole_pair_of_surrogates_is_a_character_like_any_other(server: Server) -> None:
    assert _post(server, "/v1/check", {"objects": [_object("pod-create-plain") | {"note": "\U0001f600"}]})[0] == 200


def test_other_errors_are_json_too(server: Server) -> None:
    assert server.call("/v1/check", b"{", {"Content-Type": "text/plain"})[0] == 415
    assert server.call("/v1/check", b"[" * 100_000)[0] in (400, 422)
    assert json.loads(server.call("/v1/nothing", b"{}")[1]) == {"error": "not found"}
    assert json.loads(server.call("/v1/check", None, {}, "GET")[1]) == {"error": "method not allowed"}
    assert server.call("/v1/check", b" " * ((7 << 20) + 1))[0] == 413


def test_the_api_describes_itself(server: Server) -> None:
    status, body = server.call("/openapi.json", None, {}, "GET")
    paths = json.loads(body)["paths"]
    assert status == 200
    assert set(paths) == {"/v1/check", "/v1/convert", "/v1/explain"}
    assert {"400", "413", "415", "422", "503"} <= set(paths["/v1/check"]["post"]["responses"])
    assert server.call("/docs", None, {}, "GET")[0] == 200


def test_its_description_names_the_dialects_that_can_be_written(server: Server) -> None:
    (wish,) = (
        shape
        for shape in json.loads(server.call("/openapi.json", None, {}, "GET")[1])["components"]["schemas"].values()
        if "to" in shape.get("properties", {})
    )
    named = wish["properties"]["to"]["enum"]
    assert {"alibaba", "hami", "huawei", "volcengine"} < set(named)
    assert [name for name in named if _post(server, "/v1/convert", {"objects": [], "to": name})[0] != 200] == []


def test_the_api_can_be_switched_off(tmp_path_factory: Any) -> None:
    folder = tmp_path_factory.mktemp("off")
    with Server(folder, "--self-signed", environ={"PERCARD_SERVE__API": "false"}) as server:
        server.wait_for("serving")
        for path in ("/v1/check", "/docs", "/openapi.json"):
            assert server.call(path, b"{}") == (404, b'{"error": "no such path"}')
        assert server.call("/mutate", review_bytes("pod-create-plain"))[0] == 200
