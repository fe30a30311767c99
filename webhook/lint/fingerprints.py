"""What makes a finding the same one from run to run, whatever line it has moved to."""

import hashlib
from collections import Counter
from collections.abc import Iterable

from webhook.lint.report import Located

_CHARACTERS = 32


def fingerprints(findings: Iterable[Located]) -> list[str]:
    """Return a hexadecimal fingerprint for each finding: of its check, file, object, field and value.

    Equal ones are told apart by their order.
    """
    seen: Counter[tuple[str, ...]] = Counter()
    result = []
    for located in findings:
        finding = located.finding
        key = (
            finding.check,
            located.file,
            finding.kind,
            finding.namespace,
            finding.name,
            finding.container or "",
            str(finding.path),
            finding.value or "",
        )
        seen[key] += 1
        result.append(hashlib.sha256("\0".join([*key, str(seen[key])]).encode("utf-8", "replace")).hexdigest()[:_CHARACTERS])
    return result
