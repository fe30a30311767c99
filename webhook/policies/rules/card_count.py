"""`card-count`: a card count is plain digits, from 1 to the dialect's maximum."""

from collections.abc import Iterator

from webhook.policies import cel
from webhook.policies.messages import amount, each
from webhook.policies.model import Rule, Site
from webhook.policies.shares import is_count


def _complaints(site: Site) -> Iterator[str]:
    dialect, counted, most = site.dialect, site.variable("counted"), site.dialect.max_cards
    written = f"string({site.count_field}[{cel.text(dialect.count_key)}])"
    if dialect.count_is_list:
        rule = cel.text(f" is not a card count; must be plain digits, 1 to {most}, or 0 for a container that asks for nothing")
        # An entry without any character but blanks is told by `card-list`.
        wrong = f"e.trim() != '' && e != '0' && !({is_count('e', most)})"
        unreadable = f"{counted} && {site.variable('marked')} && -1 in {site.variable('entries')}"
        yield f"({unreadable} ? {written}.split(',') : []).filter(e, {wrong}).map(e, {cel.said(cel.quoted('e'), rule)})"
    else:
        rule = cel.text(f" is not a card count; {dialect.count_key} must be plain digits, from 1 to {most}")
        unreadable = f"{counted} && {site.variable('marked')} && {site.variable('cards')} == 0"
        yield cel.only_if(unreadable, cel.said(cel.quoted(written), rule))
    if dialect.count_is_list:
        taken = f"' takes ' + string(s.cards) + ' cards whole; must be from 1 to {most}'"
        yield each(site, f"!{counted} && s.core > 0 && s.cards > {most}", amount("core"), taken)


RULE = Rule(check="card-count", complaints=_complaints)
