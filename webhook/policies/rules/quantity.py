"""`quantity`: Kubernetes sees to the grammar and to whole numbers; 0 and values that were meant in bytes are left."""

from collections.abc import Iterator

from webhook.policies import cel
from webhook.policies.messages import amount, each
from webhook.policies.model import Rule, Site
from webhook.policies.shares import is_in_bytes

_UNITS = {"tflops": "TFLOPS", "core": "percent"}


def _complaints(site: Site) -> Iterator[str]:
    for role in site.dialect.resources:
        unit = site.dialect.unit_name if role == "memory" else _UNITS[role]
        rule = cel.text(f" is not a positive whole number; must be a whole number of {unit}, 1 or more")
        yield each(site, f"s.{role} == 0", amount(role), rule)
    for role in ("memory", "core"):
        unit = site.dialect.unit_name if role == "memory" else _UNITS[role]
        rule = cel.text(f" {unit}, out of range; must count {unit}, not bytes")
        yield each(site, f"s.{role} > 0 && {is_in_bytes(site.dialect, role)}", amount(role), "' is '", f"string(s.{role})", rule)


RULE = Rule(check="quantity", complaints=_complaints)
