"""A cluster whose pods are created as dry runs, by turns in different namespaces, over one kept connection."""

import http.client
import json
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass

from bench import bodies
from bench.load import LoadError
from tests.e2e.controlplane import ControlPlane

_WARM_UP = 50


@dataclass(frozen=True, slots=True)
class Site:
    """A cluster with a namespace for each contender and one without webhooks, and a kept-alive connection to it."""

    cluster: ControlPlane
    connection: http.client.HTTPSConnection
    token: str

    def create_ms(self, namespace: str, pod: bytes) -> float:
        """Create a pod as a dry run and return how long it took. Raises `LoadError` where it is refused."""
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        start = time.perf_counter()
        self.connection.request("POST", f"/api/v1/namespaces/{namespace}/pods?dryRun=All", pod, headers)
        answer = self.connection.getresponse()
        text = answer.read()
        took_ms = (time.perf_counter() - start) * 1000
        if answer.status != http.HTTPStatus.CREATED:
            message = f"a pod in {namespace} is answered with {answer.status}: {text[:500].decode(errors='replace')}"
            raise LoadError(message)
        return took_ms


def by_turns(site: Site, namespaces: Sequence[str], pod: bytes, rounds: int) -> dict[str, list[float]]:
    """Create a pod as a dry run in each namespace, in another order every round; return the milliseconds by namespace."""
    order = random.Random(1)  # noqa: S311 -- the order of turns
    times: dict[str, list[float]] = {namespace: [] for namespace in namespaces}
    for turn in range(-_WARM_UP, rounds):
        for namespace in order.sample(namespaces, len(namespaces)):
            taken_ms = site.create_ms(namespace, pod)
            if turn >= 0:
                times[namespace].append(taken_ms)
    return times


def pod_of(review: bodies.Review) -> bytes:
    """Return the pod of a review as a client would send it."""
    pod = review["request"]["object"]
    metadata = pod["metadata"]
    pod["metadata"] = {"generateName": "bench-", "labels": metadata["labels"], "annotations": metadata["annotations"]}
    pod["spec"].pop("priority")
    return json.dumps(pod).encode()
