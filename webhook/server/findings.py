"""Findings as the API tells them."""

from webhook.core.finding import Finding
from webhook.server.api_models import ApiFinding


def api_finding(number: int, finding: Finding) -> ApiFinding:
    """Return a finding of the object `number`."""
    return ApiFinding(
        check=finding.check,
        severity=finding.severity,
        dialect=finding.dialect,
        document=number,
        kind=finding.kind,
        namespace=finding.namespace,
        name=finding.name,
        container=finding.container,
        field=str(finding.path),
        value=finding.value,
        message=finding.message,
        hint=finding.hint,
    )
