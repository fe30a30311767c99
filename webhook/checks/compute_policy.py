"""The compute policy must be one that the dialect knows, and with a list of cards the one that allows it."""

from collections.abc import Iterator

from webhook.core.arithmetic import either
from webhook.core.finding import ABSENT, NOT_SUPPORTED, REQUIRED, Complaint, quoted
from webhook.core.plugin import Check
from webhook.core.share import GpuPod


def _run(gpu: GpuPod) -> Iterator[Complaint]:
    key = gpu.dialect.compute_policy_key
    if key is None or not gpu.shares:
        return
    written = gpu.pod.annotations.get(key, ABSENT)
    allowed = gpu.dialect.compute_policies if gpu.count is None else (gpu.dialect.multi_card_compute_policy or "",)
    if written in allowed or (written is ABSENT and gpu.count is None):
        return
    condition = f" where {gpu.dialect.count_key} is set" if gpu.count is not None else ""
    rule = f"the annotation {key} must be {either(map(quoted, allowed))}{condition}"
    message = f"no compute policy; {rule}" if written is ABSENT else f"{quoted(written)} is no possible compute policy; {rule}"
    reason = REQUIRED if written is ABSENT else NOT_SUPPORTED
    hint = "write one of them, or leave it out" if gpu.count is None else f'write {key}: "{allowed[0]}"'
    yield Complaint(("metadata", "annotations", key), written, message, hint, reason, figures=(gpu.count is None,))


CHECK = Check(id="compute-policy", page=__doc__, run=_run)
