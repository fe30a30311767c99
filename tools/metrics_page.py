"""docs/metrics.md, from the server's table of metrics."""

from tools.markdown import code, codes, document, table
from webhook.server.metrics import BODY, BYTES_BUCKETS, COUNTERS, DURATION, EXPIRY, FAMILIES, FAULTS, SECONDS_BUCKETS, Family

INTRODUCTION = """
`GET /metrics` on the ops port answers in Prometheus' text format. Every label has a fixed set of values, so the number of series
is bounded whatever is sent. Beside these stand the process metrics of Prometheus' client (`process_…`).
"""

ALERTS = f"""
## What to watch

```
# percard itself fails: the webhook configuration's failurePolicy decides about these pods
rate({FAULTS.name}_total[5m]) > 0
# the certificate expires within a day and was not renewed
{EXPIRY.name} - time() < 86400
# slower than a tenth of a second for one review in a hundred
histogram_quantile(0.99, sum by (le) (rate({DURATION.name}_bucket[5m]))) > 0.1
```
"""


def metrics() -> str:
    """Return docs/metrics.md."""
    rows = [(code(_exposed(family)), family.kind, codes(family.labels), family.about) for family in FAMILIES]
    return document("Metrics", INTRODUCTION, table(("metric", "kind", "labels", "meaning"), rows), _buckets(), ALERTS)


def _exposed(family: Family) -> str:
    """Return the name as it is exposed: the client appends `_total` to counters."""
    return f"{family.name}_total" if family in COUNTERS else family.name


def _buckets() -> str:
    seconds, sizes = (
        ", ".join(f"{bound:g}" if bound < 1 else str(bound) for bound in bounds) for bounds in (SECONDS_BUCKETS, BYTES_BUCKETS)
    )
    return f"Upper bounds of `{DURATION.name}`: {seconds}. Of `{BODY.name}`: {sizes}."
