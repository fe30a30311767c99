"""`card-count`: a card count is plain digits, from 1 to the dialect's maximum."""

from collections.abc import Iterator

from webhook.policies import cel
from webhook.policies.messages import amount, each
from webhook.policies.model import Rule, Site
from webhook.policies.shares import is_count


def _complaints(site: Site) -> Iterator[str]:
    dialect, counted, most = site.dialect, site.variable("counted"), site.dialect.max_cards
    written = f"string({site.count_field}[{cel.text(dialect.count_key)}])"
    rule = cel.text(f" is not a card count; {dialect.count_key} must be plain digits, from 1 to {most}")
    if dialect.count_is_list:
        rule = cel.text(
            f" has an entry that is no card count; must be plain digits, 1 to {most}, or 0 for a container that asks for nothing"
        )
        # An entry without any character but blanks is told by `card-list`.
        blank = f"{written}.split(',').exists(e, e.trim() != '' && e != '0' && !({is_count('e', most)}))"
        unreadable = f"-1 in {site.variable('entries')} && {blank}"
        yield cel.only_if(f"{counted} && {unreadable} && {site.variable('marked')}", cel.said(cel.quoted(written), rule))
    else:
        yield cel.only_if(f"{counted} && {site.variable('cards')} == 0 && {site.variable('marked')}", cel.said(cel.quoted(written), rule))
    if dialect.full_compute_is_whole_card and dialect.count_is_list:
        taken = f"' takes ' + string(s.cards) + ' cards whole; must be from 1 to {most}'"
        yield each(site, f"!{counted} && s.core > 0 && s.cards > {most}", amount("core"), taken)


RULE = Rule(check="card-count", complaints=_complaints)
