"""The overlays on which every test of an installation runs, and what each of them makes of an object, with the reason."""

from typing import NamedTuple

OVERLAYS = ("self-signed", "with-floor")


class Outcome(NamedTuple):
    """What becomes of an object. `reason` says why it is another outcome than on the first overlay."""

    taken: bool
    # What the API server's message must hold, where the object is refused.
    says: tuple[str, ...] = ()
    # Whether pods get their scheduler and limits.
    patched: bool = False
    # The endpoints of percard that are asked, where it answers: of pods, of all else.
    asks_of_pods: tuple[str, ...] = ()
    asks: tuple[str, ...] = ()
    reason: str = ""


_BY_POLICY = "ValidatingAdmissionPolicy 'percard-"
_UNREACHED = ('failed calling webhook "workloads.deny.percard.webhook"', "connection refused")
WRONG = "wrong in a way that policies know"
AWAY_RIGHT, AWAY_WRONG, AWAY_CUSTOM = "right, percard away", "wrong, percard away", "wrong custom resource, percard away"
OUTCOMES: dict[str, dict[str, Outcome]] = {
    WRONG: {
        "self-signed": Outcome(
            taken=False, says=("admission webhook", "percard: "), asks_of_pods=("mutate", "validate"), asks=("validate",)
        ),
        "with-floor": Outcome(
            taken=False,
            says=(_BY_POLICY, "denied request: percard: "),
            asks_of_pods=("mutate",),
            reason="policies are asked before the webhooks that judge; one refusal is enough",
        ),
    },
    AWAY_RIGHT: {
        "self-signed": Outcome(taken=False, says=_UNREACHED),
        "with-floor": Outcome(taken=True, patched=True, reason="the webhook's entries ignore failures, and a policy patches"),
    },
    AWAY_WRONG: {
        "self-signed": Outcome(taken=False, says=_UNREACHED),
        "with-floor": Outcome(taken=False, says=(_BY_POLICY, "[memory-step]"), reason="a policy refuses before the webhook is called"),
    },
    AWAY_CUSTOM: {
        "self-signed": Outcome(taken=False, says=('failed calling webhook "custom-resources.deny.percard.webhook"',)),
        "with-floor": Outcome(taken=True, reason="policies know built-in kinds alone: its pods are judged when its controller makes them"),
    },
}
# What `percard doctor` says of servers that are not there, and of its two dry runs: policies refuse the wrong pod first.
SERVERS_AWAY = {
    "self-signed": "GPU pods are refused in enforced namespaces",
    "with-floor": "admission policies alone judge, and custom resources pass",
}
TRIED = {
    "self-signed": "a wrong pod is refused and a right one patched (dry runs)",
    "with-floor": "a wrong pod is refused by an admission policy and a right one patched (dry runs)",
}
