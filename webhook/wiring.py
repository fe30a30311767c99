"""Builds an engine from the dialects, checks and settings: the composition root."""

from collections.abc import Iterator

from webhook.core.engine import Engine
from webhook.core.rules import Level, Rules
from webhook.settings import Settings
from webhook.settings.catalogue import Catalogue
from webhook.settings.effective import effective
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
    dialects = [effective(dialect, settings.dialects.get(dialect.id)) for dialect in catalogue.dialects]
    return Engine(dialects=dialects, checks=catalogue.checks, rules=_rules(settings))


def _rules(settings: Settings) -> Rules:
    return Rules(
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
