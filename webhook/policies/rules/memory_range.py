"""`memory-range`: memory on each card lies between the dialect's minimum and maximum, also in sum where containers share cards."""

from collections.abc import Iterator

from webhook.core.wording import mib_text
from webhook.policies import cel, sums
from webhook.policies.messages import amount, each, least_mib, nearest_memory, split
from webhook.policies.model import Rule, Site
from webhook.policies.shares import WHOLE, is_in_bytes


def _complaints(site: Site) -> Iterator[str]:
    dialect = site.dialect
    words = (amount("memory"), "' is '", split("s.mib", "MiB"), _bound(site), nearest_memory(site, least_mib(site)))
    yield each(site, _out_of_range(site), *words)
    if dialect.card_bears_all:
        most = f"(s.cards > 0 ? int(s.cards) : {dialect.max_cards}) * {dialect.memory_max_mib}"
        rule = f"; must be at most {mib_text(dialect.memory_max_mib)} on each card, as all its containers sit on the same cards"
        alone = cel.any_of([_out_of_range(site), f"s.memory > 0 && {is_in_bytes(dialect, 'memory')}"])
        yield sums.exceeding(site, "mib", most, rule, unless=alone)


def _out_of_range(site: Site) -> str:
    dialect = site.dialect
    over = f"s.mib > s.cards * {dialect.memory_max_mib} && !({is_in_bytes(dialect, 'memory')})"
    whole = f" && !({WHOLE})" if dialect.whole_cards_leave_memory_out else ""
    return f"s.memory > 0 && s.cards > 0{whole} && ({_is_low(site)} || {over})"


def _is_low(site: Site) -> str:
    return f"s.mib < s.cards * {least_mib(site)}"


def _bound(site: Site) -> str:
    dialect = site.dialect
    several = dialect.memory_min_multi_mib
    least = cel.text(f"; must be at least {mib_text(dialect.memory_min_mib)} on each card")
    if several is not None:
        more = cel.text(f"; must be at least {mib_text(several)} on each card")
        least = f"({least_mib(site)} == {several} ? {more} : {least})"
    most = cel.text(f"; must be at most {mib_text(dialect.memory_max_mib)} on each card")
    return f"({_is_low(site)} ? {least} : {most})"


RULE = Rule(check="memory-range", complaints=_complaints)
