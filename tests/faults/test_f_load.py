"""Faults of others under load (letters F and H), as far as one process without a network can show them."""

import gc
import time
import tracemalloc

from tests.admission.samples import response, review
from tests.support.pods import ENGINE, Json, container, huawei, xg
from webhook.admission.handler import Handler
from webhook.admission.memory import Memory

# A webhook call is given three seconds by the shipped manifests; a burst is answered in far less than one call may take.
BURST, GUARD_SECONDS = 500, 3


def _pod(index: int) -> Json:
    """Return a pod that no other is like, right or wrong in turn."""
    whole = huawei(xg(64 + index % 2, None), count="2")
    whole["metadata"] |= {"name": f"p-{index}", "namespace": f"n-{index}", "uid": f"u-{index}"}
    whole["spec"]["containers"][0] = container(f"c-{index}", xg(64 + index % 2), env=[{"name": f"V{index}", "value": "x" * 64}])
    return whole


def test_f09_a_burst_of_creations_is_answered_well_within_the_time_limit_of_one_call() -> None:
    handler = Handler(ENGINE, "1")
    bodies = [review(obj=_pod(index)) for index in range(BURST)]
    start = time.perf_counter()
    allowed = [response(handler.respond("validate", body).body)["allowed"] for body in bodies]
    assert time.perf_counter() - start < GUARD_SECONDS
    assert allowed.count(True) == 0  # every second one does not divide, the others lack the scheduler that /mutate writes


def test_f19_h06_many_different_reviews_leave_nothing_behind_in_memory() -> None:
    handler = Handler(ENGINE, "1", Memory(size=200))

    def answer(first: int, last: int) -> None:
        for index in range(first, last):
            for endpoint in ("mutate", "validate"):
                handler.respond(endpoint, review(obj=_pod(index)))

    tracemalloc.start()
    answer(0, 500)  # caches of the interpreter and of its libraries fill up, and the memory for rulings
    gc.collect()
    before, _ = tracemalloc.get_traced_memory()
    answer(500, 1000)
    gc.collect()
    after, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert after - before < 500 * 64  # one object kept for each review would be more
