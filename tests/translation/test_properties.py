"""Random pods, there and back: never less on a card, never more than one step, and the same where nothing is remarked."""

from dataclasses import dataclass
from fractions import Fraction

from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from tests.translation.pods import BOTH_WAYS, Object, alibaba, dialect, draft_of, huawei, outcomes, pod, read, volcengine, written
from webhook import GpuShare

_SETTINGS = settings(suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow])


@dataclass(frozen=True)
class Each:
    """What a container gets on each card; 100 % of both is a whole card."""

    cards: int
    memory: Fraction | None
    percent: Fraction | None
    core: Fraction | None
    whole: bool


def each_of(share: GpuShare) -> Each:
    cards = share.cards or 0
    if share.whole:
        return Each(cards, None, None, None, whole=True)
    percent = None if share.memory_percent is None else Fraction(share.memory_percent, cards)
    return Each(cards, share.per_card(share.memory_mib), percent, share.per_card(share.core_percent), whole=False)


def model(obj: Object) -> list[Each]:
    return [each_of(share) for share in read(obj).shares]


@st.composite
def volcengine_pods(draw: st.DrawFn) -> Object:
    counts = draw(st.lists(st.integers(1, 4), min_size=1, max_size=3))
    listed = draw(st.booleans()) or any(count > 1 for count in counts)
    least = 1024 if listed else 256
    asks: list[tuple[int | None, int]] = []
    for count in counts:
        if draw(st.integers(0, 4)) == 0:
            asks.append((None, 100 * count))
        else:
            asks.append((count * draw(st.integers(least, 40_000)), count * draw(st.integers(1, 99))))
    return volcengine(*asks, cards=",".join(map(str, counts)) if listed else None)


@st.composite
def huawei_pods(draw: st.DrawFn) -> Object:
    cards = draw(st.integers(1, 4))
    ask = st.tuples(
        st.integers(1, 300).map(lambda blocks: blocks * cards),
        st.none() | st.integers(1, 20).map(lambda steps: steps * 5 * cards),
    )
    asks = draw(st.lists(ask, min_size=1, max_size=3))
    return huawei(*asks, cards=cards if cards > 1 or draw(st.booleans()) else None)


@st.composite
def alibaba_pods(draw: st.DrawFn) -> Object:
    cards = draw(st.integers(1, 4))
    count = draw(st.integers(1, 3))
    with_core = cards == 1 and draw(st.booleans())
    core = st.integers(1, 20 // count).map(lambda steps: steps * 5) if with_core else st.none()
    asks = [(draw(st.integers(1, 40)) * cards, draw(core)) for _ in range(count)]
    return alibaba(*asks, cards=cards if cards > 1 else None)


@st.composite
def hami_pods(draw: st.DrawFn) -> Object:
    limits = []
    for _ in range(draw(st.integers(1, 2))):
        ask = {"nvidia.com/gpu": draw(st.integers(1, 4))}
        memory = draw(st.sampled_from(["nvidia.com/gpumem", "nvidia.com/gpumem-percentage", None]))
        if memory is not None:
            ask[memory] = draw(st.integers(1, 100) if memory.endswith("percentage") else st.integers(1, 40_000))
        if draw(st.booleans()):
            ask["nvidia.com/gpucores"] = draw(st.integers(1, 100))
        limits.append(ask)
    assume(any(ask.keys() != {"nvidia.com/gpu"} for ask in limits))
    return pod(*limits, schedulerName="hami-scheduler")


PODS = st.one_of(volcengine_pods(), huawei_pods(), alibaba_pods(), hami_pods())


def _not_less(before: Each, after: Each, target: str) -> None:
    """Compare one container; compute that is not limited must stay so."""
    known = dialect(target)
    assert after.cards == before.cards
    if after.whole:
        return
    assert not before.whole
    if before.memory is not None and after.memory is not None:
        assert before.memory <= after.memory
        least = {known.memory_min_mib, known.memory_min_multi_mib}
        assert after.memory < before.memory + known.memory_step_mib or after.memory in least
    if before.percent is not None:
        assert after.percent is not None
        assert before.percent <= after.percent < before.percent + 1
    if before.core is None:
        assert after.core is None
    elif after.core is not None:
        assert before.core <= after.core
        assert after.core < before.core + known.core_step_percent or after.core == known.core_min_percent


@given(target=st.sampled_from(BOTH_WAYS), source=PODS)
@_SETTINGS
def test_a_target_gives_no_less_on_a_card_and_at_most_one_step_more(target: str, source: Object) -> None:
    draft = draft_of(source, target)
    assume(draft.is_possible and read(source).dialect.id != target)
    before, after = model(source), model(written(source, target))
    for one, other in zip(before, after, strict=True):
        _not_less(one, other, target)


@given(target=st.sampled_from(BOTH_WAYS), source=PODS)
@_SETTINGS
def test_without_a_remark_on_it_every_figure_is_the_same(target: str, source: Object) -> None:
    found = outcomes(draft_of(source, target))
    assume(not {"impossible", "lost", "rounded"} & set(found) and read(source).dialect.id != target)
    assert model(written(source, target)) == model(source)


@given(target=st.sampled_from(BOTH_WAYS), source=PODS)
@_SETTINGS
def test_there_and_back_without_loss_is_the_same_pod(target: str, source: Object) -> None:
    home = read(source).dialect.id
    there = outcomes(draft_of(source, target))
    assume(not {"impossible", "lost", "rounded"} & set(there) and home != target)
    abroad = written(source, target)
    back = outcomes(draft_of(abroad, home))
    assume(not {"impossible", "lost", "rounded"} & set(back))
    assert model(written(abroad, home)) == model(source)


@given(source=PODS)
@_SETTINGS
def test_hami_can_say_everything_but_that_containers_share_their_cards(source: Object) -> None:
    gpu = read(source)
    assume(gpu.dialect.id != "hami" and not (gpu.dialect.containers_share_cards and len(gpu.shares) > 1))
    assert {"impossible", "lost", "rounded"} & set(outcomes(draft_of(source, "hami"))) == set()


@given(source=PODS)
@_SETTINGS
def test_a_second_translation_changes_nothing(source: Object) -> None:
    assume(read(source).dialect.id != "hami")
    once = written(source, "hami")
    assert written(once, "hami") == once
