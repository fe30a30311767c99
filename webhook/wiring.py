"""Builds an engine from the dialects, checks and settings: the composition root."""

from collections.abc import Iterable, Iterator

from webhook.core.engine import Engine
from webhook.core.plugin import Dialect
from webhook.core.rules import Level, Rules
from webhook.settings import Settings
from webhook.settings.catalogue import Catalogue
from webhook.settings.effective import dialects_in_force
from webhook.settings.verification import verify


def build_engine(settings: Settings | None = None) -> Engine:
    """Return an engine with the settings applied; without any it has percard's defaults.

    Neither file nor environment is read here: `load_settings` does that. Raises `SettingsError` where
    the settings contradict each other, `PluginError` where a dialect or check is incomplete.
    """
    catalogue = Catalogue.collected()
    if settings is None:
        return Engine(dialects=catalogue.dialects, checks=catalogue.checks, rules=Rules())
    verify(settings, catalogue)
    dialects = dialects_in_force(settings, catalogue.dialects)
    return Engine(dialects=dialects, checks=catalogue.checks, rules=_rules(settings, dialects))


def build_translator(settings: Settings | None = None) -> Engine:
    """Return an engine that knows every dialect, for translating between them; it rewrites nothing at creation.

    Raises as `build_engine` does.
    """
    return build_engine(settings).knowing_all()


def _rules(settings: Settings, dialects: Iterable[Dialect]) -> Rules:
    return Rules(
        target=next((dialect for dialect in dialects if dialect.id == settings.target), None),
        target_allow_loss=settings.target_allow_loss,
        target_keep_source=settings.target_keep_source,
        severities=dict(_severities(settings)),
        workloads=settings.workloads,
        foreign_scheduler=settings.foreign_scheduler,
        whole_card_keys=settings.whole_card_keys,
        annotation_prefix=settings.annotation_prefix,
        inject_env=settings.inject_env,
    )


def _severities(settings: Settings) -> Iterator[tuple[str, Level]]:
    for check_id, check in settings.checks.items():
        if check.severity is not None:
            yield check_id, check.severity
