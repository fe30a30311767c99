"""A mounted Secret: files behind the link `..data`, which is swapped in one step, as the kubelet does it."""

from pathlib import Path

import trustme


class MountedSecret:
    """A folder with `tls.crt` and `tls.key`."""

    def __init__(self, folder: Path) -> None:
        """Make the folder; there are no files in it yet."""
        folder.mkdir()
        self._folder = folder
        self._version = 0
        self.arguments = ("--cert", str(folder / "tls.crt"), "--key", str(folder / "tls.key"))

    def mount(self, certificate: bytes, key: bytes) -> None:
        """Swap the files."""
        self._version += 1
        content = self._folder / f"..{self._version}"
        content.mkdir()
        (content / "tls.crt").write_bytes(certificate)
        (content / "tls.key").write_bytes(key)
        (self._folder / "..new").symlink_to(content.name)
        (self._folder / "..new").rename(self._folder / "..data")
        for name in ("tls.crt", "tls.key"):
            if self._version == 1:
                (self._folder / name).symlink_to(f"..data/{name}")

    def issue(self, ca: trustme.CA) -> bytes:
        """Swap in a fresh leaf of a CA; return its PEM chain."""
        leaf = ca.issue_cert("127.0.0.1")
        certificate = b"".join(part.bytes() for part in leaf.cert_chain_pems)
        self.mount(certificate, leaf.private_key_pem.bytes())
        return certificate
