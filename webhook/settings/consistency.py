"""Rules between settings: values that are each in order and together make no sense."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from webhook.core.finding import quoted
from webhook.core.patterns import KeyPatterns
from webhook.core.plugin import Dialect
from webhook.settings.catalogue import Catalogue, key_of
from webhook.settings.effective import dialects_in_force
from webhook.settings.entries import Path
from webhook.settings.values import ServeSettings, Settings


@dataclass(frozen=True, slots=True)
class Contradiction:
    """What does not go together: the first of `paths` is the setting to change, `message` says how."""

    paths: tuple[Path, ...]
    message: str


def contradictions(settings: Settings, catalogue: Catalogue) -> Iterator[Contradiction]:
    """Yield what contradicts, in the order of the settings."""
    dialects = dialects_in_force(settings, catalogue.dialects)
    yield from _targets(settings, dialects)
    yield from _whole_cards(settings, dialects)
    yield from _served(settings.serve)
    for dialect in dialects:
        yield from _figures(dialect)
    if dialects and not any(dialect.enabled for dialect in dialects):
        paths = tuple(("dialects", key_of(dialect.id), "enabled") for dialect in dialects)
        yield Contradiction(paths, "must be true for one dialect at least: nothing would be examined")


def _targets(settings: Settings, dialects: list[Dialect]) -> Iterator[Contradiction]:
    """A webhook can write a pod, but no claim beside it."""
    possible = {dialect.id: dialect for dialect in dialects if dialect.write is not None and dialect.device_class is None}
    target = settings.target
    if target is None:
        return
    if target not in possible:
        yield Contradiction((("target",),), f"must be one of {', '.join(possible)}, not {quoted(target)}")
        return
    section = ("dialects", key_of(target))
    if not possible[target].enabled:
        yield Contradiction(((*section, "enabled"), ("target",)), "must not be false for the target that pods are rewritten into")
    if possible[target].card_models and possible[target].card_model is None:
        yield Contradiction(((*section, "card_model"), ("target",)), "must be given: the keys of the target hold it")


def _whole_cards(settings: Settings, dialects: list[Dialect]) -> Iterator[Contradiction]:
    patterns = KeyPatterns(settings.whole_card_keys)
    for dialect in (dialect for dialect in dialects if dialect.enabled):
        for key in dialect.marks.values():
            if key in patterns:
                message = f"must not cover {quoted(key)}, with which the dialect {dialect.id} asks for a part of a card"
                yield Contradiction((("whole_card_keys",),), message)


def _served(serve: ServeSettings) -> Iterator[Contradiction]:
    for present, absent in (("cert", "key"), ("key", "cert")):
        if getattr(serve, present) is not None and getattr(serve, absent) is None:
            yield _serve((absent, present), f"must be given together with 'serve.{present}'")
    if serve.self_signed and serve.cert is not None:
        yield _serve(("self_signed", "cert"), "must be false where 'serve.cert' is given")
    if serve.self_signed and not serve.names:
        yield _serve(("names", "self_signed"), "must name what the self-signed certificate is made out to")
    if serve.client_names and serve.client_ca is None:
        yield _serve(("client_ca", "client_names"), "must be given where 'serve.client_names' is: names prove nothing without it")
    if serve.port == serve.ops_port != 0:
        yield _serve(("ops_port", "port"), f"must differ from 'serve.port', {serve.port}")
    if serve.quiet_period > serve.max_quiet_period:
        yield _serve(("quiet_period", "max_quiet_period"), f"must not be longer than 'serve.max_quiet_period', {serve.max_quiet_period:g}s")


def _serve(names: tuple[str, ...], message: str) -> Contradiction:
    return Contradiction(tuple(("serve", name) for name in names), message)


def _figures(dialect: Dialect) -> Iterator[Contradiction]:
    def about(message: str, *names: str) -> Contradiction:
        return Contradiction(tuple(("dialects", key_of(dialect.id), name) for name in names), message)

    if dialect.memory_units_mib and dialect.memory_unit_mib not in dialect.memory_units_mib:
        units = " or ".join(map(str, dialect.memory_units_mib))
        yield about(f"must be {units}, not '{dialect.memory_unit_mib}'", "memory_unit_mib")
    if dialect.card_model is not None and dialect.card_model not in dialect.card_models:
        yield about(f"must be one of {', '.join(dialect.card_models)}, not {quoted(dialect.card_model)}", "card_model")
    yield from _ranges(dialect, about)


def _ranges(dialect: Dialect, about: Callable[..., Contradiction]) -> Iterator[Contradiction]:
    step, most = dialect.memory_step_mib, dialect.memory_max_mib
    for name in ("memory_min_mib", "memory_min_multi_mib"):
        least = getattr(dialect, name)
        if least is not None and least > most:
            yield about(f"must be at most 'memory_max_mib', {most}, not '{least}'", name, "memory_max_mib", "memory_unit_mib")
        elif least is not None and -(-least // step) * step > most:
            message = f"must leave a multiple between '{name}', {least}, and 'memory_max_mib', {most}; '{step}' leaves none"
            yield about(message, "memory_step_mib", name, "memory_max_mib", "memory_unit_mib")
