"""Dialects that nobody ships, each data of its own in ways that percard's own do not combine, and pods in their spelling."""

import json
from collections.abc import Iterator
from typing import Any, NamedTuple

from tests.e2e.policies.cases import Case, complete
from tests.e2e.policies.samples import Samples
from tests.support.kinds import built_in
from tests.support.pods import (
    CG_CORE,
    CG_COUNT,
    CG_MEMORY,
    CG_PLACEMENT,
    CG_TFLOPS,
    MG_CORE,
    MG_LIST,
    MG_MEMORY,
    MG_POLICY,
    XG_CORE,
    XG_COUNT,
    XG_MEMORY,
    as_template,
)
from webhook import build_engine
from webhook.core.engine import Engine
from webhook.core.plugin import Dialect
from webhook.core.reading import read_label_count, read_shares
from webhook.core.share import GpuPod

Json = dict[str, Any]
_SEED = 77


def _read(gpu: GpuPod) -> None:
    read_shares(gpu)
    read_label_count(gpu)


class Stranger(NamedTuple):
    """A dialect, and how keys of drawn pods are spelt in it."""

    dialect: Dialect
    spelling: dict[str, str]

    def spelt(self, pod: Json) -> Json:
        """Return a drawn pod with the dialect's own keys."""
        text = json.dumps(pod)
        for known, key in self.spelling.items():
            text = text.replace(json.dumps(known), json.dumps(key))
        found: Json = json.loads(text)
        return found


_HUAWEI, _ALIBABA = (XG_MEMORY, XG_CORE, XG_COUNT), (CG_MEMORY, CG_CORE, CG_COUNT)
_LABELLED: dict[str, tuple[tuple[str, str, str], Json]] = {
    "odd_units": (_HUAWEI, {"memory_unit_mib": 96, "memory_step_mib": 128, "memory_min_mib": 192, "core_step_percent": 7}),
    "on_one_seat": (
        _ALIBABA,
        {
            "containers_share_cards": True,
            "full_compute_is_whole_card": False,
            "memory_unit_mib": 64,
            "memory_min_mib": 64,
            "memory_min_multi_mib": 256,
            "memory_max_mib": 4096,
            "core_min_percent": 10,
            "max_cards": 12,
        },
    ),
    "in_a_pool": (_ALIBABA, {"containers_share_cards": True, "containers_pool_cards": True, "core_step_percent": 5}),
    "one_card": (
        _HUAWEI,
        {
            "compute_required": True,
            "compute_over_several_cards": False,
            "whole_cards_leave_memory_out": True,
            "init_containers_share": True,
            "scheduler_name": "one-card-scheduler",
            "accepted_schedulers": ("volcano",),
            "memory_unit_mib": 1024,
            "memory_unit_is_scaled": True,
        },
    ),
}
_LISTED: dict[str, Json] = {
    "by_position": {"max_cards": 3, "memory_step_mib": 1000, "core_step_percent": 15, "scheduler_name": "position-scheduler"},
    "by_position_loosely": {"compute_required": True, "full_compute_is_whole_card": False, "memory_min_mib": 100},
}


def strangers() -> list[Stranger]:
    """Return the dialects; the reader of lists is that of the one dialect that has them."""
    (listing,) = (dialect.read for dialect in build_engine().dialects if dialect.count_is_list)
    labelled = [_by_label(name, spelt, **fields) for name, (spelt, fields) in _LABELLED.items()]
    return [*labelled, *(_by_list(name, listing, **fields) for name, fields in _LISTED.items())]


def _by_label(name: str, spelt: tuple[str, str, str], **fields: Any) -> Stranger:
    domain = f"{name.replace('_', '-')}.example"
    keys = {"memory": f"{domain}/memory", "core": f"{domain}/core"}
    count = f"{domain}/cards"
    placement, placed = f"{domain}/placement", ("pack", "it's")
    own: Json = {"placement_key": placement, "placement_values": placed, "isolation_env": ("CGPU_DISABLE",), "count_place": "labels"}
    dialect = _made(name, keys, count, {"read": _read, **own, **fields})
    return Stranger(
        dialect, dict(zip(spelt, (*keys.values(), count), strict=True)) | {CG_PLACEMENT: placement, CG_TFLOPS: f"{domain}/tflops"}
    )


def _by_list(name: str, listing: Any, **fields: Any) -> Stranger:
    domain = f"{name.replace('_', '-')}.example"
    keys = {"memory": f"{domain}/memory", "core": f"{domain}/core"}
    count, policy = f"{domain}/counts", f"{domain}/policy"
    own: Json = {"compute_policy_key": policy, "compute_policies": ("turbo", "fixed-share"), "multi_card_compute_policy": "turbo"}
    own |= {"count_place": "annotations", "count_is_list": True, "reserved_keys": ("volcano.sh/bind-*",)}
    dialect = _made(name, keys, count, {"read": listing, **own, **fields})
    return Stranger(dialect, {MG_MEMORY: keys["memory"], MG_CORE: keys["core"], MG_LIST: count, MG_POLICY: policy})


def _made(name: str, keys: dict[str, str], count: str, fields: Json) -> Dialect:
    family = keys["memory"].partition("/")[0] + "/"
    title = f"It's {name} \\ 中"
    return Dialect(id=name, title=title, page="", resources=keys, families=(family,), count_key=count, **fields)


def engine() -> Engine:
    """Return an engine that knows the strangers and nobody else."""
    plain = build_engine()
    return Engine([one.dialect for one in strangers()], plain.checks, plain.rules)


def drawn(pods: int) -> Iterator[Case]:
    """Yield so many pods in the spelling of each dialect, every third as a workload."""
    samples = Samples(_SEED)
    for stranger in strangers():
        for number in range(pods):
            pod = stranger.spelt(_drawn(samples, stranger))
            made = built_in(as_template(pod))
            case = complete(made[sorted(made)[number % len(made)]][0]) if number % 3 == 0 else pod
            yield Case(f"{stranger.dialect.id} {number}", case)


def _drawn(samples: Samples, stranger: Stranger) -> Json:
    """Draw until a pod comes that the dialect is a spelling of."""
    while True:
        pod = samples.pod()
        if next(iter(stranger.spelling)) in json.dumps(pod):
            return pod
