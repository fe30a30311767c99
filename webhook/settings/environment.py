"""The PERCARD_… variables of the environment, without those that Kubernetes sets for Services."""

import re
from collections.abc import Iterator, Mapping

from webhook.settings.entries import Entry, Path

PREFIX = "PERCARD_"
CONFIG_VARIABLE = "PERCARD_CONFIG"

# What a pod finds for a Service whose name begins with "percard" (kubelet, `envvars.FromServices`).
_SERVICE_VARIABLE = re.compile(
    r"PERCARD_(?:[A-Z0-9_]+_)?(?:SERVICE_HOST|SERVICE_PORT(?:_[A-Z0-9_]+)?|PORT_[0-9]+_(?:TCP|UDP|SCTP)(?:_(?:PROTO|PORT|ADDR))?)"
)
_SERVICE_PORT = re.compile(r"PERCARD_(?:[A-Z0-9_]+_)?PORT")
_SERVICE_URL = re.compile(r"(?:tcp|udp|sctp)://")


def environment_entries(environ: Mapping[str, str]) -> Iterator[Entry]:
    """Yield a setting for each variable: `PERCARD_SERVE__OPS_PORT` is `serve.ops_port`."""
    for name, text in sorted(environ.items()):
        if name.startswith(PREFIX) and name != CONFIG_VARIABLE and not _is_of_a_service(name, text):
            yield Entry(tuple(name.removeprefix(PREFIX).lower().split("__")), text, f"variable {name}", is_text=True)


def variable_name(path: Path) -> str:
    """Return the variable that sets a setting."""
    return PREFIX + "__".join(path).upper()


def _is_of_a_service(name: str, text: str) -> bool:
    if _SERVICE_VARIABLE.fullmatch(name):
        return True
    return _SERVICE_PORT.fullmatch(name) is not None and _SERVICE_URL.match(text) is not None
