"""The API for portals under schemathesis: what its own description allows, what it does not, and whether the answers keep to it."""

import ssl
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.fuzz.outcome import Effort
from bench.soak.result import Result
from bench.soak.servers import SoakServer

# Seconds that schemathesis may need beyond its budget to come to an end.
_PATIENCE = 120
_MOST_CHARACTERS = 300
# Too many objects are refused by the size of the body before they are counted.
_SETTINGS = """\
[checks]
negative_data_rejection.expected-statuses = [400, 413, 415, 422]
"""


def fuzz(server: SoakServer, context: ssl.SSLContext, effort: Effort) -> list[Result]:
    """Have schemathesis call the API for as long, or with as many examples for each path, as is asked for."""
    url = f"https://127.0.0.1:{server.port}/openapi.json"
    amount = ["--max-time", str(max(1, int(effort.seconds)))] if effort.count is None else ["--max-examples", str(effort.count)]
    with TemporaryDirectory(prefix="percard-fuzz-") as folder:
        bundle, settings = Path(folder) / "ca.pem", Path(folder) / "schemathesis.toml"
        bundle.write_text("".join(ssl.DER_cert_to_PEM_cert(der) for der in context.get_ca_certs(binary_form=True)), encoding="ascii")
        settings.write_text(_SETTINGS, encoding="ascii")
        options: list[str | Path] = [
            "--tls-verify",
            bundle,
            "--checks",
            "all",
            "--seed",
            str(effort.seed),
            "--continue-on-failure",
            "--no-color",
            *amount,
        ]
        done = subprocess.run(
            [Path(sys.executable).with_name("schemathesis"), "--config-file", settings, "run", url, *options],
            capture_output=True,
            text=True,
            check=False,
            cwd=folder,
            timeout=None if effort.count else effort.seconds + _PATIENCE,
        )
    faults = int(server.metric("percard_faults_total"))
    lines = [line.strip()[:_MOST_CHARACTERS] for line in (done.stdout + done.stderr).splitlines()]
    told = [line for line in lines if " generated" in line]
    if done.returncode:
        print("\n".join(lines), flush=True)
    return [
        Result("/v1 by its own description (schemathesis)", " ".join(told) or "no summary", done.returncode == 0),
        Result("faults that the server counted meanwhile", str(faults), faults == 0),
    ]
