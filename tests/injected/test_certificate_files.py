"""Certificate files in every bad state: each is told, the pair before goes on being served, and a good one ends it."""

import os
import ssl
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import trustme

from tests.injected.conditions import LOOKS_OFTEN, NO_RIGHTS, before_start
from tests.server.process import Server, review_bytes

GOOD = review_bytes("pod-create-volcengine-mutate")


class Files:
    """A certificate file and a key file that are written in place, as by hand or by a tool that knows no better."""

    def __init__(self, folder: Path, ca: trustme.CA) -> None:
        self.certificate, self.key = folder / "tls.crt", folder / "tls.key"
        self._ca = ca
        self.leaf = b""

    def issue(self, begin: datetime | None = None, end: datetime | None = None) -> tuple[bytes, bytes]:
        """Return a fresh leaf and its key."""
        leaf = self._ca.issue_cert("127.0.0.1", not_before=begin, not_after=end)
        return leaf.cert_chain_pems[0].bytes(), leaf.private_key_pem.bytes()

    def write(self, pair: tuple[bytes, bytes]) -> None:
        """Write both, whatever was there."""
        for path, content in zip((self.certificate, self.key), pair, strict=True):
            self.clear(path)
            path.write_bytes(content)
        self.leaf = pair[0]

    @staticmethod
    def clear(path: Path) -> None:
        """Remove what is there."""
        if path.is_dir() and not path.is_symlink():
            path.rmdir()
        else:
            path.unlink(missing_ok=True)


def _cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def _instead(path: Path, make: Callable[[Path], object]) -> None:
    Files.clear(path)
    make(path)


def _swapped(files: Files) -> None:
    certificate, key = files.issue()
    files.certificate.write_bytes(key)
    files.key.write_bytes(certificate)


def _only_half_exchanged(files: Files) -> None:
    files.certificate.write_bytes(files.issue()[0])


def _expired(files: Files) -> None:
    for path, content in zip((files.certificate, files.key), files.issue(end=datetime.now(UTC) - timedelta(seconds=1)), strict=True):
        path.write_bytes(content)


def _not_begun(files: Files) -> None:
    tomorrow = datetime.now(UTC) + timedelta(days=1)
    for path, content in zip((files.certificate, files.key), files.issue(begin=tomorrow, end=tomorrow + timedelta(days=1)), strict=True):
        path.write_bytes(content)


def _with_a_broken_key_inside(files: Files) -> None:
    """The point of the public key is on no curve: the certificate can be read, its key cannot."""
    der = bytearray(ssl.PEM_cert_to_DER_cert(files.certificate.read_text()))
    point = der.index(b"\x03\x42\x00\x04") + 10
    der[point] ^= 1
    files.certificate.write_text(ssl.DER_cert_to_PEM_cert(bytes(der)))


STATES: dict[str, tuple[Callable[[Files], object], str]] = {
    "certificate empty": (lambda files: files.certificate.write_bytes(b""), "the certificate must be a PEM chain"),
    "key empty": (lambda files: files.key.write_bytes(b""), "the private key must be a PEM key"),
    "certificate half written": (lambda files: _cut(files.certificate), "the certificate must be a PEM chain"),
    "key half written": (lambda files: _cut(files.key), "the private key must be a PEM key"),
    "swapped": (_swapped, "the certificate must be a PEM chain"),
    "only one of them exchanged": (_only_half_exchanged, "the private key must be that of the first certificate"),
    "expired": (_expired, "the certificate expired at"),
    "not begun": (_not_begun, "the certificate is not valid before"),
    "one wrong byte in the public key": (_with_a_broken_key_inside, "the certificate must be a PEM chain"),
    "certificate gone": (lambda files: Files.clear(files.certificate), "No such file or directory"),
    "key a folder": (lambda files: _instead(files.key, Path.mkdir), "Is a directory"),
    "certificate a pipe": (lambda files: _instead(files.certificate, os.mkfifo), "must be a file"),
    "key a link to itself": (lambda files: _instead(files.key, lambda path: path.symlink_to(path)), "Too many levels of symbolic links"),
    "key unreadable": (lambda files: files.key.chmod(0), "Permission denied"),
    "certificate endless": (lambda files: _instead(files.certificate, lambda path: path.symlink_to("/dev/zero")), "must be a file"),
    "key of two MiB": (lambda files: files.key.write_bytes(b"x" * (2 << 20)), "must be smaller than 1048576 bytes"),
}


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Server, Files]]:
    """Serve, as a user without any rights, what two files hold."""
    folder, ca = tmp_path_factory.mktemp("certificates"), trustme.CA()
    files = Files(folder, ca)
    files.write(files.issue())
    arguments = ("--cert", str(files.certificate), "--key", str(files.key))
    with Server(folder, *arguments, environ=before_start(folder / "site", LOOKS_OFTEN, NO_RIGHTS)) as server:
        server.wait_for("serving")
        server.ca = ssl.create_default_context(cadata=ca.cert_pem.bytes().decode())
        yield server, files


@pytest.mark.parametrize("state", STATES)
def test_a_bad_state_is_told_and_the_pair_before_is_served_until_a_good_one_comes(served: tuple[Server, Files], state: str) -> None:
    server, files = served
    damage, reason = STATES[state]
    before = files.leaf
    told, in_force = len(server.lines("certificate not usable")), len(server.lines("certificate in force"))
    damage(files)
    _wait_for_reason(server, reason, told)
    assert ssl.get_server_certificate(("127.0.0.1", server.port)).encode() == before
    assert (server.call("/mutate", GOOD)[0], server.ops("/readyz")[0]) == (200, 200)
    files.write(files.issue())
    server.wait_for("certificate in force", in_force + 1)
    assert ssl.get_server_certificate(("127.0.0.1", server.port)).encode() == files.leaf
    assert server.process.poll() is None


def _wait_for_reason(server: Server, reason: str, told: int) -> None:
    """Wait until the reason is told; what is met while two files are being written may come before it."""
    while reason not in server.wait_for("certificate not usable", told + 1)["reason"]:
        told += 1
