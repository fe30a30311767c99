"""`percard convert`: claims, styles of YAML, JSON, several documents, the report, and wrong usage."""

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.cli.program import percard
from tests.translation.manifests import DEPLOYMENT, HAMI


@pytest.fixture
def file(tmp_path: Path) -> Path:
    file = tmp_path / "infer.yaml"
    file.write_text(DEPLOYMENT, encoding="utf-8")
    return file


def test_a_claim_template_stands_before_the_pod_that_refers_to_it(file: Path) -> None:
    done = percard("convert", "--to", "dra", file)
    assert done.returncode == 0, done.stderr
    template, deployment = yaml.safe_load_all(done.stdout)
    assert (template["apiVersion"], template["kind"], template["metadata"]) == (
        "resource.k8s.io/v1",
        "ResourceClaimTemplate",
        {"name": "infer-gpu"},
    )
    assert template["spec"]["spec"]["devices"] == {
        "requests": [
            {
                "name": "gpu",
                "exactly": {
                    "deviceClassName": "vgpu-manager",
                    "allocationMode": "ExactCount",
                    "count": 2,
                    "capacity": {"requests": {"memory": "4Gi", "cores": "15"}},
                },
            }
        ],
        "constraints": [{"requests": ["gpu"], "distinctAttribute": "manager.nvidia.com/uuid"}],
    }
    spec = deployment["spec"]["template"]["spec"]
    assert spec["resourceClaims"] == [{"name": "gpu", "resourceClaimTemplateName": "infer-gpu"}]
    assert spec["containers"][0]["resources"] == {
        "limits": {"cpu": "2"},
        "requests": {"cpu": "2"},
        "claims": [{"name": "gpu", "request": "gpu"}],
    }


def test_several_containers_have_a_request_each(tmp_path: Path) -> None:
    source = DEPLOYMENT.replace('"2"   # cards', '"2,1"').replace(
        "          resources:\n            limits:\n              cpu",
        "          resources: &r\n            limits:\n              cpu",
    )
    source += "        - name: side\n          image: registry.example/side:1\n          resources: *r\n"
    (tmp_path / "two.yaml").write_text(source, encoding="utf-8")
    done = percard("convert", "--to", "dra", tmp_path / "two.yaml")
    assert done.returncode == 0, done.stderr
    template, deployment = yaml.safe_load_all(done.stdout)
    requests = {entry["name"]: entry["exactly"] for entry in template["spec"]["spec"]["devices"]["requests"]}
    assert {name: (exactly["count"], exactly["capacity"]["requests"]) for name, exactly in requests.items()} == {
        "app": (2, {"memory": "4Gi", "cores": "15"}),
        "side": (1, {"memory": "8Gi", "cores": "30"}),
    }
    containers = deployment["spec"]["template"]["spec"]["containers"]
    assert [container["resources"]["claims"] for container in containers] == [
        [{"name": "gpu", "request": "app"}],
        [{"name": "gpu", "request": "side"}],
    ]


MEMORY, CORE = "vke.volcengine.com/mgpu-memory", "vke.volcengine.com/mgpu-core"
STYLES = {
    "flow style": f"{{cpu: 1, {MEMORY}: 512, {CORE}: 30}}",
    "an anchor": f"&x\n          cpu: 1\n          {MEMORY}: 512\n          {CORE}: 30",
    "a folded value": f"\n          cpu: 1\n          {MEMORY}: >-\n            512\n          {CORE}: 30",
    "quoted keys": f'\n          cpu: 1\n          "{MEMORY}": "512"\n          "{CORE}": "30"',
    "no other resource": f"\n          {MEMORY}: 512\n          {CORE}: 30",
}


@pytest.mark.parametrize("style", STYLES)
def test_every_style_comes_out_right(style: str) -> None:
    head = "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec:\n  containers:\n    - name: app\n"
    done = percard("convert", "--to", "hami", "-", stdin=f"{head}      resources:\n        limits: {STYLES[style]}\n")
    assert done.returncode == 0, done.stderr
    limits = yaml.safe_load(done.stdout)["spec"]["containers"][0]["resources"]["limits"]
    assert limits.pop("cpu", 1) == 1
    assert limits == {"nvidia.com/gpu": 1, "nvidia.com/gpumem": 512, "nvidia.com/gpucores": 30}


