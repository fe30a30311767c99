"""Manifests that tests of the checker start from."""

import io
from collections.abc import Iterator

from webhook.lint.chunks import cut
from webhook.lint.document import Document
from webhook.lint.faults import DocumentError, position_of
from webhook.lint.reading import read

# 64 blocks of 128 MiB over 3 cards do not divide; over 2 cards they are 4096 MiB each.
POD = """\
apiVersion: v1
kind: Pod
metadata:
  name: trial
  namespace: team
  labels:
    volcano.sh/gpu-num: "{cards}"
spec:
  schedulerName: volcano
  containers:
    - name: app
      image: example.com/app:1
      resources:
        limits:
          volcano.sh/gpu-mem.128Mi: {memory}
"""
PLAIN = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: plain\n"
MEMORY = ("spec", "containers", 0, "resources", "limits", "volcano.sh/gpu-mem.128Mi")


def good_pod() -> str:
    """Return a pod without findings."""
    return POD.format(cards=2, memory='"64"')


def bad_pod(memory: str = '"64"') -> str:
    """Return a pod with one finding, `memory-step`, at the memory."""
    return POD.format(cards=3, memory=memory)


def documents(text: str | bytes) -> Iterator[Document]:
    """Yield the documents of a file."""
    data = text.encode() if isinstance(text, str) else text
    for chunk in cut(data, io.BytesIO()):
        yield from read(chunk)


def only(text: str | bytes) -> Document:
    """Return the only document of a file."""
    (document,) = documents(text)
    return document


def fault(text: str) -> tuple[str, int, int]:
    """Return the message, line and column of the first fault in a text that must have one."""
    for chunk in cut(text.encode(), io.BytesIO()):
        try:
            list(read(chunk))
        except DocumentError as error:
            place = position_of(chunk.text, error.index, error.index, chunk.line)
            return error.message, place.line, place.column
    message = "the text has no fault"
    raise AssertionError(message)
