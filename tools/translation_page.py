"""docs/translation.md and the pages below docs/translation: what each dialect can say, by having it say it."""

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import NamedTuple

from tools.markdown import code, document, table
from webhook import Engine, load_settings
from webhook.core.conversion import Converter
from webhook.core.plugin import Dialect
from webhook.core.pod import Where
from webhook.core.portions import Portion
from webhook.core.writing import Draft
from webhook.lint.converted import Files
from webhook.lint.converted import Pair as Translated
from webhook.lint.report import Unreadable
from webhook.wiring import build_translator

ROOT = Path(__file__).resolve().parent.parent
# One model is needed to write Baidu's keys at all.
SITE = {"dialects.baidu.card_model": "a10_24g"}

INTRODUCTION = """
percard reads every dialect into one model, cards, memory and compute on each card, and writes it in another:

* `percard convert --to DIALECT` translates manifests and tells what changes ([pages](#pairs) of the pairs that matter);
* `percard convert --report` says for every pod in which dialects it could run;
* the setting `target` has the mutating webhook rewrite pods when they are created ([below](#at-creation)).

What changes has one of four names. **rounded**: the target counts in larger steps, it gives up to one step more, never less.
**assumed**: the translation rests on something that no manifest tells. **lost**: the target cannot say it; `percard convert`
stops unless `--allow-loss` leaves it out. **impossible**: nothing could be written that means the same.
"""

MATRIX = """
## What each dialect can say

A cell is what becomes of the request in the row: *yes*, *rounded*, *loses compute*, or *no*. Memory is on each card.
"""

CREATION = """
## At creation

With `target: hami` (or another dialect that can be written, but `dra`, whose claims are objects of their own) `/mutate`
rewrites the pods of all other dialects: the source's resource keys go, the target's stand in limits and requests alike, the
scheduler name becomes the target's, the annotation `percard.webhook/source` says which dialect the pod came in, and
`percard.webhook/limits` what each card gives in the target. The target need not be enabled. Workloads are left alone, so that
what Git holds and what the cluster stores stay the same; their pods are rewritten one by one.

The source's labels and annotations go too, unless `target_keep_source` is true. A pod of which something would be lost is not
rewritten but refused, with the reasons, by the check [target-dialect](checks.md#target-dialect); with `target_allow_loss` it is
rewritten without. What /mutate writes, /validate judges by the target's own rules, and a pod that came past the mutating
webhook is refused.
"""

ARITHMETIC = """
## Arithmetic

With N cards, m MiB and c % on each of them:

| dialect | cards | memory | compute | whole cards |
|---|---|---|---|---|
| `volcengine` | list entry N | N · m | N · c | 100 · N, no memory |
| `huawei` | label N | N · ⌈m / 128⌉ | N · ⌈c / 5⌉ · 5 | 100 · N, least memory |
| `alibaba` | label N | N · ⌈m / 1024⌉, at least | one card only, ⌈c / 5⌉ · 5 | – |
| `hami` | N | m | c | 100, no memory |
| `volcano_vgpu` | N | m / factor | c | 100, no memory |
| `koordinator` | N | N · m Mi | N · c | 100 · N of both |
| `kai` | N | m, or a fraction | – | – |
| `tencent` | from the compute | N · ⌈m / 1024⌉ | N · ⌈c / 5⌉ · 5 | 100 · N, no memory |
| `baidu` | N | N · ⌈m / 1024⌉ | N · c, 5 at least | cards alone |
| `dra` | count N | m Mi | c | no capacity |

A percentage of a card's memory is carried over as such where the target has one too. Into MiB it is translated where
`card_memory_mib` of the source's dialect says how large the site's cards are, rounded down as the stacks do; else it is
impossible.

Structural differences: cards that differ between containers have no form in a dialect with one count for the pod. Containers
that sit on the same cards (Alibaba, gpushare) or see all of the pod's (Koordinator) lose that elsewhere. How hard a limit is
kept is a label of the node in Volcengine, Alibaba and Tencent, and not part of a pod at all.
"""


class Pair(NamedTuple):
    """A page: its file's name, its title, the manifest that it translates, into what, and the text above."""

    name: str
    title: str
    source: str
    target: str
    text: str


