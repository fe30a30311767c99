"""What the kubelet does for a pod: keeps files of a Secret current, by one swap of a link."""

import base64
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

from tests.e2e.installed.api import Api

# Items of the Secret that the shipped Deployment mounts.
_ITEMS = ("tls.crt", "tls.key")
_EVERY_SECONDS = 0.3


class Mount:
    """A folder with the items of one Secret."""

    def __init__(self, api: Api, secret: str, folder: Path) -> None:
        self._api = api
        self._secret = secret
        self._numbers = count(1)
        self._present: dict[str, bytes] = {}
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    def sync(self) -> None:
        """Bring the folder up to date; a Secret that is missing leaves the files as they are."""
        reply = self._api.request("GET", self._secret)
        data = {key: base64.b64decode(value) for key, value in reply.body.get("data", {}).items() if key in _ITEMS}
        if not reply.ok or len(data) < len(_ITEMS) or data == self._present:
            return
        version = self.folder / f"..{next(self._numbers)}"
        version.mkdir()
        for name, content in data.items():
            (version / name).write_bytes(content)
            if not (self.folder / name).is_symlink():
                (self.folder / name).symlink_to(f"..data/{name}")
        (self.folder / "..data_tmp").symlink_to(version.name)
        (self.folder / "..data_tmp").rename(self.folder / "..data")
        self._present = data


@contextmanager
def mounted(api: Api, secret: str, folder: Path) -> Iterator[Path]:
    """Keep a folder up to date while the block runs."""
    mount, ending = Mount(api, secret, folder), threading.Event()

    def run() -> None:
        while not ending.wait(_EVERY_SECONDS):
            mount.sync()

    thread = threading.Thread(target=run)
    thread.start()
    try:
        yield folder
    finally:
        ending.set()
        thread.join()
