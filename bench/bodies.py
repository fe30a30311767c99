"""The three requests of the comparison: a pod that is patched, the same with a mistake, the same without marks."""

import json
from pathlib import Path
from typing import Any

_REVIEW = Path(__file__).with_name("review.json")
_MARK = "vke.volcengine.com/"
_MEMORY = "vke.volcengine.com/mgpu-memory"

Review = dict[str, Any]


def patched() -> Review:
    """Return a review of a pod of two containers, one of which takes 4096 MiB and 30 % over two cards."""
    review: Review = json.loads(_REVIEW.read_text(encoding="utf-8"))
    return review


def denied() -> Review:
    """Return the same with 4097 MiB, which two cards cannot share; the scheduler is set, as after /mutate."""
    review = patched()
    resources = _containers(review)[0]["resources"]
    for side in ("limits", "requests"):
        resources[side][_MEMORY] = "4097"
    review["request"]["object"]["spec"]["schedulerName"] = "volcano"
    return review


def unmarked() -> Review:
    """Return the same without any key of a vendor."""
    review: Review = _without_marks(patched())
    return review


def write_body(review: Review, file: Path) -> Path:
    """Write a review as the API server would send it, without blanks."""
    file.write_text(json.dumps(review, separators=(",", ":")), encoding="utf-8")
    return file


def _containers(review: Review) -> list[dict[str, Any]]:
    containers: list[dict[str, Any]] = review["request"]["object"]["spec"]["containers"]
    return containers


def _without_marks(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_marks(item) for key, item in value.items() if _MARK not in key}
    return [_without_marks(item) for item in value] if isinstance(value, list) else value
