"""Baidu CCE, sGPU: totals over the cards, with the card's model in the key.

With MODEL for one of the models below:

| what | where | unit |
|---|---|---|
| cards | `baidu.com/MODEL_cgpu` in limits and requests | a number |
| memory | `baidu.com/MODEL_cgpu_memory` | GiB, total over the cards |
| memory | `baidu.com/MODEL_cgpu_memory_percent` | percent of one card's memory, total over the cards |
| compute | `baidu.com/MODEL_cgpu_core` | percent of one card, total over the cards; without it not limited |

Models: `v100_16g`, `v100_32g`, `t4_16g`, `a100_40g`, `a100_80g`, `a800_80g`, `a30_24g`, `a10_24g`. Cards alone are taken
whole. Memory and compute must divide into whole figures per card, at least 1 GiB and 5 %; compute needs memory. All models
are read; what is written needs to know one, `card_model`.

The value of schedulerName for Baidu's AI job scheduler is not public: percard writes none unless `scheduler_name` says it.

Read by `percard convert`, and elsewhere where `enabled` is true or this is the `target`.

Sources: Baidu AI Cloud CCE, "Multi-GPU sharing" (gln2l2e6u-intl-en), "GPU exclusive and shared usage" (Pkp7ygb1u-intl-en).
"""

from dataclasses import replace

from webhook.core.counting import read_counted_shares
from webhook.core.plugin import Dialect
from webhook.core.portions import GIB_IN_MIB, Grant
from webhook.core.share import GpuPod
from webhook.core.writing import Draft

_MODELS = ("v100_16g", "v100_32g", "t4_16g", "a100_40g", "a100_80g", "a800_80g", "a30_24g", "a10_24g")
_ENDINGS = {"cards": "", "memory": "_memory", "memory_percent": "_memory_percent", "core": "_core"}


def _keys(model: str) -> dict[str, str]:
    return {role: f"baidu.com/{model}_cgpu{ending}" for role, ending in _ENDINGS.items()}


def _read(gpu: GpuPod) -> None:
    """Read the pod as a dialect whose keys are those of the first model that is asked for; other models keep their names."""
    asks = gpu.survey.asks.get(gpu.dialect.id, [])
    asked = [role for ask in asks for role in (*ask.limits, *ask.requests)]
    if asked:
        model = asked[0].partition("@")[2]
        others = {role: key for role, key in gpu.dialect.resources.items() if not role.endswith(f"@{model}")}
        gpu.dialect = replace(gpu.dialect, resources={**_keys(model), **others}, card_model=model)
        for ask in [*asks, *gpu.init_asks]:
            ask.limits = {role.removesuffix(f"@{model}"): written for role, written in ask.limits.items()}
            ask.requests = {role.removesuffix(f"@{model}"): written for role, written in ask.requests.items()}
    read_counted_shares(gpu)


def _write(draft: Draft) -> None:
    if draft.dialect.card_model is None:
        draft.remark("impossible", "the keys hold the card's model: set dialects.baidu.card_model")
        return
    keys = _keys(draft.dialect.card_model)
    for portion in draft.portions:
        if portion.whole:
            draft.give(portion, {keys["cards"]: portion.cards}, Grant(whole=True))
        else:
            draft.share(portion, keys)


DIALECT = Dialect(
    id="baidu",
    title="Baidu CCE sGPU",
    page=__doc__,
    resources={f"{role}@{model}": key for model in _MODELS for role, key in _keys(model).items()},
    families=tuple(f"baidu.com/{model}_cgpu" for model in _MODELS),
    resource_sets=tuple(
        map(
            frozenset,
            (
                ("cards",),
                ("cards", "memory"),
                ("cards", "memory", "core"),
                ("cards", "memory_percent"),
                ("cards", "memory_percent", "core"),
            ),
        )
    ),
    full_compute_is_whole_card=False,
    read=_read,
    write=_write,
    enabled=False,
    memory_units_mib=(GIB_IN_MIB,),
    memory_unit_mib=GIB_IN_MIB,
    memory_step_mib=GIB_IN_MIB,
    memory_min_mib=GIB_IN_MIB,
    core_min_percent=5,
    card_models=_MODELS,
)
