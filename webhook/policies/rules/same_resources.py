"""`same-resources`: containers on the same cards ask for the same keys, at most two; the placement is a known one."""

from collections.abc import Iterator

from webhook.checks.same_resources import MOST_KEYS
from webhook.core.wording import either
from webhook.policies import cel
from webhook.policies.messages import each
from webhook.policies.model import Rule, Site


def _complaints(site: Site) -> Iterator[str]:
    dialect, shares = site.dialect, site.variable("shares")
    if not dialect.containers_share_cards:
        return
    roles = cel.texts(dialect.resources)
    if not dialect.resource_sets:
        yield each(
            site, f"{roles}.filter(r, s[r] >= 0).size() > {MOST_KEYS}", "'asks for more than two keys; must ask for at most two of them'"
        )
    differs = f"{roles}.exists(r, (s[r] >= 0) != ({shares}[0][r] >= 0))"
    others = f'"asks for other keys than container \'" + {shares}[0].name + "\'; all containers that ask must ask for the same keys"'
    yield each(site, differs, others)
    yield from _placement(site)


def _placement(site: Site) -> Iterator[str]:
    key, values = site.dialect.placement_key, site.dialect.placement_values
    if key is not None:
        written = f"{site.variable('labels')}[?{cel.text(key)}].orValue('')"
        wrong = (
            f"{site.variable('asking')}.size() > 0 && {cel.text(key)} in {site.variable('labels')} && !({written} in {cel.texts(values)})"
        )
        allowed = either(f"'{value}'" for value in values)
        yield cel.only_if(
            wrong, cel.said(cel.quoted(written), cel.text(f" is not an allowed placement; the label {key} must be {allowed}"))
        )


RULE = Rule(check="same-resources", complaints=_complaints)
