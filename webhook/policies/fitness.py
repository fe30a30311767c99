"""Whether shares and counts are plainly right, so that no rule about them has to be looked at: what most pods are."""

from webhook.policies import cel
from webhook.policies.model import Site


def is_fit(site: Site) -> str:
    """Return a condition; where it does not hold, nothing needs to be wrong."""
    shares = site.variable("shares")
    alone = [f"{shares}.size() == 1"] if site.dialect.card_bears_all else [f"{shares}.size() > 0"]
    return cel.all_of([*alone, *_counts(site), f"{shares}.all(s, {cel.all_of(_share(site))})"])


def _counts(site: Site) -> list[str]:
    """Return conditions on the list of counts; a count for all is unreadable where a share has no cards."""
    if not site.dialect.count_is_list:
        return []
    entries, given = site.variable("entries"), site.variable("given")
    fits = f"{entries}.size() == {site.variable('names')}.size() && {given}.size() == {site.variable('asking')}.size()"
    return [f"!{site.variable('counted')} || ({fits})"]


def _share(site: Site) -> list[str]:
    """Return conditions on a share `s`."""
    dialect = site.dialect
    others = [f"s.{role} < 0" for role in dialect.resources if role not in ("memory", "core")]
    compute = cel.all_of(_compute(site))
    compute = compute if dialect.compute_required else f"s.core < 0 || ({compute})"
    return ["s.cards > 0", f"s.cards <= {dialect.max_cards}", *others, *_memory(site), compute]


def _memory(site: Site) -> list[str]:
    dialect = site.dialect
    least = max(dialect.memory_min_mib, dialect.memory_min_multi_mib or 0)
    step, most = f"s.mib % (s.cards * {dialect.memory_step_mib}) == 0", f"s.mib <= s.cards * {dialect.memory_max_mib}"
    return ["s.memory > 0", step, f"s.mib >= s.cards * {least}", most]


def _compute(site: Site) -> list[str]:
    dialect = site.dialect
    most = "s.core < s.cards * 100" if dialect.whole_cards_leave_memory_out else "s.core <= s.cards * 100"
    one_card = [] if dialect.compute_over_several_cards else ["s.cards == 1"]
    step = f"s.core % (s.cards * {dialect.core_step_percent}) == 0"
    return ["s.core > 0", step, f"s.core >= s.cards * {dialect.core_min_percent}", most, *one_card]
