"""Which voices answer which action."""

from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from entente.commentary.router import RECENT_AGENTS, AgentRouter, GamePhase, asks_for_mechanics

TURNS = 10_000

MECHANICAL = (
    *("attack", "fight", "roll into Burgundy", "cast", "defend", "dodge", "swing", "shoot"),
    *("I attacked Munich", "we are fighting", "rolling north", "he shot first", "they fought"),
    *("climb the wall (DC 15)", "dc12", "what is the difficulty?"),
    *(
        "support Paris",
        "convoying to London",
        "why did Munich bounce?",
        "what became of my order?",
        "is that legal?",
        "a standoff",
    ),
    *("A PAR - BUR", "F NTH C A LON - NWY", "PAR → BUR"),
)
FREE = (
    *("", "offer Russia peace", "look around", "say hello to Vienna", "who is winning?"),
    *(
        "an armistice",
        "the broadcast",
        "my forecast",
        "a rollicking tale",
        "buildup",
        "a war",
        "an all-out assault",
    ),
)


@pytest.mark.parametrize("action", MECHANICAL)
def test_a_mechanical_action_adds_the_keeper(action: str) -> None:
    assert asks_for_mechanics(action)
    assert _routed(action, GamePhase.EXPLORATION)[:2] == ["narrator", "keeper"]


@pytest.mark.parametrize("action", FREE)
def test_a_free_action_is_the_narrators(action: str) -> None:
    assert not asks_for_mechanics(action)
    assert _routed(action, GamePhase.EXPLORATION)[0] == "narrator"
    assert "keeper" not in _routed(action, GamePhase.EXPLORATION)


@pytest.mark.parametrize("action", ["offer Russia peace", "A PAR - BUR"])
def test_in_combat_the_keeper_speaks_first_and_the_jester_never(action: str) -> None:
    router = AgentRouter(Random(1))
    for _ in range(1000):
        decision = router.route(action, GamePhase.COMBAT, [])
        assert (decision.agents, decision.include_jester) == (["keeper", "narrator"], False)


@pytest.mark.parametrize(
    ("phase", "share"), [(GamePhase.EXPLORATION, 0.15), (GamePhase.DIALOGUE, 0.10), (GamePhase.COMBAT, 0.0)]
)
@pytest.mark.parametrize("seed", range(3))
def test_the_jester_has_its_share_of_the_turns_in_which_it_is_allowed_and_keeps_its_distance(
    phase: GamePhase, share: float, seed: int
) -> None:
    chance = Random(seed)
    router = AgentRouter(chance)
    recent: list[str] = []
    allowed, jests = 0, list[int]()
    for turn in range(TURNS):
        allowed += router.may_jest(phase, recent)
        decision = router.route(chance.choice(("wait", "A PAR - BUR")), phase, recent)
        if decision.include_jester:
            jests.append(turn)
        assert ("jester" in decision.agents) is decision.include_jester
        recent = [*recent, *decision.agents][-RECENT_AGENTS:]
    assert len(jests) == pytest.approx(share * allowed, abs=0.01 * allowed)
    assert all(later - earlier > AgentRouter.JESTER_COOLDOWN for earlier, later in pairwise(jests))


@given(st.lists(st.sampled_from(["narrator", "keeper", "jester"]), max_size=RECENT_AGENTS))
def test_who_jested_among_the_last_three_that_spoke_does_not_jest_again(recent: list[str]) -> None:
    if "jester" in recent[-3:]:
        assert not AgentRouter().may_jest(GamePhase.EXPLORATION, recent)


@given(st.text(), st.sampled_from(GamePhase), st.integers())
def test_the_same_seed_decides_the_same(action: str, phase: GamePhase, seed: int) -> None:
    assert _routed(action, phase, seed) == _routed(action, phase, seed)


def _routed(action: str, phase: GamePhase, seed: int = 0) -> list[str]:
    return [*AgentRouter(Random(seed)).route(action, phase, []).agents]
