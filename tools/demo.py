"""Shows the main job: three vendors' manifests checked, admitted by the real server over TLS, and bad ones refused."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NoReturn

import yaml

from tools.apiserver import ProtocolError, Webhook, as_kubectl_prints, patch_of, patched, pod_of
from tools.served import COMMAND, PROGRAM, NotServingError, served
from tools.terminal import BOLD, GREEN, RED, quote, step, styled, tell

ROOT = Path(__file__).resolve().parent.parent
EXAMPLES = Path("manifests/examples")
LIMITS = "percard.webhook/limits"
# What must come out: the vendors' own figures, and the scheduler that knows the keys.
GOOD: dict[str, tuple[str, str, dict[str, Any]]] = {
    "volcengine/deployment.yaml": ("Volcengine VKE mGPU", "default-scheduler", {"cards": 2, "corePercent": 15, "memoryMiB": 2048}),
    "huawei/deployment.yaml": ("Huawei CCE xGPU", "volcano", {"cards": 2, "memoryMiB": 4096}),
    "huawei/without-scheduler.yaml": ("Huawei, no scheduler named", "volcano", {"cards": 2, "corePercent": 15, "memoryMiB": 4096}),
    "alibaba/job.yaml": ("Alibaba ACK gpushare", "default-scheduler", {"cards": 2, "memoryAtLeast": True, "memoryMiB": 4096}),
}
# What must be refused, and the checks that must say so.
BAD = {
    "huawei/uneven-memory.yaml": {"memory-step"},
    "volcengine/list-too-long.yaml": {"card-list"},
    "huawei/five-mistakes.yaml": {"core-step", "excluded-resource", "memory-missing", "memory-step", "quantity"},
}


class UnexpectedError(Exception):
    """Something did not go as it should; the text says what."""


def main() -> int:
    """Run the demo; return 0 only if all went as it should."""
    signal.signal(signal.SIGTERM, _interrupted)
    os.chdir(ROOT)
    try:
        _check_good()
        with served() as webhook:
            step(2, f"The real server starts: percard {' '.join(COMMAND)}")
            tell(f"It answers over TLS on port {webhook.port}; its certificate is verified, as the API server does.")
            _admit_all(webhook)
            _refuse_all(webhook)
        _check_bad()
    except (UnexpectedError, ProtocolError, NotServingError, OSError, subprocess.SubprocessError) as error:
        print(f"\nThe demo FAILED: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\nInterrupted; the server was stopped.", file=sys.stderr)
        return 130
    print(f"\n{styled('All went as it should.', GREEN)} The server has stopped and left nothing behind.")
    print("Now your own manifests: .venv/bin/percard check FILE-OR-FOLDER")
    return 0


def _check_good() -> None:
    files = [str(EXAMPLES / name) for name in GOOD]
    step(1, "Manifests of three clouds, checked before they are applied: percard check")
    tell(*files)
    code, output = _percard("check", *files)
    tell(f"→ {output.strip().splitlines()[-1]}")
    _expect(code == 0, f"percard check ended with exit code {code} on correct manifests")


def _admit_all(webhook: Webhook) -> None:
    step(3, "Admitted, as when they are applied: an AdmissionReview for the workload, then one for its pod")
    for name, (title, scheduler, limits) in GOOD.items():
        workload = _load(name)
        print(f"\n   {styled(title, BOLD)}, {EXAMPLES / name}")
        tell(*(f"  {line}" for line in _asked(workload)))
        tell(f"/validate allows the {workload['kind']}. /mutate patches its pod:")
        _expect_allowed(webhook, workload)
        after = _admit(webhook, pod_of(workload))
        found = json.loads(after["metadata"]["annotations"][LIMITS])["containers"]["worker"]
        _expect(found == limits, f"{name} got the limits {found}")
        _expect(after["spec"]["schedulerName"] == scheduler, f"{name} got the scheduler {after['spec']['schedulerName']}")
        tell(f"→ {_in_words(limits)}, placed by {scheduler}", style=GREEN)


def _asked(workload: Mapping[str, Any]) -> Iterator[str]:
    """Yield the vendor's keys of the pod template: the pod's own, then those of its containers."""
    template = workload["spec"]["template"]
    pod = {**template["metadata"].get("labels", {}), **template["metadata"].get("annotations", {})}
    for asked in (pod, *(container["resources"]["limits"] for container in template["spec"]["containers"])):
        yield from (f"{key}: {json.dumps(value)}" for key, value in asked.items() if "/" in key)


def _admit(webhook: Webhook, pod: Mapping[str, Any]) -> dict[str, Any]:
    operations = patch_of(webhook.create("/mutate", pod))
    for operation in operations:
        tell(*(f"  {line}" for line in _operation(operation)))
    after = patched(pod, operations)
    _expect(patch_of(webhook.create("/mutate", after)) == [], "a patched pod was patched again")
    _expect_allowed(webhook, after)
    tell("The patched pod is sent again: no further patch, and /validate allows it.")
    return after


def _operation(operation: Mapping[str, Any]) -> Iterator[str]:
    yield f"{operation['op']} {operation['path']}"
    value = operation["value"]
    yield from (f"  {key}: {text}" for key, text in value.items()) if isinstance(value, dict) else [f"  {value}"]


def _expect_allowed(webhook: Webhook, obj: Mapping[str, Any]) -> None:
    response = webhook.create("/validate", obj)
    if not response["allowed"]:
        raise UnexpectedError(as_kubectl_prints(response))


def _refuse_all(webhook: Webhook) -> None:
    step(4, "Refused, with what to write instead")
    for name, checks in BAD.items():
        response = webhook.create("/validate", _load(name))
        _expect(not response["allowed"], f"{name} was allowed")
        print(f"\n   {styled(f'kubectl apply -f {EXAMPLES / name}', BOLD)} would print:")
        tell(*as_kubectl_prints(response).splitlines(), style=RED)
        told = {cause["message"].rpartition("[")[2].rstrip("]") for cause in response["status"]["details"]["causes"]}
        _expect(told == checks, f"{name} was refused by {sorted(told)}")


def _check_bad() -> None:
    name, checks = next(iter(BAD.items()))
    step(5, f"The same before anything is applied, with the line: percard check {EXAMPLES / name}")
    code, output = _percard("check", str(EXAMPLES / name))
    quote(output)
    tell(f"→ exit code {code}, so that CI stops here")
    _expect(code == 1 and all(f"[{check}]" in output for check in checks), f"percard check ended with exit code {code}")


def _percard(*arguments: str) -> tuple[int, str]:
    done = subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, check=False)
    sys.stderr.write(done.stderr)
    return done.returncode, done.stdout


def _load(name: str) -> dict[str, Any]:
    data: dict[str, Any] = yaml.safe_load((EXAMPLES / name).read_text(encoding="utf-8"))
    return data


def _in_words(limits: Mapping[str, Any]) -> str:
    least = "at least " if limits.get("memoryAtLeast") else ""
    compute = f" and {limits['corePercent']} % of compute" if "corePercent" in limits else ", compute not limited"
    return f"{limits['cards']} cards, each {least}{limits['memoryMiB']} MiB{compute}"


def _expect(condition: object, otherwise: str) -> None:
    if not condition:
        raise UnexpectedError(otherwise)


def _interrupted(*_: object) -> NoReturn:
    raise KeyboardInterrupt


if __name__ == "__main__":
    sys.exit(main())
