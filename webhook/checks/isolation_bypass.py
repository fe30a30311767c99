"""A container that shares should not switch the isolation off."""

from collections.abc import Iterator
from typing import Any

from webhook.core.finding import Complaint
from webhook.core.plugin import Check
from webhook.core.pod import mapping, sequence
from webhook.core.share import GpuPod, GpuShare
from webhook.core.vocabulary import KeyPatterns

_VISIBLE_DEVICES = "NVIDIA_VISIBLE_DEVICES"
# With these values the NVIDIA runtime injects no card of its own accord (NVIDIA container toolkit, "Environment variables").
_NO_DEVICES = ("void", "none")
_OFF = ("", "0", "false", "False")


def _run(gpu: GpuPod) -> Iterator[Complaint]:
    for share in gpu.shares:
        container = share.ask.container
        if mapping(container.get("securityContext")).get("privileged") is True:
            message = "is privileged: it sees every card of the node, whatever its share says"
            where = (*share.ask.where, "securityContext", "privileged")
            hint = "drop privileged, or run it in a pod without a share"
            yield Complaint(where, value=True, message=message, hint=hint, container=share.name)
        if container.get("env"):
            yield from _environment(gpu, share)


def _environment(gpu: GpuPod, share: GpuShare) -> Iterator[Complaint]:
    switches = KeyPatterns(gpu.dialect.isolation_env)
    for index, entry in enumerate(sequence(share.ask.container.get("env"))):
        name = entry.get("name") if isinstance(entry, dict) else None
        if isinstance(name, str) and _lifts_isolation(name, entry.get("value"), switches):
            message = f"sets {name}, which lifts the isolation of its share"
            yield Complaint((*share.ask.where, "env", index, "name"), name, message, f"remove {name}", container=share.name)


def _lifts_isolation(name: str, value: Any, switches: KeyPatterns) -> bool:
    if name == _VISIBLE_DEVICES:
        return value not in _NO_DEVICES
    return name in switches and value not in _OFF


CHECK = Check(id="isolation-bypass", page=__doc__, run=_run, severity="warning")
