"""What a policy is made for, and what a rule is: one check, said in CEL."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal, get_args

from webhook.core.plugin import Dialect
from webhook.core.rules import Rules

Subject = Literal["pods", "workloads"]
# The oldest Kubernetes that an expression can be written for.
Version = Literal["1.30", "1.32", "1.36"]
VERSIONS: tuple[Version, ...] = get_args(Version)
# The first in which an API server serves mutating policies unasked.
MUTATING_SINCE: Version = "1.36"
_RELEASE = re.compile(r"v?1\.([1-9][0-9]{1,2})(?:[.+-].*)?", re.ASCII)
# Variables that are the same for every dialect.
SHARED = frozenset(("pod", "labels", "annotations", "spec", "containers", "init_containers", "holding", "names"))


def version_for(release: str) -> Version | None:
    """Return what to write policies for so that a release of Kubernetes such as 1.33 or v1.33.5 takes them; None for none."""
    found = _RELEASE.fullmatch(release)
    minor = found[1].zfill(3) if found else ""
    return next((version for version in reversed(VERSIONS) if version.removeprefix("1.").zfill(3) <= minor), None)


@dataclass(frozen=True)
class Site:
    """One dialect among those in force, and the objects that a policy judges in it.

    `old` is the same for the object before an UPDATE, whose variables have names of their own.
    """

    dialect: Dialect
    dialects: tuple[Dialect, ...]
    rules: Rules
    subject: Subject
    old: bool = False

    def variable(self, name: str) -> str:
        """Return a reference to a variable."""
        return f"variables.{self.name(name)}"

    def name(self, name: str) -> str:
        """Return the name that a variable has here."""
        own = name if name in SHARED else f"{self.dialect.id}_{name}"
        return f"old_{own}" if self.old else own

    def before(self) -> "Site":
        """Return the same for the object before an UPDATE."""
        return replace(self, old=True)

    def of(self, dialect: Dialect) -> "Site":
        """Return the same for another dialect."""
        return replace(self, dialect=dialect)

    def key(self, role: str) -> str:
        """Return the resource key of a role."""
        return self.dialect.resources[role]

    @cached_property
    def others(self) -> tuple["Site", ...]:
        """Return the same for each other dialect in force."""
        return tuple(self.of(other) for other in self.dialects if other.id != self.dialect.id)

    @property
    def count_field(self) -> str:
        """Return the variable that holds the pod's labels or annotations, wherever its card count stands."""
        return self.variable(self.dialect.count_place)


# Expressions for lists of messages, without the check's id.
Complaints = Callable[[Site], Iterator[str]]


@dataclass(frozen=True, kw_only=True)
class Rule:
    """A check as CEL: `complaints` are the lists of messages that a site gets, none where the dialect needs no such rule.

    `softened` are those that only warn, `unpatched` those on a new pod that is right in all else. Where there are
    no complaints at all, `reason` says why; otherwise it says what differs from the check, if anything does.
    """

    check: str
    complaints: Complaints | None = None
    softened: Complaints | None = None
    unpatched: Complaints | None = None
    reason: str = ""
    since: Version = "1.30"
    refused_by_kubernetes: bool = False

    @property
    def is_expressed(self) -> bool:
        """Say whether policies judge by this rule on some Kubernetes."""
        return self.complaints is not None

    def holds_on(self, version: Version) -> bool:
        """Say whether policies for this Kubernetes and newer ones judge by this rule."""
        return self.is_expressed and VERSIONS.index(self.since) <= VERSIONS.index(version)
