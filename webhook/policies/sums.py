"""Sums over the containers of a pod, where they all sit on the same cards."""

from webhook.policies import cel
from webhook.policies.messages import over
from webhook.policies.model import Site
from webhook.policies.shares import MOST_AMOUNT


def exceeding(site: Site, figure: str, most: str, rule: str, *, unless: str) -> str:
    """Return a message where the shares together ask for more of a figure than the most, which is the same for all shares `s`.

    It names no container: to find the one that is too much takes the square of their number. None where a share meets
    `unless`: it is complained of for itself.
    """
    shares = site.variable("shares")
    unit = {"mib": "MiB"}.get(figure, "%")
    counted = f"t.{figure} > {MOST_AMOUNT} ? {MOST_AMOUNT} : int(t.{figure})" if figure != "mib" else "t.mib"
    total = f"{shares}.map(t, t.{figure} > 0 ? ({counted}) : 0).sum()"
    message = cel.said(
        "'the containers of the pod together ask for '", f"string({total})", cel.text(f" {unit} "), over("s"), cel.text(rule)
    )
    alone = f"{shares}.size() < 2 || {shares}.exists(s, {unless})"
    return f"{alone} ? [] : [{shares}[0]].filter(s, {total} > {most}).map(s, {message})"
