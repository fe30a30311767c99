"""A request for a share must equal its limit, and never stand alone."""

from collections.abc import Iterator
from typing import Any

from webhook.core.finding import ABSENT, REQUIRED, Complaint, quoted
from webhook.core.needs import Need
from webhook.core.plugin import Check
from webhook.core.quantity import UnparsableError, parse_quantity
from webhook.core.share import Ask, GpuPod


def _run(gpu: GpuPod) -> Iterator[Complaint]:
    for share in gpu.shares:
        if share.ask.requests:
            yield from _compare(gpu, share.ask)


def _compare(gpu: GpuPod, ask: Ask) -> Iterator[Complaint]:
    for role, request in ask.requests.items():
        limit = ask.limits.get(role, ABSENT)
        if limit is request or limit == request:
            continue
        key = gpu.dialect.resources[role]
        if limit is ABSENT:
            message = f"the request {quoted(request)} has no limit; a request must equal its limit"
            where = (*ask.where, "resources", "limits", key)
            hint = f"add {key}: {quoted(request)} to limits"
            yield Complaint(where, ABSENT, message, hint, REQUIRED, ask.name, figures=(str(request),))
        elif not _equal(request, limit):
            message = f"the request {quoted(request)} is not the limit {quoted(limit)}; a request must equal its limit"
            where = (*ask.where, "resources", "requests", key)
            hint = f"write {quoted(limit)}, or leave the request out"
            yield Complaint(where, request, message, hint, container=ask.name, figures=(str(request), str(limit)))


def _equal(request: Any, limit: Any) -> bool:
    """Say whether two quantities are the same number; an unreadable limit is the check `quantity`'s business."""
    try:
        wanted = parse_quantity(limit)
    except UnparsableError:
        return True
    try:
        return parse_quantity(request) == wanted
    except UnparsableError:
        return False


CHECK = Check(id="requests-limits", page=__doc__, run=_run, needs=Need.REQUESTS)
