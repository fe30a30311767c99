"""The same work as a plain FastAPI route: parse the body, copy the pod, change the copy, compare the two."""

import base64
import copy
import json
import sys
from typing import Any

import jsonpatch
import uvicorn
from fastapi import FastAPI

_MEMORY = "vke.volcengine.com/mgpu-memory"
_CORE = "vke.volcengine.com/mgpu-core"
_CARDS = "vke.volcengine.com/container-multiple-gpu"

app = FastAPI()


@app.post("/mutate")
def mutate(review: dict[str, Any]) -> dict[str, Any]:
    """Answer an AdmissionReview with the patch that the difference of the two pods makes."""
    request = review["request"]
    pod = request["object"]
    new = copy.deepcopy(pod)
    response: dict[str, Any] = {"uid": request["uid"], "allowed": True}
    try:
        split(new)
    except ValueError as problem:
        response.update(allowed=False, status={"code": 422, "message": str(problem)})
    else:
        patch = jsonpatch.make_patch(pod, new)
        if patch:
            response.update(patchType="JSONPatch", patch=base64.b64encode(patch.to_string().encode()).decode())
    return {"apiVersion": review["apiVersion"], "kind": review["kind"], "response": response}


def split(pod: dict[str, Any]) -> None:
    """Write scheduler and limits into a pod that asks for shares; raises `ValueError` where they do not divide."""
    containers = pod["spec"]["containers"]
    if not any(_MEMORY in container.get("resources", {}).get("limits", {}) for container in containers):
        return
    entries = pod["metadata"]["annotations"][_CARDS].split(",")
    granted = {}
    for container, entry in zip(containers, entries, strict=True):
        limits = container.get("resources", {}).get("limits", {})
        if _MEMORY in limits:
            granted[container["name"]] = per_card(container["name"], limits, int(entry))
    text = json.dumps({"containers": granted, "dialect": "volcengine"}, sort_keys=True, separators=(",", ":"))
    pod["metadata"]["annotations"]["percard.webhook/limits"] = text
    pod["spec"]["schedulerName"] = "volcano"


def per_card(name: str, limits: dict[str, Any], cards: int) -> dict[str, int]:
    """Return what each card gives to a container."""
    memory_mib, core_percent = int(limits[_MEMORY]), int(limits[_CORE])
    if memory_mib % cards or core_percent % cards:
        message = f"container '{name}': must divide by {cards} cards"
        raise ValueError(message)
    return {"cards": cards, "corePercent": core_percent // cards, "memoryMiB": memory_mib // cards}


def main() -> None:
    """Serve: plain PORT CERTIFICATE KEY."""
    port, certificate, key = sys.argv[1:]
    uvicorn.run(app, host="127.0.0.1", port=int(port), ssl_certfile=certificate, ssl_keyfile=key, access_log=False, log_level="warning")


if __name__ == "__main__":
    main()
