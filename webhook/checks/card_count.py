"""A card count must be a plain whole number, at most the dialect's maximum."""

import re
from collections.abc import Iterator

from webhook.core.finding import Complaint, quoted
from webhook.core.needs import Need
from webhook.core.plugin import Check
from webhook.core.share import GpuPod

# Digits of any script, with whatever else int() or a hurried hand lets through around them.
_ALMOST = re.compile(r"[\s+_]*0*(\d[\d_]*)(?:\.0*)?\s*")


def _run(gpu: GpuPod) -> Iterator[Complaint]:
    if gpu.count is None:
        return
    written, dialect = gpu.count.written, gpu.dialect
    if not isinstance(written, str):
        message = f"{quoted(written)} is not text; {dialect.count_place} must be strings"
        hint = f'write "{written}" in quotes' if type(written) is int else _example(gpu)
        yield Complaint(gpu.count.where, written, message, hint, figures=gpu.figures)
    elif dialect.count_is_list:
        for entry, cards in zip(written.split(","), gpu.entries or (), strict=False):
            if cards is None and entry.strip():
                yield _complaint(gpu, entry.strip())
    elif gpu.count.value is None:
        yield _complaint(gpu, written)


def _complaint(gpu: GpuPod, entry: str) -> Complaint:
    most = gpu.dialect.max_cards
    almost = _ALMOST.fullmatch(entry)
    number = almost and int(almost[1].replace("_", "")[:20] or "0")
    least = "1 or more, or 0 for a container that asks for nothing" if gpu.dialect.count_is_list else "1 or more"
    too_many = number and number > most and entry.isascii()
    problem = f"must be from 1 to {most}" if too_many else f"must be a whole number in plain digits, {least}"
    hint = f'write "{number}"' if number and number <= most else _example(gpu)
    message = f"{quoted(entry)} is not a card count; {problem}"
    return Complaint(gpu.count.where if gpu.count else (), gpu.count.written if gpu.count else entry, message, hint, figures=(entry,))


def _example(gpu: GpuPod) -> str:
    if gpu.dialect.count_is_list:
        return f'write one count from 1 to {gpu.dialect.max_cards} for each container, such as "2" for one or "2,0" for two'
    return f'write a number from 1 to {gpu.dialect.max_cards}, such as "2", or leave it out for one card'


CHECK = Check(id="card-count", page=__doc__, run=_run, needs=Need.UNFIT)
