"""A count or policy should stand on the pod, where the vendor reads it, and beside containers that ask."""

from collections.abc import Iterator
from typing import Any

from webhook.core.finding import Complaint, quoted
from webhook.core.needs import Need
from webhook.core.plugin import Check, Place
from webhook.core.pod import mapping, text_of
from webhook.core.share import GpuPod

_OTHER: dict[Place, Place] = {"labels": "annotations", "annotations": "labels"}


def _run(gpu: GpuPod) -> Iterator[Complaint]:
    for key, where, written, container in gpu.survey.misplaced.get(gpu.dialect.id, ()):
        complaint = _complaint(gpu, where, "a container's resources", written, gpu.dialect.pod_keys[key])
        complaint.container = container
        yield complaint
    for key, place in gpu.dialect.pod_keys.items():
        yield from _in_wrong_place(gpu, key, place)
        if not gpu.marked and key in gpu.pod.keys_in(place):
            written = gpu.pod.keys_in(place)[key]
            message = f"{quoted(written)} has no effect: no container asks for {_wanted(gpu)}"
            yield Complaint(("metadata", place, key), written, message, "add the resource to a container's limits, or remove the key")


def _in_wrong_place(gpu: GpuPod, key: str, place: Place) -> Iterator[Complaint]:
    if key in gpu.pod.keys_in(place):
        return
    other = _OTHER[place]
    if key in gpu.pod.keys_in(other):
        yield _complaint(gpu, ("metadata", other, key), f"the pod's {other}", gpu.pod.keys_in(other)[key], place)
    if gpu.pod.is_template:
        owner = mapping(gpu.pod.owner.get("metadata"))
        for found in (place, other):
            if key in mapping(owner.get(found)):
                complaint = _complaint(
                    gpu,
                    ("metadata", found, key),
                    f"the {found} of the {text_of(gpu.pod.owner.get('kind'))}",
                    mapping(owner[found])[key],
                    place,
                )
                complaint.of_owner = True
                yield complaint


def _complaint(gpu: GpuPod, where: tuple[str | int, ...], found: str, written: Any, place: Place) -> Complaint:
    pod = "pod template" if gpu.pod.is_template else "pod"
    message = f"{where[-1]} in {found} has no effect; it must be {_article(place)} of the {pod}"
    return Complaint(where, written, message, f"move it to metadata.{place} of the {pod}")


def _article(place: Place) -> str:
    return "a label" if place == "labels" else "an annotation"


def _wanted(gpu: GpuPod) -> str:
    return " or ".join(gpu.dialect.resources.values())


CHECK = Check(id="misplaced-key", page=__doc__, run=_run, needs=Need.NOTHING, severity="warning")
