"""kubectl as a person runs it: arguments in, the text of the terminal out."""

import json
import os
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_SECONDS = 120


@dataclass(frozen=True, slots=True)
class Answer:
    """What one call printed, and how it ended."""

    code: int
    out: str
    err: str


@dataclass(frozen=True, slots=True)
class Kubectl:
    """The program with the credentials of one user in one cluster."""

    program: Path
    kubeconfig: Path

    def run(self, *arguments: str, given: object = None) -> Answer:
        """Run kubectl; `given` goes to its stdin, as JSON where it is no text."""
        text = given if given is None or isinstance(given, str) else json.dumps(given)
        command: list[str | Path] = [self.program, "--kubeconfig", self.kubeconfig, *arguments]
        environment: dict[str, str] = {**os.environ, "NO_COLOR": "1", "KUBECTL_KUBERC": "false", "HOME": str(self.kubeconfig.parent)}
        done = subprocess.run(command, input=text, capture_output=True, text=True, timeout=_SECONDS, check=False, env=environment)
        return Answer(done.returncode, done.stdout, done.stderr)

    def succeed(self, *arguments: str, given: object = None) -> Answer:
        """Run kubectl and insist on exit code 0."""
        answer = self.run(*arguments, given=given)
        assert answer.code == 0, f"kubectl {' '.join(arguments)}: {answer.out}{answer.err}"
        return answer

    def apply(self, given: object, *arguments: str) -> Answer:
        """Run `kubectl apply` on objects."""
        return self.run("apply", "-f", "-", *arguments, given=given)

    def get(self, *arguments: str) -> Any:
        """Return the object or list that `kubectl get … -o json` prints."""
        return json.loads(self.succeed("get", *arguments, "-o", "json").out)

    def items(self, *arguments: str) -> list[Mapping[str, Any]]:
        """Return the items of the list that `kubectl get` prints."""
        found: list[Mapping[str, Any]] = self.get(*arguments)["items"]
        return found