_VOLCENGINE_TO_HAMI = """
Totals become figures of each card, which HAMi enforces on the node. Everything that a valid Volcengine pod asks for can be
said; the list of card counts becomes a count in each container.
"""
_HUAWEI_TO_ALIBABA = """
Blocks of 128 MiB become GiB, rounded up on each card. Compute on several cards is lost: gpushare shares memory there.
Containers that had cards of their own sit on the same ones.
"""
_ALIBABA_TO_HUAWEI = """
Alibaba's GiB is a scaled unit: k of them give at least k · 1024 MiB, up to 7 % more. Huawei is asked for the least; whoever
relied on more has to raise it. Several containers of a pod lose that they sit on the same cards.
"""
_ANY_TO_DRA = """
A `ResourceClaimTemplate` with a request for each container is printed before the manifest that refers to it. Capacity names,
device class and driver are those of vgpu-manager unless `device_class` and `device_driver` say otherwise; a driver that
publishes no such capacity cannot run it.
"""
_PAIRS = (
    Pair("volcengine-to-hami", "Volcengine to HAMi", "manifests/examples/volcengine/deployment.yaml", "hami", _VOLCENGINE_TO_HAMI),
    Pair("huawei-to-alibaba", "Huawei to Alibaba", "manifests/examples/huawei/deployment.yaml", "alibaba", _HUAWEI_TO_ALIBABA),
    Pair("alibaba-to-huawei", "Alibaba to Huawei", "manifests/examples/alibaba/job.yaml", "huawei", _ALIBABA_TO_HUAWEI),
    Pair("any-to-dra", "Any dialect to DRA", "manifests/examples/volcengine/deployment.yaml", "dra", _ANY_TO_DRA),
)


def _where(number: int) -> Where:
    return ("spec", "containers", number)


def _portions(*asked: tuple[int, int | None, int | None]) -> tuple[Portion, ...]:
    return tuple(
        Portion(_where(number), f"c{number}", cards, memory, core_percent=core) for number, (cards, memory, core) in enumerate(asked)
    )


# What is asked for in a row, as portions.
_ROWS: tuple[tuple[str, tuple[Portion, ...]], ...] = (
    ("1 card, 4096 MiB, 15 %", _portions((1, 4096, 15))),
    ("1 card, 4096 MiB, compute not limited", _portions((1, 4096, None))),
    ("2 cards, 4096 MiB, 15 % each", _portions((2, 4096, 15))),
    ("2 cards, 4096 MiB, 80 % each", _portions((2, 4096, 80))),
    ("2 cards, 4096 MiB each, compute not limited", _portions((2, 4096, None))),
    ("3 cards, 1000 MiB, 7 % each", _portions((3, 1000, 7))),
    ("2 whole cards", (Portion(_where(0), "c0", 2, core_percent=100, whole=True),)),
    ("half of a card's memory", (Portion(_where(0), "c0", 1, memory_percent=Fraction(50)),)),
    ("two containers: 1 card each, alike", _portions((1, 4096, 15), (1, 4096, 15))),
    ("two containers: 2 cards each, 4096 and 2048 MiB", _portions((2, 4096, 15), (2, 2048, 15))),
    ("two containers: 1 and 2 cards", _portions((1, 4096, 15), (2, 4096, 15))),
)


def translation() -> str:
    """Return docs/translation.md."""
    engine = _engine()
    written = list(engine.targets.values())
    head = ("request", *(code(dialect.id) for dialect in written))
    rows = [(name, *(_cell(dialect, portions) for dialect in written)) for name, portions in _ROWS]
    listed = [f"* [{pair.title}](translation/{pair.name}.md)" for pair in _PAIRS]
    return document("Translation", INTRODUCTION, MATRIX, table(head, rows), ARITHMETIC, CREATION, "## Pairs", "\n".join(listed))


def _engine() -> Engine:
    return build_translator(load_settings(None, {}, SITE))


def _cell(target: Dialect, portions: tuple[Portion, ...]) -> str:
    draft = Draft(target, portions, [(portion.where, {}) for portion in portions])
    if target.write is not None:
        target.write(draft)
    found = {remark.outcome for remark in draft.remarks}
    names = (("impossible", "no"), ("lost", "loses compute"), ("rounded", "rounded"))
    return next((text for outcome, text in names if outcome in found), "yes")


def pages() -> dict[str, Callable[[], str]]:
    """Return the pages of pairs by file, each with the function that returns its whole text."""
    return {f"docs/translation/{pair.name}.md": partial(_page, pair) for pair in _PAIRS}


def _page(pair: Pair) -> str:
    engine = _engine()
    target = next(dialect for dialect in engine.dialects if dialect.id == pair.target)
    files = Files(Converter(engine, target, allow_loss=True))
    told = [line for found in files.translate([str(ROOT / pair.source)]) if not isinstance(found, Unreadable) for line in _told(found)]
    return document(
        pair.title,
        pair.text,
        f"## An example\n\n`percard convert --to {pair.target} --allow-loss {pair.source}` makes of",
        _fenced((ROOT / pair.source).read_text(encoding="utf-8")),
        "this:",
        _fenced(files.as_yaml()),
        "\n".join(["It tells:", "", *(f"* {line}" for line in told)]) if told else "It tells of no change.",
        "All dialects are on the page on [translation](../translation.md).",
    )


def _told(found: Translated) -> list[str]:
    return [f"**{remark.outcome}**: {remark.text}" for _, remark in found[1].told]


def _fenced(text: str) -> str:
    return f"```yaml\n{text.rstrip()}\n```"
