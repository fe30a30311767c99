"""Sums over the containers of a pod, where they all sit on the same cards."""

from webhook.policies import cel
from webhook.policies.model import Site


def exceeding(site: Site, figure: str, too_much: str, rule: str, *, unless: str) -> str:
    """Return a message on the first share that takes the sum of a figure too far.

    `too_much` is a condition on a share `s` and the sum up to it, TOTAL. None where a share meets `unless`: it is
    complained of for itself.
    """
    shares = site.variable("shares")
    up_to = f"{shares}.filter(t, {site.variable('askers')}.indexOf(t.name) <= {site.variable('askers')}.indexOf(s.name))"
    total = f"{up_to}.map(t, t.{figure} > 0 ? int(t.{figure}) : 0).sum()"
    message = cel.said("s.label", "'with it the pod asks for '", f"string({total})", cel.text(rule))
    found = f"{shares}.filter(s, {too_much.replace('TOTAL', total)}).map(s, {message})"
    return f"{shares}.size() < 2 || {shares}.exists(s, {unless}) ? [] : {cel.first_of(found)}"
