"""What a site may decide for all dialects: severities, workloads, schedulers, annotation prefix."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from webhook.core.finding import Severity

if TYPE_CHECKING:
    from webhook.core.plugin import Dialect

Level = Literal["error", "warning", "off"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """The settings that the engine itself obeys; the defaults are percard's.

    `severities` are by check id; a trailing * in `whole_card_keys` matches any ending.
    Pods of other dialects are rewritten into `target`; not where that loses something, unless
    `target_allow_loss`. `target_keep_source` leaves the labels and annotations of the source.
    """

    severities: Mapping[str, Level] = field(default_factory=dict)
    workloads: Level = "error"
    foreign_scheduler: Literal["deny", "warn", "override"] = "deny"
    whole_card_keys: tuple[str, ...] = ("nvidia.com/gpu", "amd.com/gpu", "aliyun.com/gpu", "nvidia.com/mig-*")
    annotation_prefix: str = "percard.webhook"
    inject_env: bool = False
    target: "Dialect | None" = None
    target_allow_loss: bool = False
    target_keep_source: bool = False

    @property
    def source_key(self) -> str:
        """Return the annotation key of the dialect that a rewritten pod came in."""
        return f"{self.annotation_prefix}/source"

    @property
    def limits_key(self) -> str:
        """Return the annotation key of the per-card limits."""
        return f"{self.annotation_prefix}/limits"

    def severity(self, check_id: str, default: Severity) -> Level:
        """Return the severity in force for a check."""
        return self.severities.get(check_id, default)
