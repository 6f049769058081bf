"""Comparisons: which games are paired, what a game says of a seat, and what is made of the differences."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from checkpoints.store import Store
from entente.errors import SettingsError
from entente.games.comparison import Plan, Variant, difference, differences
from entente.games.measures import Measures, measures_of
from entente.games.planned import open_planned
from entente.games.runner import GameMaster
from entente.players.actions import Action, SubmitOrders
from entente.players.bundle import Bundle
from entente.players.protocol import Player
from entente.players.roster import make_player
from entente.players.seating import Chair
from entente.press.messages import Act, CommitmentKind, Statement
from graph.context import GameSettings
from tests.support.players import Cast, Script, say

MODEL = "openai:m@http://127.0.0.1:1/v1"
GUNBOAT = GameSettings(floor="gunboat", max_year=1901)

TABLE = [
    # (a, b) of each pair; mean of a, of b, of b - a; half the width of its interval, worked out by hand as
    # t * s / sqrt(n) with Student's t of 4.303, 3.182 and 2.776 for 2, 3 and 4 degrees of freedom.
    ([(0, 1), (0, 2), (0, 3)], (0, 2, 2), 4.303 * 1 / 3**0.5),
    ([(1, 0), (2, 0), (3, 0)], (2, 0, -2), 4.303 * 1 / 3**0.5),
    ([(5, 6), (5, 4), (5, 6), (5, 4)], (5, 5, 0), 3.182 * (4 / 3) ** 0.5 / 2),
    ([(1, 2), (2, 4), (3, 6), (4, 8), (5, 10)], (3, 6, 3), 2.776 * 2.5**0.5 / 5**0.5),
    ([(1, 4), (None, 9), (1, 5), (1, 6), (7, None)], (1, 5, 4), 4.303 * 1 / 3**0.5),
    ([(0.5, 0.5)] * 3, (0.5, 0.5, 0), 0),
]


@pytest.mark.parametrize(("pairs", "means", "half"), TABLE)
def test_the_difference_and_its_interval_are_those_of_the_pairs(
    pairs: Sequence[tuple[float | None, float | None]], means: tuple[float, float, float], half: float
) -> None:
    found = difference("score", pairs)
    assert found.difference is not None
    assert found.low is not None
    assert found.high is not None
    assert (found.a, found.b, found.difference) == pytest.approx(means)
    assert (found.high - found.difference, found.difference - found.low) == pytest.approx(
        (half, half), rel=0.035
    )
    assert found.pairs == sum(None not in pair for pair in pairs)


@pytest.mark.parametrize(
    ("pairs", "expected"),
    [
        ([(1, 2), (3, 6)], (2, 4, 2, None, None, 2)),
        ([(None, 1)], (None,) * 5 + (0,)),
        ([], (None,) * 5 + (0,)),
    ],
)
def test_few_pairs_tell_no_interval_and_none_tell_nothing(
    pairs: Sequence[tuple[float | None, float | None]], expected: tuple[object, ...]
) -> None:
    assert tuple(difference("score", pairs).model_dump(exclude={"measure"}).values()) == expected


def test_a_pair_differs_in_the_variant_alone_and_powers_and_opponents_take_turns() -> None:
    plan = Plan(Variant("dumbbot"), Variant("hold"), GUNBOAT, ("random", "diplomat"))
    pairs = plan.pairs(14, Cast())
    assert {tuple(pair.a.settings.seats) == tuple(pair.b.settings.seats) for pair in pairs} == {True}
    for pair in pairs:
        assert pair.power is not None
        assert pair.a.settings.model_copy(update={"seats": {pair.power: "hold"}}) == pair.b.settings
    assert [pair.seed for pair in pairs] == [*range(42, 56)]
    assert set(Counter((pair.power, pair.against) for pair in pairs).values()) == {1}
    assert len({game.id for pair in pairs for game in (pair.a, pair.b)}) == 28


def test_games_of_two_versions_of_entente_are_not_mixed() -> None:
    a, b = Variant("dumbbot"), Variant("hold")
    plans = [Plan(a, b, GUNBOAT, ("random",)), Plan(a, b, GUNBOAT, ("random",), version="0.0.1")]
    ids = [{game.id for pair in plan.pairs(7, Cast()) for game in (pair.a, pair.b)} for plan in plans]
    assert not ids[0] & ids[1]


def test_a_games_id_is_that_of_its_texts_model_and_settings_and_of_nothing_else(tmp_path: Path) -> None:
    def first(variant: Variant, base: GameSettings = GUNBOAT) -> str:
        return Plan(variant, Variant("hold"), base, ("dumbbot",)).pairs(1, anybody)[0].a.id

    for name, words in (("one", "Play to win."), ("same", "Play to win."), ("other", "Play well.")):
        (tmp_path / name / "personas").mkdir(parents=True)
        (tmp_path / name / "personas" / "AUSTRIA.md").write_text(words)
    folders = {name: first(Variant(MODEL, prompts=str(tmp_path / name))) for name in ("one", "same", "other")}
    assert folders["one"] == folders["same"] != folders["other"]
    plain = first(Variant(MODEL))
    assert plain == first(Variant(MODEL, {"prompts": "default"}))
    assert plain == first(Variant(MODEL, {"attempt_seconds": 9, "max_attempts": 1, "budget_usd": 1}))
    others = [
        first(Variant(MODEL, {"prompts": "short"})),
        first(Variant(MODEL, {"temperature": 0})),
        first(Variant(MODEL.replace(":m@", ":n@"))),
        first(Variant(MODEL), GUNBOAT.model_copy(update={"seed": 43})),
        *folders.values(),
    ]
    assert len({plain, *others}) == 7


def anybody(_chair: Chair) -> Player:
    """A player for any seat: who it is decides nothing of an id."""
    return make_player("hold")


@pytest.mark.parametrize(
    ("a", "b", "opponents", "told"),
    [
        (Variant("dumbbot"), Variant(" DumbBot "), ("hold",), "both are the same"),
        (Variant(MODEL), Variant(MODEL, {"silent_seconds": 3}), ("hold",), "both are the same"),
        (Variant("dumbbot"), Variant("hold"), ("human",), "human came"),
        (Variant("dumbbot"), Variant("hold"), (MODEL,), f"{MODEL} came"),
    ],
)
def test_what_cannot_be_compared_is_refused(
    a: Variant, b: Variant, opponents: Sequence[str], told: str
) -> None:
    with pytest.raises(SettingsError, match=told):
        Plan(a, b, GUNBOAT, opponents).pairs(1, Cast())


def test_texts_and_settings_are_for_models_and_no_person_is_compared() -> None:
    with pytest.raises(SettingsError, match="dumbbot is none"):
        Variant("dumbbot", {"prompts": "short"})
    with pytest.raises(SettingsError, match="a person came"):
        Variant("human")


async def compared(store: Store, plan: Plan, games: int, cast: Cast) -> dict[str, tuple[float | None, ...]]:
    """By measure: what A and B came to, and the interval."""
    measured: list[tuple[Measures, Measures]] = []
    master = GameMaster(store, cast)
    for pair in plan.pairs(games, cast):
        for game in (pair.a, pair.b):
            await open_planned(store, master, game)
            await master.run(game.id)
        measured.append(
            (
                await measures_of(store, pair.a.id, pair.powers),
                await measures_of(store, pair.b.id, pair.powers),
            )
        )
    return {row.measure: (row.a, row.b, row.low, row.high) for row in differences(measured)}


def sloppy(bundle: Bundle) -> list[Action]:
    """A hold for each unit, and as often an order that is none; the builds that come."""
    units = [[*map(str, options)] for options in bundle.board.legal_orders[bundle.power].values()]
    held = [next((text for text in texts if text.endswith(" H")), texts[0]) for texts in units]
    return [SubmitOrders(orders=(*held, *("A PAR - MOS" for _ in held)))]


async def test_worse_orders_show_in_legality_holds_and_score(memory_store: Store) -> None:
    plan = Plan(Variant("dumbbot"), Variant("sloppy"), GUNBOAT, ("hold",))
    found = await compared(memory_store, plan, 3, Cast(scripts={"sloppy": sloppy}))
    assert found["legality"] == (1, 0.5, -0.5, -0.5)
    better, worse, low, _ = found["hold_rate"]
    assert better is not None
    assert low is not None
    assert (better < 0.5, worse, low > 0) == (True, 1, True)
    *_, high = found["score"]
    assert high is not None
    assert high < 0
    assert (found["promises_kept"], found["tokens"], found["malformed"]) == ((None,) * 4,) * 3


def promising(*, is_true: bool) -> Script:
    """Says in each spring and fall that its first unit holds, which is true or not."""

    def script(bundle: Bundle) -> list[Action]:
        texts = [str(order) for order in next(iter(bundle.board.legal_orders[bundle.power].values()), ())]
        if bundle.wants_orders:
            fitting = [text for text in texts if text.endswith(" H") == is_true]
            return [SubmitOrders(orders=(*fitting[:1],))]
        (hold,) = (text for text in texts if text.endswith(" H"))
        promise = Statement(kind=CommitmentKind.ORDER, act=Act.STATE, order=hold)
        return [say(bundle.press_allowed[0], hold).model_copy(update={"commitments": (promise,)})]

    return script


async def test_promises_that_are_broken_show_and_those_of_nobody_do_not(memory_store: Store) -> None:
    base = GameSettings(rounds=1, max_year=1901)
    cast = Cast(scripts={"true": promising(is_true=True), "false": promising(is_true=False)})
    plan = Plan(Variant("true"), Variant("false"), base, ("hold",))
    found = await compared(memory_store, plan, 3, cast)
    assert found["promises_kept"] == (1, 0, -1, -1)
    silent = replace(plan, b=Variant("hold"))  # A's game is over, and is found again
    assert (await compared(memory_store, silent, 1, cast))["promises_kept"] == (None,) * 4


async def test_in_all_seats_the_score_says_nothing(memory_store: Store) -> None:
    plan = Plan(Variant("dumbbot"), Variant("hold"), GUNBOAT)
    found = await compared(memory_store, plan, 1, Cast())
    assert found["score"] == (None,) * 4
    assert found["hold_rate"][1] == 1
