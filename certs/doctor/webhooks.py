"""Questions about the webhook configurations: are they there, do they send what they should, to whom, under which policy."""

from collections.abc import Iterator
from typing import Any

from certs.doctor.facts import Expected, Facts, Finding, Object

_APPLY = "kubectl apply -k manifests/overlays/self-signed"
# The API server's own limit for a request is a minute; a client such as kubectl waits half of it.
_LONGEST_SECONDS = 10


def entries_of(configuration: Object | None) -> list[dict[str, Any]]:
    """Return the webhooks of a configuration, none where it is missing."""
    return list((configuration or {}).get("webhooks") or [])


def path_of(entry: Object) -> str:
    """Return the path that an entry calls."""
    config = entry.get("clientConfig", {})
    return str(config.get("service", {}).get("path") or "/" + str(config.get("url", "")).split("/", 3)[-1])


def presence(facts: Facts, expected: Expected) -> Iterator[Finding]:
    """Are both configurations there?"""
    if "configurations" in facts.unread:
        yield Finding("configurations", "problem", f"cannot be read: {facts.unread['configurations']}", "ask with the rights to read them")
        return
    if facts.validating is None:
        text = f"there is no ValidatingWebhookConfiguration {expected.name}: nothing is refused"
        yield Finding("configurations", "problem", text, _APPLY)
    if facts.mutating is None:
        text = f"there is no MutatingWebhookConfiguration {expected.name}: pods get neither scheduler nor limits"
        yield Finding("configurations", "warning", text, f"right for a first look (audit-first); else {_APPLY}")
    if facts.validating is not None and facts.mutating is not None:
        yield Finding("configurations", "ok", f"{len(entries_of(facts.validating)) + len(entries_of(facts.mutating))} entries")


def marks(facts: Facts, expected: Expected) -> Iterator[Finding]:
    """Does every entry look for every mark?"""
    entries = [*entries_of(facts.mutating), *entries_of(facts.validating)]
    complete = True
    for entry in entries:
        text = "\n".join(condition["expression"] for condition in entry.get("matchConditions") or [])
        missing = [mark for mark in expected.marks if f"'{mark}'" not in text]
        if not text:
            advice = "take the matchConditions of the shipped configuration"
            yield Finding("marks", "warning", f"{entry['name']} sends every object, those without GPUs too", advice)
        elif missing:
            text = f"{entry['name']} does not look for {', '.join(missing)}: such pods are not judged"
            yield Finding("marks", "problem", text, ".venv/bin/python -m tools.manifests --config SETTINGS, then apply")
        complete = complete and bool(text) and not missing
    if entries and complete:
        yield Finding("marks", "ok", f"all {len(expected.marks)} in {len(entries)} entries")


def policies(facts: Facts, _: Expected) -> Iterator[Finding]:
    """Does an entry refuse where it should not, or let pass, or wait too long?"""
    for entry in [*entries_of(facts.mutating), *entries_of(facts.validating)]:
        name, path = entry["name"], path_of(entry)
        policy = entry.get("failurePolicy", "Fail")
        if path == "/validate" and policy == "Ignore" and facts.floor is None:
            yield Finding("policy", "warning", f"{name} lets everything pass while percard is away", "failurePolicy: Fail")
        if path != "/validate" and policy == "Fail":
            yield Finding(
                "policy", "problem", f"{name} refuses where percard is away, for an answer that refuses nothing", "failurePolicy: Ignore"
            )
        if entry.get("timeoutSeconds", _LONGEST_SECONDS) > _LONGEST_SECONDS:
            yield Finding("policy", "warning", f"{name} may hold a request up for {entry['timeoutSeconds']} s", "timeoutSeconds: 3")


def refuses_alone(facts: Facts) -> bool:
    """Say whether what carries a mark is refused while percard is away."""
    return any(path_of(entry) == "/validate" and entry.get("failurePolicy") != "Ignore" for entry in entries_of(facts.validating))


def floor(facts: Facts, _: Expected) -> Iterator[Finding]:
    """Is there something below the webhook that judges while percard is away?"""
    if "policies" in facts.unread:
        yield Finding("floor", "warning", f"admission policies cannot be read: {facts.unread['policies']}")
    elif facts.floor is not None:
        yield Finding("floor", "ok", "admission policies judge pods and built-in workloads, also while percard is away")


def namespaces(facts: Facts, expected: Expected) -> Iterator[Finding]:
    """Is any namespace enforced?"""
    if not facts.namespaces or facts.validating is None:
        return
    counts = dict.fromkeys(("/validate", "/validate/warn", "/validate/audit"), 0)
    for namespace in facts.namespaces:
        labels = namespace["metadata"].get("labels", {})
        for path in {path_of(entry) for entry in entries_of(facts.validating) if selects(entry, labels)} & counts.keys():
            counts[path] += 1
    text = ", ".join(f"{count} {name}" for count, name in zip(counts.values(), ("enforced", "warned", "audited"), strict=True))
    if counts["/validate"]:
        yield Finding("namespaces", "ok", text)
    else:
        advice = f"take the label {expected.mode_label} away where findings should refuse; with audit-first this is as it should be"
        yield Finding("namespaces", "warning", f"{text}: nothing is refused anywhere", advice)


def selects(entry: Object, labels: Object) -> bool:
    """Say whether an entry's namespaceSelector takes a namespace with these labels (apimachinery, `labels.Selector`)."""
    selector = entry.get("namespaceSelector") or {}
    if any(labels.get(key) != value for key, value in (selector.get("matchLabels") or {}).items()):
        return False
    return all(_meets(labels.get(one["key"]), one) for one in selector.get("matchExpressions") or [])


def _meets(value: str | None, requirement: Object) -> bool:
    match requirement["operator"]:
        case "In":
            return value in requirement["values"]
        case "NotIn":
            return value not in requirement["values"]
        case "Exists":
            return value is not None
        case _:
            return value is None


def neighbours(facts: Facts, expected: Expected) -> Iterator[Finding]:
    """Which other webhooks change pods, and do they run after percard?"""
    names = sorted(other["metadata"]["name"] for other in facts.mutating_of_others if any(map(_changes_pods, entries_of(other))))
    later = [name for name in names if name > expected.name]
    again = all(entry.get("reinvocationPolicy") == "IfNeeded" for entry in entries_of(facts.mutating))
    if later and not again:
        text = f"{', '.join(later)} change pods after percard has patched them, and percard does not look again"
        yield Finding("other webhooks", "warning", text, "reinvocationPolicy: IfNeeded")
    elif names:
        text = f"{len(names)} change pods too: {', '.join(names)}" + (" (percard looks again after them)" if later else "")
        yield Finding("other webhooks", "ok", text)


def _changes_pods(entry: Object) -> bool:
    return any(
        {"pods", "*", "*/*"} & set(rule.get("resources", ())) and {"", "*"} & set(rule.get("apiGroups", ()))
        for rule in entry.get("rules") or []
    )
