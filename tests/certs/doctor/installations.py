"""A healthy installation as an examination reads it, to be damaged by tests."""

import base64
import copy
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from certs.authority import new_authority
from certs.doctor.examination import examine
from certs.doctor.facts import Expected, Facts, Finding, Trial

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
DAY = timedelta(days=1)
EXPECTED = Expected(annotation="percard.webhook/limits", version="1.2.3", marks=("gpu.example/share-", "gpu.example/cards"))
EXPRESSION = "key.startsWith('gpu.example/share-') || key in ['gpu.example/cards']"
AUTHORITY = new_authority("test", 365 * DAY, NOW)
SELECTOR = {"matchExpressions": [{"key": "percard.webhook/mode", "operator": "NotIn", "values": ["off"]}]}


def entry(name: str, path: str, policy: str) -> dict[str, Any]:
    """Return an entry of a webhook configuration."""
    service = {"name": "percard", "namespace": "percard-system", "path": path}
    return {
        "name": name,
        "clientConfig": {"service": service, "caBundle": base64.b64encode(AUTHORITY.certificate).decode()},
        "failurePolicy": policy,
        "timeoutSeconds": 3,
        "namespaceSelector": SELECTOR,
        "matchConditions": [{"name": "carries-a-mark", "expression": EXPRESSION}],
        "rules": [{"apiGroups": [""], "resources": ["pods"]}],
    }


def secret(life: timedelta = 30 * DAY, name: str = EXPECTED.host) -> dict[str, Any]:
    """Return the Secret with a pair for a name."""
    pair = AUTHORITY.issue([name], life, NOW)
    return {"data": {"tls.crt": base64.b64encode(pair.certificate).decode()}}


def pod(image: str) -> dict[str, Any]:
    """Return a pod of the servers."""
    return {"spec": {"containers": [{"image": image}]}}


HEALTHY = Facts(
    now=NOW.timestamp(),
    kubernetes="v1.30.2",
    validating={"webhooks": [entry("a.deny", "/validate", "Fail"), entry("a.warn", "/validate/warn", "Ignore")]},
    mutating={"webhooks": [{**entry("a.mutate", "/mutate", "Ignore"), "reinvocationPolicy": "IfNeeded"}]},
    secret=secret(),
    deployment={"spec": {"replicas": 2}, "status": {"readyReplicas": 2}},
    pods=(pod("registry.example/percard:1.2.3"),) * 2,
    slices=({"endpoints": [{"conditions": {"ready": True}}]},),
    namespaces=({"metadata": {"labels": {}}},),
    good=Trial({"metadata": {"annotations": {"percard.webhook/limits": "{}"}}}),
    bad=Trial(None, "admission webhook denied: percard: container 'trial': …"),
)


def complaints(facts: Facts) -> list[Finding]:
    """Return what is not well."""
    return [finding for finding in examine(facts, EXPECTED) if finding.level != "ok"]


def with_entry(changed: dict[str, Any]) -> Facts:
    """Return a healthy installation whose refusing entry is changed."""
    entries = copy.deepcopy(HEALTHY.validating)
    assert entries
    entries["webhooks"][0].update(changed)
    return replace(HEALTHY, validating=entries)
