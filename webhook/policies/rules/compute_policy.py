"""`compute-policy`: the compute policy is one that the stack knows, and the one for several cards beside a card count."""

from collections.abc import Iterator

from webhook.core.wording import either
from webhook.policies import cel
from webhook.policies.model import Rule, Site


def _complaints(site: Site) -> Iterator[str]:
    dialect = site.dialect
    key, several = dialect.compute_policy_key, dialect.multi_card_compute_policy or ""
    if key is None:
        return
    asks, counted = f"{site.variable('asking')}.size() > 0", site.variable("counted")
    # The value is not told: one wrong policy for another is no new mistake.
    written, rule = f"{site.variable('annotations')}[?{cel.text(key)}].orValue('')", f"the annotation {key} must be "
    wrong = f"{asks} && {counted} && {written} != {cel.text(several)}"
    yield cel.only_if(wrong, cel.text(f"{rule}'{several}' where {dialect.count_key} is set"))
    known = f"{written} in {cel.texts(dialect.compute_policies)}"
    unknown = f"{asks} && !{counted} && {cel.text(key)} in {site.variable('annotations')} && !({known})"
    yield cel.only_if(unknown, cel.text(rule + either(f"'{policy}'" for policy in dialect.compute_policies)))


RULE = Rule(check="compute-policy", complaints=_complaints)
