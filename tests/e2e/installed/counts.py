"""How often a server was called, by its own metrics."""

import re
import urllib.request
from collections import Counter

_LINE = re.compile(r'^percard_admission_requests_total\{.*?endpoint="(?P<endpoint>[a-z/]+)".*?\} (?P<count>[0-9.e+]+)$', re.MULTILINE)


def calls(ops_port: int) -> Counter[str]:
    """Return the number of reviews that were answered, by endpoint."""
    with urllib.request.urlopen(f"http://127.0.0.1:{ops_port}/metrics", timeout=10) as answer:
        text: str = answer.read().decode()
    found: Counter[str] = Counter()
    for line in _LINE.finditer(text):
        found[line["endpoint"]] += int(float(line["count"]))
    return found
