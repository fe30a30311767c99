"""A real control plane on the loopback interface: etcd, kube-apiserver and kube-controller-manager."""

import ssl
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import trustme

from tests.e2e.kubectl import Kubectl
from tests.e2e.processes import Process, free_ports, wait_for
from tests.e2e.programs import Programs

_ADMIN_TOKEN = "administrator"  # noqa: S105 -- of a server that lives for one test run, on loopback
_KUBECONFIG = """\
apiVersion: v1
kind: Config
current-context: test
contexts: [{{name: test, context: {{cluster: test, user: test}}}}]
clusters: [{{name: test, cluster: {{server: "{url}", certificate-authority: "{ca}"}}}}]
users: [{{name: test, user: {{token: "{token}"}}}}]
"""


@dataclass(frozen=True, slots=True)
class ControlPlane:
    """A running cluster without nodes."""

    folder: Path
    url: str
    ca_file: Path
    kubectl: Kubectl
    apiserver: Process
    admin_token: str

    def for_token(self, token: str) -> Kubectl:
        """Return a kubectl that signs in with another token."""
        file = self.folder / f"kubeconfig-{abs(hash(token))}"
        file.write_text(_KUBECONFIG.format(url=self.url, ca=self.ca_file, token=token), encoding="utf-8")
        return Kubectl(self.kubectl.program, file)

    def metrics(self) -> str:
        """Return the API server's own metrics, in Prometheus' text format."""
        return self.kubectl.succeed("get", "--raw", "/metrics").out


@contextmanager
def control_plane(programs: Programs, folder: Path, authority: trustme.CA) -> Iterator[ControlPlane]:
    """Run a control plane whose files and logs are in `folder`; `authority` signs its certificate."""
    client_port, peer_port, secure_port = free_ports(3)
    etcd_url = f"http://127.0.0.1:{client_port}"
    url = f"https://127.0.0.1:{secure_port}"
    _write_files(folder, url, authority)
    with ExitStack() as running:

        def start(program: Path, flags: Sequence[str]) -> Process:
            return running.enter_context(Process([program, *flags], folder / f"{program.name}.log"))

        etcd = start(programs.etcd, _etcd_flags(folder, etcd_url, f"http://127.0.0.1:{peer_port}"))
        etcd.wait_until(lambda: _answers(f"{etcd_url}/health"))
        apiserver = start(programs.apiserver, _apiserver_flags(folder, etcd_url, secure_port))
        apiserver.wait_until(lambda: _answers(f"{url}/readyz", folder / "ca.crt"))
        start(programs.controller_manager, _controller_manager_flags(folder))
        cluster = ControlPlane(folder, url, folder / "ca.crt", Kubectl(programs.kubectl, folder / "kubeconfig"), apiserver, _ADMIN_TOKEN)
        wait_for(lambda: _has_default_account(cluster), "kube-controller-manager made no default service account")
        yield cluster


def _has_default_account(cluster: ControlPlane) -> bool:
    return cluster.kubectl.run("get", "serviceaccount", "default", "-n", "default").code == 0


def _write_files(folder: Path, url: str, authority: trustme.CA) -> None:
    authority.cert_pem.write_to_path(folder / "ca.crt")
    served = authority.issue_cert("127.0.0.1", "localhost", "kubernetes.default.svc")
    served.private_key_pem.write_to_path(folder / "apiserver.key")
    for pem in served.cert_chain_pems:
        pem.write_to_path(folder / "apiserver.crt", append=True)
    authority.issue_cert("service-accounts.example").private_key_pem.write_to_path(folder / "sa.key")
    (folder / "tokens.csv").write_text(f"{_ADMIN_TOKEN},admin,admin,system:masters\n", encoding="utf-8")
    config = _KUBECONFIG.format(url=url, ca=folder / "ca.crt", token=_ADMIN_TOKEN)
    (folder / "kubeconfig").write_text(config, encoding="utf-8")


def _etcd_flags(folder: Path, client_url: str, peer_url: str) -> list[str]:
    return [
        f"--data-dir={folder / 'etcd'}",
        f"--listen-client-urls={client_url}",
        f"--advertise-client-urls={client_url}",
        f"--listen-peer-urls={peer_url}",
        f"--initial-advertise-peer-urls={peer_url}",
        f"--initial-cluster=default={peer_url}",
        "--unsafe-no-fsync",
    ]


def _apiserver_flags(folder: Path, etcd_url: str, port: int) -> list[str]:
    return [
        f"--etcd-servers={etcd_url}",
        "--bind-address=127.0.0.1",
        f"--secure-port={port}",
        f"--cert-dir={folder}",
        f"--tls-cert-file={folder / 'apiserver.crt'}",
        f"--tls-private-key-file={folder / 'apiserver.key'}",
        "--service-account-issuer=https://kubernetes.default.svc",
        f"--service-account-key-file={folder / 'sa.key'}",
        f"--service-account-signing-key-file={folder / 'sa.key'}",
        f"--token-auth-file={folder / 'tokens.csv'}",
        "--authorization-mode=RBAC",
        "--service-cluster-ip-range=10.0.0.0/24",
        "--disable-admission-plugins=ServiceAccount",
        "--allow-privileged=true",
    ]


def _controller_manager_flags(folder: Path) -> list[str]:
    return [
        f"--kubeconfig={folder / 'kubeconfig'}",
        f"--service-account-private-key-file={folder / 'sa.key'}",
        "--bind-address=127.0.0.1",
        "--secure-port=0",
        "--leader-elect=false",
        "--controllers=*,-nodeipam,-service-lb-controller,-cloud-node-lifecycle-controller",
    ]


def _answers(url: str, ca_file: Path | None = None) -> bool:
    context = ssl.create_default_context(cafile=ca_file) if ca_file else None
    request = urllib.request.Request(url, headers={"Authorization": f"Bearer {_ADMIN_TOKEN}"})  # noqa: S310 -- its own loopback URL
    try:
        with urllib.request.urlopen(request, timeout=5, context=context) as answer:  # noqa: S310 -- as above
            return bool(answer.status == 200)
    except (OSError, urllib.error.URLError):
        return False
