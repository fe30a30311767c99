"""How a policy words what a share gets wrong: container, value as written, arithmetic, nearest valid values."""

from webhook.core.portions import WHOLE_CARD_PERCENT
from webhook.core.wording import step_text
from webhook.policies import cel
from webhook.policies.model import Site


def each(site: Site, condition: str, *message: str) -> str:
    """Return a list of messages, one for each share `s` that meets the condition."""
    return f"{site.variable('shares')}.filter(s, {condition})\n.map(s, {cel.said('s.label', *message)})"


def container(name: str) -> str:
    """Return how a message begins that is about a container."""
    return f'"container \'" + {name} + "\': "'


def amount(role: str) -> str:
    """Return an amount of a share `s` between quotes; the API server has seen to it that it is a short one."""
    return f'"\'" + s.{role}_text + "\'"'


def split(total: str, unit: str) -> str:
    """Return `8192 MiB over 3 cards, 2730 2/3 MiB each`, or `8192 MiB on 1 card`, for a share `s`."""
    rest = f"({total} % s.cards == 0 ? '' : ' ' + string({total} % s.cards) + '/' + string(s.cards))"
    several = f"' {unit} over ' + string(s.cards) + ' cards, ' + string({total} / s.cards) + {rest} + ' {unit} each'"
    return f"string({total}) + (s.cards == 1 ? ' {unit} on 1 card' : {several})"


def over(share: str) -> str:
    """Return `over 3 cards`, and what stands there where the count is unreadable: a share on other cards is another one."""
    known = f"'over ' + string({share}.cards) + ' cards'"
    return f"({share}.cards == 0 ? 'over an unknown number of cards' : {share}.cards == 1 ? 'on 1 card' : {known})"


def memory_rule(site: Site) -> str:
    """Return what memory on each card must be."""
    return cel.text(f"; must be {step_text(site.dialect.memory_step_mib, 'MiB')} on each card")


def core_rule(site: Site) -> str:
    """Return what compute on each card must be."""
    return cel.text(f"; must be {step_text(site.dialect.core_step_percent, '%')} on each card")


def nearest_memory(site: Site, least_mib: str) -> str:
    """Return what to write instead; nothing where a step is no multiple of the unit, as CEL has no least common multiple."""
    dialect = site.dialect
    step, unit = dialect.memory_step_mib, dialect.memory_unit_mib
    if step % unit:
        return "''"
    least = f"({least_mib} + {step - 1}) / {step}"
    return _nearest("s.memory", step // unit, least, str(dialect.memory_max_mib // step))


def nearest_core(site: Site) -> str:
    """Return what to write instead; beside memory a card must not be taken whole where that leaves memory out."""
    dialect = site.dialect
    step = dialect.core_step_percent
    least, most = -(-dialect.core_min_percent // step), WHOLE_CARD_PERCENT // step
    if not dialect.whole_cards_leave_memory_out:
        return _nearest("s.core", step, str(least), str(most))
    return _nearest("s.core", step, str(least), f"(s.memory < 0 ? {most} : {(WHOLE_CARD_PERCENT - 1) // step})")


def _nearest(value: str, step: int, least: str, most: str) -> str:
    """Return the multiples of step × cards next to a value, between least and most steps on each card."""
    steps = f"(int(s.cards) * {step})"

    def clamped(number: str) -> str:
        return f"[[{number}, {least}].max(), {most}].min()"

    # Nothing can be added to the largest number.
    above = f"int({value}) / {steps} + (int({value}) % {steps} == 0 ? 0 : 1)"
    below, above = clamped(f"int({value}) / {steps}"), clamped(above)
    options = f"({below} == {above} ? [{below}] : [{below}, {above}])"
    return f"""'; write ' + {options}.map(o, '"' + string(o * {steps}) + '"').join(' or ')"""


def least_mib(site: Site) -> str:
    """Return the least memory of a card for a share `s`: with a list of counts, or several cards, it may be more."""
    several, one = site.dialect.memory_min_multi_mib, site.dialect.memory_min_mib
    if several is None:
        return str(one)
    return f"(!{site.variable('counted')} && s.cards == 1 ? {one} : {several})"
