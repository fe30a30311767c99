"""All settings of percard: their names, defaults, kinds and what each does."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from webhook.core.rules import Level, Rules
from webhook.settings.kinds import Choice, File, Flag, Kind, Text, Texts, Whole
from webhook.settings.measures import Duration, Size

_LABEL = r"[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?"
_DOMAIN = rf"{_LABEL}(?:\.{_LABEL})*"
_LEVEL = Choice("error", "warning", "off")
_MIB = Whole(1, 1 << 40)
_SCHEDULER = Text(r"[A-Za-z0-9](?:[-._A-Za-z0-9]*[A-Za-z0-9])?", "a scheduler's name")
_RESOURCE = Text(
    rf"{_DOMAIN}/[A-Za-z0-9][-._A-Za-z0-9]*\*?", "a resource name with its domain, such as 'nvidia.com/gpu' or 'nvidia.com/mig-*'"
)
# Kubernetes keeps these domains for itself (API conventions, "Label, selector and annotation conventions").
_PREFIX = Text(
    rf"(?!(?:.*\.)?(?:kubernetes|k8s)\.io\Z){_DOMAIN}",
    "a DNS name in lower case such as 'percard.webhook', outside kubernetes.io and k8s.io",
)
_MODEL = Text(r"[a-z0-9]+(?:_[a-z0-9]+)*", "a card model as the keys spell it, such as 'a10_24g'")
_DEVICES = Text(_DOMAIN, "a DNS name in lower case")
_DIALECT = Text(r"[a-z0-9]+(?:_[a-z0-9]+)*", "the id of a dialect, such as 'hami'")
_ADDRESS = Text(r"[A-Za-z0-9:][-.:%A-Za-z0-9]*", "a host name or an IP address")
_CLIENT = Text(r"[ -~]+", "a name of printable ASCII characters")


def is_a(kind: Kind, about: str) -> Mapping[str, Any]:
    """Return what makes a dataclass field a setting: its kind and one sentence for the user."""
    return {"kind": kind, "about": about}


@dataclass(frozen=True, slots=True, kw_only=True)
class DialectSettings:
    """What a site sets for one dialect; None leaves the vendor's own figure. Sizes are MiB on each card."""

    enabled: bool | None = field(default=None, metadata=is_a(Flag(), "Whether pods of this dialect are examined at all."))
    scheduler_name: str | None = field(default=None, metadata=is_a(_SCHEDULER, "The scheduler that places such pods."))
    accepted_schedulers: tuple[str, ...] | None = field(
        default=None, metadata=is_a(Texts(_SCHEDULER), "Further schedulers that may place them.")
    )
    memory_unit_mib: int | None = field(
        default=None, metadata=is_a(_MIB, "What one unit of the memory key is; step and minima follow it unless they are set.")
    )
    memory_step_mib: int | None = field(default=None, metadata=is_a(_MIB, "The memory of each card must be a multiple of it."))
    memory_min_mib: int | None = field(default=None, metadata=is_a(_MIB, "The least memory of a card."))
    memory_min_multi_mib: int | None = field(default=None, metadata=is_a(_MIB, "The least memory of a card where a container has several."))
    memory_max_mib: int | None = field(default=None, metadata=is_a(_MIB, "The most memory of a card."))
    core_step_percent: int | None = field(default=None, metadata=is_a(Whole(1, 100), "The compute of each card must be a multiple of it."))
    core_min_percent: int | None = field(default=None, metadata=is_a(Whole(1, 100), "The least compute of a card."))
    max_cards: int | None = field(default=None, metadata=is_a(Whole(1, 65_536), "The most cards of a container."))
    card_memory_mib: int | None = field(
        default=None, metadata=is_a(_MIB, "The memory of the site's cards, for translating percentages of it into MiB.")
    )
    card_model: str | None = field(default=None, metadata=is_a(_MODEL, "The card model in the keys that a translation writes."))
    device_class: str | None = field(default=None, metadata=is_a(_DEVICES, "The device class that a claim names."))
    device_driver: str | None = field(default=None, metadata=is_a(_DEVICES, "The driver whose attribute `uuid` tells devices apart."))


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckSettings:
    """What a site sets for one check; None leaves the check's own severity."""

    severity: Level | None = field(default=None, metadata=is_a(_LEVEL, "An error denies, a warning is only told, off is silent."))


