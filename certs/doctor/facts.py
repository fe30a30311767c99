"""What an examination starts from: what was read of a cluster, and what an installation should be like."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Object = Mapping[str, Any]
Level = Literal["ok", "warning", "problem"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Expected:
    """An installation as it should be.

    `marks` are the texts that the conditions of a webhook must name, `annotation` is what a patched pod carries.
    `floor` is the admission policy on pods, where there are policies below the webhook.
    """

    namespace: str = "percard-system"
    name: str = "percard"
    secret: str = "percard-tls"  # noqa: S105 -- the name of a Secret
    mode_label: str = "percard.webhook/mode"
    floor: str = "percard-pods"
    annotation: str
    version: str
    marks: tuple[str, ...]

    @property
    def logs(self) -> str:
        """Return the command that shows what the keeper of the certificate says."""
        return f"kubectl -n {self.namespace} logs deployment/percard-certs"

    @property
    def host(self) -> str:
        """Return the name that the API server verifies the certificate for."""
        return f"{self.name}.{self.namespace}.svc"


@dataclass(frozen=True, slots=True)
class Trial:
    """The answer to a dry run: the object where it was taken, else why not."""

    taken: Object | None
    refusal: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """Objects as the API server returns them; None for what does not exist or was not read.

    `unread` says of each part that could not be read why. `good` and `bad` are dry runs of a pod that
    should be patched and of one that should be refused, in an enforced namespace. `now` is POSIX seconds.
    """

    now: float
    kubernetes: str = ""
    validating: Object | None = None
    mutating: Object | None = None
    floor: Object | None = None
    mutating_of_others: tuple[Object, ...] = ()
    secret: Object | None = None
    deployment: Object | None = None
    pods: tuple[Object, ...] = ()
    slices: tuple[Object, ...] = ()
    namespaces: tuple[Object, ...] = ()
    good: Trial | None = None
    bad: Trial | None = None
    unread: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Finding:
    """One result: which question, how bad, what was found, and what to do about it."""

    question: str
    level: Level
    text: str
    advice: str = ""
