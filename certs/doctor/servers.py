"""Questions about what answers: the certificate, who trusts it, the servers, their versions, and an answer itself."""

import base64
import re
from collections.abc import Iterator

from certs.doctor.facts import Expected, Facts, Finding, Trial
from certs.doctor.webhooks import entries_of, refuses_alone
from certs.inspection import certificates_in, is_issued_by, names_of, pem_parts

_DAY_SECONDS = 86_400
# A pair of 30 days is renewed when 10 are left; one with fewer than 7 was not.
_LEAST_DAYS = 7
_OLDEST = (1, 30)


def kubernetes(facts: Facts, _: Expected) -> Iterator[Finding]:
    """Is the API server new enough for matchConditions?"""
    match = re.match(r"v([0-9]{1,4})\.([0-9]{1,4})", facts.kubernetes)
    if match is None:
        yield Finding("kubernetes", "problem", f"the version cannot be read: {facts.unread.get('version', facts.kubernetes)}")
    elif (int(match[1]), int(match[2])) < _OLDEST:
        yield Finding("kubernetes", "problem", f"{facts.kubernetes} is too old", "percard needs 1.30 or newer")
    else:
        yield Finding("kubernetes", "ok", facts.kubernetes)


def certificate(facts: Facts, expected: Expected) -> Iterator[Finding]:
    """Is there a pair that is valid, made out to the right name, and trusted by every entry?"""
    if "secret" in facts.unread:
        yield Finding("certificate", "warning", f"the Secret {expected.secret} cannot be read: {facts.unread['secret']}")
        return
    chain = base64.b64decode((facts.secret or {}).get("data", {}).get("tls.crt", ""))
    leaf = next(iter(certificates_in(chain)), None)
    if leaf is None:
        yield Finding("certificate", "problem", f"the Secret {expected.secret} holds none: servers cannot start", expected.logs)
        return
    left = leaf.not_valid_after_utc.timestamp() - facts.now
    if left <= 0:
        yield Finding("certificate", "problem", f"it ended {_days(-left)} ago", expected.logs)
    elif left < _LEAST_DAYS * _DAY_SECONDS:
        yield Finding("certificate", "warning", f"it ends in {_days(left)} and was not renewed", expected.logs)
    else:
        yield Finding("certificate", "ok", f"ends in {_days(left)}")
    called = [entry for entry in (*entries_of(facts.mutating), *entries_of(facts.validating)) if "service" in entry["clientConfig"]]
    if called and expected.host not in names_of(chain):
        text = f"it is made out to {', '.join(sorted(names_of(chain))) or 'nobody'}, not to {expected.host}"
        yield Finding("certificate", "problem", text, expected.logs)
    yield from _trust(facts, expected, chain)


def _trust(facts: Facts, expected: Expected, chain: bytes) -> Iterator[Finding]:
    entries = [*entries_of(facts.mutating), *entries_of(facts.validating)]
    strangers = []
    for entry in entries:
        bundle = base64.b64decode(entry["clientConfig"].get("caBundle") or "")
        if not any(is_issued_by(chain, part) for part in pem_parts(bundle)):
            strangers.append(entry["name"])
    if strangers:
        text = f"the served certificate is not trusted by {', '.join(strangers)}: their calls fail"
        yield Finding("caBundle", "problem", text, f"look for another tool that writes the configuration, and at {expected.logs}")
    elif entries:
        yield Finding("caBundle", "ok", f"{len(entries)} entries trust the served certificate")


def _days(seconds: float) -> str:
    return f"{seconds / _DAY_SECONDS:.1f} days"


def servers(facts: Facts, expected: Expected) -> Iterator[Finding]:
    """Are servers running, and does the Service lead to them?"""
    if "deployment" in facts.unread:
        yield Finding("servers", "warning", f"cannot be read: {facts.unread['deployment']}")
        return
    look = f"kubectl -n {expected.namespace} get pods"
    if facts.deployment is None:
        yield Finding("servers", "problem", f"there is no Deployment {expected.namespace}/{expected.name}", look)
        return
    wanted, ready = facts.deployment["spec"].get("replicas", 1), facts.deployment.get("status", {}).get("readyReplicas", 0)
    if not ready:
        yield Finding("servers", "problem", f"none of {wanted} is ready: {_without_servers(facts)}", look)
    elif ready < wanted:
        yield Finding("servers", "warning", f"{ready} of {wanted} are ready", look)
    else:
        yield Finding("servers", "ok", f"{ready} of {wanted} are ready")
    endpoints = [one for part in facts.slices for one in part.get("endpoints") or [] if one.get("conditions", {}).get("ready", True)]
    if ready and not endpoints:
        text = f"the Service {expected.name} leads to none of them"
        yield Finding("servers", "problem", text, "compare the Service's selector with the labels of the pods")


def _without_servers(facts: Facts) -> str:
    """Return what that means for whoever applies something."""
    if refuses_alone(facts):
        return "GPU pods are refused in enforced namespaces"
    return "admission policies alone judge, and custom resources pass" if facts.floor else "GPU pods pass without being judged"


def versions(facts: Facts, expected: Expected) -> Iterator[Finding]:
    """Are all servers of one version, and of this program's?"""
    images = sorted({container["image"] for pod in facts.pods for container in pod["spec"]["containers"]})
    if len(images) > 1:
        look = f"kubectl -n {expected.namespace} rollout status deployment/{expected.name}"
        yield Finding("versions", "warning", f"servers of different images: {', '.join(images)}", look)
    elif images and not images[0].partition("@")[0].endswith(f":{expected.version}"):
        text = f"the servers run {images[0]}, this program is {expected.version}: the two may judge differently"
        yield Finding("versions", "warning", text, "use the same version in both places")
    elif images:
        yield Finding("versions", "ok", images[0])


def answers(facts: Facts, expected: Expected) -> Iterator[Finding]:
    """Does the API server reach percard, and does percard answer as it should?"""
    if facts.good is None or facts.bad is None:
        return
    broken = next((trial.refusal for trial in (facts.good, facts.bad) if _did_not_arrive(trial)), "")
    if broken:
        yield Finding("answers", "problem", f"the call fails: {broken}", "compare with the table in docs/install.md")
    elif facts.bad.taken is not None:
        text = "a pod whose memory does not divide is not refused"
        yield Finding("answers", "problem", text, "is the namespace of the trial enforced, and are the rules those that percard ships?")
    elif "percard:" not in facts.bad.refusal:
        yield Finding("answers", "warning", f"somebody else refuses the trial: {facts.bad.refusal}")
    elif facts.good.taken is None:
        yield Finding("answers", "problem", f"a pod that is right is refused: {facts.good.refusal}")
    elif expected.annotation not in facts.good.taken["metadata"].get("annotations", {}):
        yield Finding(
            "answers",
            "problem",
            "a pod that is right is not patched: the call of /mutate fails",
            "kubectl get --raw /metrics | grep fail_open",
        )
    elif "AdmissionPolicy" in facts.bad.refusal:
        yield Finding("answers", "ok", "a wrong pod is refused by an admission policy and a right one patched (dry runs)")
    else:
        yield Finding("answers", "ok", "a wrong pod is refused and a right one patched (dry runs)")


def _did_not_arrive(trial: Trial) -> bool:
    return "failed calling webhook" in trial.refusal
