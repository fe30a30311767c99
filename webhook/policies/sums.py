"""Sums over the containers of a pod, where they all sit on the same cards."""

from webhook.policies import cel
from webhook.policies.messages import over
from webhook.policies.model import Site


def exceeding(site: Site, figure: str, most: str, rule: str, *, unless: str) -> str:
    """Return a message where the shares together ask for more of a figure than the most, which is the same for all shares `s`.

    It names no container: to find the one that is too much takes the square of their number. None where a share meets
    `unless`: it is complained of for itself.
    """
    shares = site.variable("shares")
    unit = {"mib": "MiB"}.get(figure, "%")
    total = f"{shares}.map(t, t.{figure} > 0 ? int(t.{figure}) : 0).sum()"
    message = cel.said(
        "'the containers of the pod together ask for '", f"string({total})", cel.text(f" {unit} "), over("s"), cel.text(rule)
    )
    alone = f"{shares}.size() < 2 || {shares}.exists(s, {unless})"
    return f"{alone} ? [] : [{shares}[0]].filter(s, {total} > {most}).map(s, {message})"