def test_other_documents_of_a_file_stay_as_they_are(tmp_path: Path) -> None:
    service = "# the door\napiVersion: v1\nkind: Service\nmetadata: {name:   infer}\n"
    (tmp_path / "all.yaml").write_text(f"{service}---\n{DEPLOYMENT}---\n# nothing\n---\n{service}", encoding="utf-8")
    done = percard("convert", "--to", "hami", tmp_path / "all.yaml")
    assert (done.returncode, done.stdout) == (0, f"{service}---\n{HAMI}---\n# nothing\n---\n{service}")


def test_json_comes_out_as_json_and_several_documents_as_a_list(file: Path) -> None:
    one = json.loads(percard("convert", "--to", "hami", "-o", "json", file).stdout)
    assert one == yaml.safe_load(HAMI)
    two = json.loads(percard("convert", "--to", "dra", "-o", "json", file).stdout)
    assert [item["kind"] for item in two["items"]] == ["ResourceClaimTemplate", "Deployment"]


def test_a_manifest_with_errors_is_told_and_left(tmp_path: Path) -> None:
    source = DEPLOYMENT.replace("mgpu-core: 30", "mgpu-core: 31")
    (tmp_path / "odd.yaml").write_text(source, encoding="utf-8")
    done = percard("convert", "--to", "hami", tmp_path / "odd.yaml")
    assert (done.returncode, done.stdout) == (1, source)
    assert "[core-step]" in done.stderr


def test_percards_own_annotation_says_what_is_asked_for_now() -> None:
    patched = percard("patch", "-", stdin=DEPLOYMENT).stdout
    done = percard("convert", "--to", "hami", "-", stdin=patched)
    assert done.returncode == 0, done.stderr
    annotations = yaml.safe_load(done.stdout)["spec"]["template"]["metadata"]["annotations"]
    assert json.loads(annotations["percard.webhook/limits"]) == {
        "containers": {"app": {"cards": 2, "corePercent": 15, "memoryMiB": 4096}},
        "dialect": "hami",
    }


def test_a_label_that_a_workload_selects_by_stays() -> None:
    labels = {"app": "infer", "volcano.sh/gpu-num": "2"}
    limits = {"volcano.sh/gpu-mem.128Mi": 64}
    spec = {"schedulerName": "volcano", "containers": [{"name": "app", "image": "i:1", "resources": {"limits": limits}}]}
    template: dict[str, Any] = {"metadata": {"labels": labels}, "spec": spec}
    workload = {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "infer"}}
    workload["spec"] = {"selector": {"matchLabels": labels}, "template": template}
    done = percard("convert", "--to", "hami", "-o", "json", "-", stdin=json.dumps(workload))
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["spec"]["template"]["metadata"]["labels"] == labels


def test_the_report_is_a_table_over_all_dialects(file: Path) -> None:
    done = percard("convert", "--report", file)
    rows = {row.split()[3]: row.split()[4] for row in done.stdout.splitlines()[1:]}
    assert done.returncode == 0
    assert rows == {
        "alibaba": "loses",
        "baidu": "no",
        "dra": "assumes",
        "hami": "same",
        "huawei": "same",
        "kai": "loses",
        "koordinator": "same",
        "tencent": "no",
        "volcano_vgpu": "assumes",
    }
    told = json.loads(percard("convert", "--report", "-o", "json", file).stdout)["pods"]
    assert {row["target"]: row["outcome"] for row in told} == rows


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("p.yaml",), "give the dialect to write with --to"),
        (("--to", "hammi", "p.yaml"), "'hammi' cannot be written; did you mean 'hami'? It must be one of alibaba, baidu, dra, hami,"),
        (("--to", "volcano_gpushare", "p.yaml"), "'volcano_gpushare' cannot be written"),
        (("--report", "--to", "hami", "p.yaml"), "--report looks at every dialect"),
    ],
)
def test_wrong_usage_says_what_to_write(arguments: tuple[str, ...], message: str) -> None:
    done = percard("convert", *arguments)
    assert done.returncode == 2
    assert message in " ".join(done.stderr.split())


def test_hyphens_do_as_well(file: Path) -> None:
    assert "volcano.sh/vgpu-number: 2" in percard("convert", "--to", "volcano-vgpu", file).stdout


def test_a_file_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    (tmp_path / "broken.yaml").write_text("a: [\n", encoding="utf-8")
    done = percard("convert", "--to", "hami", tmp_path / "broken.yaml", tmp_path / "none.yaml")
    assert done.returncode == 3
    assert "broken.yaml:" in done.stderr
    assert "none.yaml: unreadable: no such file or folder" in done.stderr
