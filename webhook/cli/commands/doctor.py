"""`percard doctor`: examines an installation in a cluster, and says what to do."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypedDict, Unpack

import click

from certs.controller_cluster import connect
from certs.doctor.examination import examine
from certs.doctor.facts import Expected, Finding
from certs.doctor.reading import Reader
from certs.errors import ClusterError
from webhook.cli.exits import Exit, UnreadableInputError
from webhook.cli.session import common_options, load_engine, version, write
from webhook.core.engine import Engine
from webhook.core.fieldpath import printable
from webhook.core.plugin import Dialect
from webhook.core.vocabulary import shortest

_HELP = """Examine an installation of percard in a cluster, from outside, without changing anything.

Reads the webhook configurations, the certificate, the servers and their namespaces, and has the API
server try two pods as dry runs: one that percard must refuse, one that it must patch. Needs the rights to
read them; what may not be read is left out and said.

\b
Examples:
  percard doctor
  percard doctor --kubeconfig admin.conf --try-in team-a

\b
Exit codes:
  0  nothing is wrong; warnings are told
  1  something is wrong
  2  wrong usage or settings
  3  the cluster cannot be reached
  4  a fault of percard itself
"""
_SIGNS = {"ok": "ok     ", "warning": "warning", "problem": "PROBLEM"}


class _Options(TypedDict):
    kubeconfig: Path | None
    namespace: str
    try_in: str
    no_trial: bool
    config: Path | None


@click.command("doctor", help=_HELP, short_help="Examine an installation in a cluster.")
@click.option("--kubeconfig", type=click.Path(path_type=Path), metavar="FILE", help="Credentials [default: as kubectl finds them].")
@click.option("--namespace", "-n", default="percard-system", metavar="NAME", show_default=True, help="Where percard is installed.")
@click.option("--try-in", default="default", metavar="NAME", show_default=True, help="An enforced namespace for the two dry runs.")
@click.option("--no-trial", is_flag=True, help="Leave the two dry runs out.")
@common_options
def _doctor(**options: Unpack[_Options]) -> int:
    engine = load_engine(options["config"])
    expected = expected_of(engine, options["namespace"])
    good, bad = (None, None) if options["no_trial"] else _trials(engine.dialects)
    try:
        connection = connect(str(options["kubeconfig"] or ""))
    except ClusterError as problem:
        raise UnreadableInputError(str(problem)) from None
    facts = Reader(connection, expected).facts(good=good, bad=bad, try_in=options["try_in"])
    if not facts.kubernetes:
        why = printable(facts.unread.get("version", "no answer"))
        message = f"the cluster at {printable(connection.configuration.host)} cannot be reached: {why}"
        raise UnreadableInputError(message)
    findings = examine(facts, expected)
    write("".join(map(_line, findings)))
    return Exit.FINDINGS if any(finding.level == "problem" for finding in findings) else Exit.CLEAN


def _line(finding: Finding) -> str:
    advice = f"\n          do: {finding.advice}" if finding.advice else ""
    return f"{_SIGNS[finding.level]} {finding.question}: {finding.text}{advice}\n"


def expected_of(engine: Engine, namespace: str) -> Expected:
    """Return what an installation with the settings in force must be like."""
    return Expected(namespace=namespace, annotation=engine.rules.limits_key, version=version(), marks=_marks(engine.dialects))


def _marks(dialects: tuple[Dialect, ...]) -> tuple[str, ...]:
    """Return what the conditions must name: families as a whole, keys outside of them, and keys of pods."""
    families = tuple(family for dialect in dialects for family in dialect.families)
    keys = {key for dialect in dialects for key in dialect.marks.values() if not key.startswith(families)}
    return tuple(sorted({*shortest(families), *keys, *(key for dialect in dialects for key in dialect.pod_keys)}))


def _trials(dialects: tuple[Dialect, ...]) -> tuple[Mapping[str, Any] | None, Mapping[str, Any] | None]:
    """Return a pod that must be patched and one that must be refused, where Huawei's dialect is judged here."""
    huawei = next((dialect for dialect in dialects if dialect.id == "huawei"), None)
    if huawei is None:
        return None, None
    blocks = huawei.memory_step_mib * 4 // huawei.memory_unit_mib
    return _pod(huawei, 2, 2 * blocks), _pod(huawei, 2, 2 * blocks + 1)


def _pod(dialect: Dialect, cards: int, blocks: int) -> dict[str, Any]:
    container = {
        "name": "trial",
        "image": "percard.invalid/trial",
        "resources": {"limits": {dialect.resources["memory"]: str(blocks)}},
        "securityContext": {"allowPrivilegeEscalation": False, "capabilities": {"drop": ["ALL"]}, "runAsNonRoot": True, "runAsUser": 65532},
    }
    metadata = {"generateName": "percard-doctor-", "labels": {dialect.count_key: str(cards)}}
    profile = {"seccompProfile": {"type": "RuntimeDefault"}}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": {"containers": [container], "securityContext": profile}}


COMMAND = _doctor