@dataclass(frozen=True, slots=True, kw_only=True)
class ServeSettings:
    """How the server listens and what it bears. Spans of time are seconds, sizes are bytes."""

    host: str = field(default="127.0.0.1", metadata=is_a(_ADDRESS, "The address of both ports; `0.0.0.0` or `::` in a cluster."))
    port: int = field(default=8443, metadata=is_a(Whole(0, 65_535), "The TLS port; 0 takes any free one."))
    ops_port: int = field(default=8080, metadata=is_a(Whole(0, 65_535), "The port of /livez, /readyz and /metrics; 0 takes any free one."))
    cert: Path | None = field(default=None, metadata=is_a(File(), "The certificate chain (PEM); read again when it changes."))
    key: Path | None = field(default=None, metadata=is_a(File(), "The private key (PEM)."))
    self_signed: bool = field(default=False, metadata=is_a(Flag(), "Whether to make a certificate at start and renew it."))
    names: tuple[str, ...] = field(
        default=("localhost", "127.0.0.1", "::1"), metadata=is_a(Texts(_ADDRESS), "What a self-signed certificate is made out to.")
    )
    client_ca: Path | None = field(default=None, metadata=is_a(File(), "Only clients with a certificate of this CA (PEM) are heard."))
    client_names: tuple[str, ...] = field(
        default=(), metadata=is_a(Texts(_CLIENT), "And only those whose common or DNS name is one of these; empty: any.")
    )
    api: bool = field(default=True, metadata=is_a(Flag(), "Whether /v1, /docs and /openapi.json are served."))
    keep_alive: float = field(
        default=120.0, metadata=is_a(Duration("1s", "1h"), "How long an idle connection stays; above the API server's 90 s.")
    )
    quiet_period: float = field(
        default=5.0, metadata=is_a(Duration("0s", "10m"), "A server that stops closes once nothing arrived for so long.")
    )
    max_quiet_period: float = field(default=30.0, metadata=is_a(Duration("0s", "1h"), "And after this at the latest."))
    max_body: int = field(default=7 << 20, metadata=is_a(Size("64Ki", "64Mi"), "The largest body that is read."))
    max_connections: int = field(default=4096, metadata=is_a(Whole(1, 1 << 20), "Connections beyond it are answered with 503."))
    max_in_flight: int = field(default=512, metadata=is_a(Whole(1, 1 << 20), "Requests at a time beyond it are answered with 503."))
    head_timeout: float = field(default=5.0, metadata=is_a(Duration("100ms", "10m"), "How long a request's head may take."))
    body_timeout: float = field(default=10.0, metadata=is_a(Duration("100ms", "10m"), "How long a request's body may take."))


@dataclass(frozen=True, slots=True, kw_only=True)
class LogSettings:
    """What the server writes to its log."""

    level: Literal["debug", "info", "warning", "error"] = field(
        default="info", metadata=is_a(Choice("debug", "info", "warning", "error"), "The least important line that is written.")
    )
    format: Literal["auto", "json", "text"] = field(
        default="auto",
        metadata=is_a(Choice("auto", "json", "text"), "One JSON object a line, or text for people; auto is text on a terminal alone."),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Everything that a site may set. `dialects` and `checks` are by id, only those that differ."""

    workloads: Level = field(default=Rules().workloads, metadata=is_a(_LEVEL, "How findings in the pod templates of workloads count."))
    foreign_scheduler: Literal["deny", "warn", "override"] = field(
        default=Rules().foreign_scheduler,
        metadata=is_a(Choice("deny", "warn", "override"), "What becomes of a pod that names a scheduler of others."),
    )
    whole_card_keys: tuple[str, ...] = field(
        default=Rules().whole_card_keys, metadata=is_a(Texts(_RESOURCE), "Keys of whole cards; * matches any ending.")
    )
    annotation_prefix: str = field(default=Rules().annotation_prefix, metadata=is_a(_PREFIX, "The domain of percard's own annotations."))
    inject_env: bool = field(
        default=Rules().inject_env, metadata=is_a(Flag(), "Whether containers learn their limits as environment variables.")
    )
    target: str | None = field(
        default=None, metadata=is_a(_DIALECT, "The dialect that pods of the others are rewritten into at creation; it need not be enabled.")
    )
    target_allow_loss: bool = field(
        default=Rules().target_allow_loss,
        metadata=is_a(Flag(), "Whether a pod is rewritten even where the target cannot say all that it asks for."),
    )
    target_keep_source: bool = field(
        default=Rules().target_keep_source,
        metadata=is_a(Flag(), "Whether a rewritten pod keeps the labels and annotations of the dialect that it came in."),
    )
    serve: ServeSettings = field(default_factory=ServeSettings)
    log: LogSettings = field(default_factory=LogSettings)
    dialects: Mapping[str, DialectSettings] = field(default_factory=dict)
    checks: Mapping[str, CheckSettings] = field(default_factory=dict)
