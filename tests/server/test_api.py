"""The API for portals, over TLS, with the verdicts of all other doors."""

import json
import re
from typing import Any

import pytest

from tests.cli.program import percard
from tests.server.process import CAP, Server, review_bytes


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


def test_an_object_instead_of_a_list_of_objects_is_told_what_must_be_there(server: Server) -> None:
    status, answer = _post(server, "/v1/check", {"kind": "Pod"})
    told = "body.objects: must be given; body.kind: must be left out, there is no such field here"
    assert (status, answer) == (422, {"error": told})


def test_other_errors_are_json_too(server: Server) -> None:
    assert server.call("/v1/check", b"{", {"Content-Type": "text/plain"})[0] == 415
    assert server.call("/v1/check", b"[" * 100_000)[0] == 400
    assert json.loads(server.call("/v1/nothing", b"{}")[1]) == {"error": "not found"}
    assert json.loads(server.call("/v1/check", None, {}, "GET")[1]) == {"error": "method not allowed"}
    assert server.call("/v1/check", b" " * (CAP + 1))[0] == 413


def test_the_api_describes_itself(server: Server) -> None:
    status, body = server.call("/openapi.json", None, {}, "GET")
    paths = json.loads(body)["paths"]
    assert status == 200
    assert set(paths) == {"/v1/check", "/v1/convert", "/v1/explain"}
    assert {"400", "413", "415", "422", "503"} <= set(paths["/v1/check"]["post"]["responses"])


def test_the_page_for_people_needs_nothing_from_another_host(server: Server) -> None:
    status, page = server.call("/docs", None, {}, "GET")
    assert status == 200
    links = re.findall(r'(?:src|href)="([^"]+)"', page.decode())
    assert [link for link in links if link.endswith((".js", ".css"))] != []
    assert '"validatorUrl": null' in page.decode()  # else it shows the description to a validator on another host
    for link in links:
        assert link.startswith("/docs/files/")
        status, content = server.call(link, None, {}, "GET")
        assert (status, bool(content)) == (200, True)


def test_the_api_can_be_switched_off(tmp_path_factory: Any) -> None:
    folder = tmp_path_factory.mktemp("off")
    with Server(folder, "--self-signed", environ={"PERCARD_SERVE__API": "false"}) as server:
        server.wait_for("serving")
        for path in ("/v1/check", "/docs", "/openapi.json"):
            assert server.call(path, b"{}") == (404, b'{"error": "no such path"}')
        assert server.call("/mutate", review_bytes("pod-create-plain"))[0] == 200


VOLCENGINE = {
    "apiVersion": "v1",
    "kind": "Pod",
    "metadata": {"name": "train", "namespace": "team"},
    "spec": {
        "schedulerName": "volcano",
        "containers": [{"name": "a", "image": "a:1", "resources": {"limits": {"vke.volcengine.com/mgpu-core": 200}}}],
    },
}


def _changed(**metadata: str) -> Any:
    changed = json.loads(json.dumps(VOLCENGINE))
    changed["metadata"] |= metadata
    changed["spec"]["nodeName"] = "gpu-node-1"
    return changed


@pytest.mark.parametrize(
    "obj",
    [
        pytest.param(VOLCENGINE, id="whole cards under an accepted scheduler"),
        pytest.param(_changed(), id="a new pod that names its node"),
        pytest.param(_changed(resourceVersion="7"), id="a pod that was taken from a cluster"),
        pytest.param(_object("pod-create-uneven-split"), id="a split that does not divide"),
        pytest.param(_object("statefulset-create-uneven"), id="a template"),
        pytest.param({"apiVersion": "v1", "kind": "List", "items": [VOLCENGINE, _object("pod-create-huawei-mutate")]}, id="a list"),
    ],
)
def test_an_object_is_told_the_same_as_by_the_command_line(server: Server, obj: Any) -> None:
    found, explained = (json.loads(percard(command, "-o", "json", "-", stdin=json.dumps(obj)).stdout) for command in ("check", "explain"))
    _, report = _post(server, "/v1/check", {"objects": [obj]})
    assert report["summary"].items() <= found["summary"].items()
    assert sorted(map(_told, report["findings"])) == sorted(map(_told, found["findings"]))
    pods = [{key: value for key, value in pod.items() if key != "file"} for pod in explained["pods"]]
    assert _post(server, "/v1/explain", {"objects": [obj]})[1] == {"version": 1, "pods": pods}


def _told(finding: dict[str, Any]) -> str:
    """Return a finding without its place in a file, which an object has not."""
    return json.dumps({key: value for key, value in finding.items() if key not in ("file", "line", "column", "endLine", "endColumn")})
