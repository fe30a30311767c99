"""`memory-step`: memory divides into multiples of the step on each card."""

from collections.abc import Iterator

from webhook.policies.messages import amount, each, least_mib, memory_rule, nearest_memory, split
from webhook.policies.model import Rule, Site
from webhook.policies.shares import WHOLE, is_in_bytes


def _complaints(site: Site) -> Iterator[str]:
    dialect = site.dialect
    unit, quantum = dialect.memory_unit_mib, f"(s.cards * {dialect.memory_step_mib})"
    # The remainder is taken before the unit comes in: a product with it could exceed 64 bits.
    uneven = f"s.memory > 0 && s.cards > 0 && s.memory % {quantum} * {unit} % {quantum} != 0"
    whole = f" && !({WHOLE})" if dialect.whole_cards_leave_memory_out else ""
    condition = f"{uneven} && !({is_in_bytes(dialect, 'memory')}){whole}"
    yield each(site, condition, amount("memory"), "' is '", split("s.mib", "MiB"), memory_rule(site), nearest_memory(site, least_mib(site)))


RULE = Rule(check="memory-step", complaints=_complaints)
