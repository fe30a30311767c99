"""The requests of the comparison: pods that are patched, the same with a mistake, the same without marks."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

_REVIEW = Path(__file__).with_name("review.json")
_MARK = "vke.volcengine.com/"
_MEMORY = "vke.volcengine.com/mgpu-memory"
_LETTERS = "bcdfghjklmnpqrstvwxz2456789"
# More than any server remembers of what it answered.
VARIANTS = 1500

Review = dict[str, Any]


def patched() -> Review:
    """Return a review of a pod of two containers, one of which takes 4096 MiB and 30 % over two cards."""
    review: Review = json.loads(_REVIEW.read_text(encoding="utf-8"))
    return review


def denied() -> Review:
    """Return the same with 4097 MiB, which two cards cannot share; the scheduler is set, as after /mutate."""
    review = patched()
    _set_memory(review, 4097)
    review["request"]["object"]["spec"]["schedulerName"] = "volcano"
    return review


def unmarked() -> Review:
    """Return the same without any key of a vendor."""
    review: Review = _without_marks(patched())
    return review


def of_one_workload(review: Review) -> Iterator[Review]:
    """Yield reviews of the replicas of one workload.

    As they reach a webhook they differ in the uid of the request and in the name of the volume with
    the service account's token, which the API server draws for every pod.
    """
    drawn_name = review["request"]["object"]["spec"]["volumes"][0]["name"]
    text = json.dumps(review)
    for index in range(VARIANTS):
        name = "".join(_LETTERS[index // len(_LETTERS) ** place % len(_LETTERS)] for place in range(5))
        variant: Review = json.loads(text.replace(drawn_name, f"kube-api-access-{name}"))
        variant["request"]["uid"] = f"705ab4f5-6393-11e8-b7cc-{index:012d}"
        yield variant


def of_many_workloads(review: Review) -> Iterator[Review]:
    """Yield reviews of pods of different workloads: other names, labels, images and sizes."""
    first_mib = int(_resources(review)["limits"].get(_MEMORY, 0))
    for index, variant in enumerate(of_one_workload(review)):
        pod = variant["request"]["object"]
        pod["metadata"]["generateName"] = f"trainer-{index}-7c9f8d6b5d-"
        pod["metadata"]["labels"]["app"] = f"trainer-{index}"
        pod["spec"]["containers"][0]["image"] = f"registry.example/trainer:{index}"
        if first_mib:
            _set_memory(variant, first_mib + 2 * index)
        yield variant


CASES: dict[str, tuple[Callable[[], Review], Callable[[Review], Iterator[Review]]]] = {
    "patched": (patched, of_one_workload),
    "denied": (denied, of_one_workload),
    "unmarked": (unmarked, of_one_workload),
    "patched-varied": (patched, of_many_workloads),
    "denied-varied": (denied, of_many_workloads),
}


def write_bodies(case: str, file: Path) -> Path:
    """Write the reviews of a case as the API server would send them, without blanks, one a line."""
    make, vary = CASES[case]
    lines = (json.dumps(review, separators=(",", ":")) for review in vary(make()))
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return file


def _resources(review: Review) -> dict[str, Any]:
    resources: dict[str, Any] = review["request"]["object"]["spec"]["containers"][0]["resources"]
    return resources


def _set_memory(review: Review, mib: int) -> None:
    for side in ("limits", "requests"):
        _resources(review)[side][_MEMORY] = str(mib)


def _without_marks(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_marks(item) for key, item in value.items() if _MARK not in key}
    return [_without_marks(item) for item in value] if isinstance(value, list) else value
