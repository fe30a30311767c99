"""percard as its manifests install it, its two programs as processes: there is no node that could run pods."""

import base64
import os
import sys
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import yaml

from tests.e2e.controlplane import ControlPlane
from tests.e2e.installed.api import Api
from tests.e2e.kubectl import Kubectl
from tests.e2e.processes import Process
from tests.manifests.shipped import rendered_folder
from tools.manifests import MANIFESTS

NAMESPACE = "percard-system"
SECRET = f"/api/v1/namespaces/{NAMESPACE}/secrets/percard-tls"
ADMISSION = "/apis/admissionregistration.k8s.io/v1"
CONFIGURATIONS = (f"{ADMISSION}/mutatingwebhookconfigurations/percard", f"{ADMISSION}/validatingwebhookconfigurations/percard")
_BIN = Path(sys.executable).parent
_SETTINGS = MANIFESTS / "base" / "server" / "settings.yaml"
_PATCH = """\
- target: {{kind: {kind}, name: percard}}
  patch: |-
"""
_OPERATION = """\
    - op: replace
      path: /webhooks/{index}/clientConfig
      value: {{url: "{url}"}}
"""


def overlay_with_url(folder: Path, url: str, overlay: str = "self-signed", manifests: Path = MANIFESTS) -> Path:
    """Write an overlay that takes a shipped one as it is and only turns `service` into `url`."""
    folder.mkdir(parents=True, exist_ok=True)
    shipped = manifests / "overlays" / overlay
    text = "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n"
    text += f"resources: [{os.path.relpath(shipped.resolve(), folder.resolve())}]\npatches:\n"
    for document in yaml.safe_load_all(rendered_folder(shipped)):
        if document["kind"].endswith("WebhookConfiguration"):
            paths = [entry["clientConfig"]["service"]["path"] for entry in document["webhooks"]]
            text += _PATCH.format(kind=document["kind"])
            text += "".join(_OPERATION.format(index=index, url=url + path) for index, path in enumerate(paths))
    (folder / "kustomization.yaml").write_text(text, encoding="utf-8")
    return folder


@contextmanager
def server_process(folder: Path, tls: Path, port: int, ops_port: int) -> Iterator[Process]:
    """Run `percard serve` with the shipped settings, but for addresses and the place of the certificate."""
    command: list[str | Path] = [_BIN / "percard", "serve", "--config", _SETTINGS, "--host", "127.0.0.1"]
    command += ["--port", str(port), "--ops-port", str(ops_port), "--cert", tls / "tls.crt", "--key", tls / "tls.key"]
    with Process(command, folder / f"server-{port}.log") as process:
        process.wait_until(lambda: is_ready(ops_port))
        yield process


@contextmanager
def certs_process(cluster: ControlPlane, *flags: str) -> Iterator[Process]:
    """Run `percard-certs` with the rights that the manifests give it."""
    command: list[str | Path] = [sys.executable, "-m", "certs.main", f"--namespace={NAMESPACE}", "--name=127.0.0.1"]
    command += [f"--kubeconfig={service_account(cluster).kubeconfig}", *flags]
    with Process(command, cluster.folder / "certs.log") as process:
        yield process


def service_account(cluster: ControlPlane) -> Kubectl:
    """Return a kubectl with the rights of the keeper of certificates."""
    token = cluster.kubectl.succeed("create", "token", "percard-certs", "-n", NAMESPACE).out.strip()
    return cluster.for_token(token)


def is_ready(ops_port: int) -> bool:
    """Say whether a server is ready."""
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{ops_port}/readyz", timeout=5) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False


def bundles(api: Api) -> list[bytes]:
    """Return caBundle of every entry of both configurations."""
    entries: Sequence[dict[str, dict[str, str]]] = [entry for path in CONFIGURATIONS for entry in api.get(path)["webhooks"]]
    return [base64.b64decode(entry["clientConfig"].get("caBundle", "")) for entry in entries]
