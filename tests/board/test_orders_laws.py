"""Laws of the order reader, in positions of random games on several maps."""

import random
from collections.abc import Callable, Mapping
from typing import TypeAlias

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from entente.board.engine import Board
from entente.board.orders import read_orders
from entente.board.types import (
    Build,
    Convoy,
    Disband,
    Hold,
    Move,
    Order,
    Power,
    Retreat,
    SupportHold,
    SupportMove,
    Waive,
)
from entente.board.verdicts import Verdict

from .order_positions import everything_legal, random_boards, random_orders

Given: TypeAlias = tuple[Board, Power, Order]
Noise: TypeAlias = Callable[[str, random.Random], str]

LEGAL = st.deferred(lambda: st.sampled_from(everything_legal()))
SEEDS = st.integers(0, 2**32)


@pytest.fixture(scope="module", autouse=True)
def _games_are_played_before_examples_are_drawn() -> None:  # pyright: ignore[reportUnusedFunction] - pytest finds it
    everything_legal()


def _kinds_of(order: Order) -> set[str]:
    kinds = {type(order).__name__}
    kinds |= {"via"} if isinstance(order, Move) and order.via_convoy else set[str]()
    return kinds | ({"coast"} if "/" in str(order) else set())


def test_the_positions_hold_orders_of_every_kind() -> None:
    seen = set[str]().union(*(_kinds_of(order) for _, _, order in everything_legal()))
    wanted = (Hold, Move, SupportHold, SupportMove, Convoy, Retreat, Disband, Build, Waive)
    assert seen == {kind.__name__ for kind in wanted} | {"via", "coast"}
    assert len({board.position.map_name for board in random_boards()}) == 5


def test_every_canonical_legal_order_is_read_to_itself() -> None:
    for board, power, order in everything_legal()[::5]:
        reading = read_orders(board, power, str(order))
        assert reading.orders == (order,)
        assert [(v.verdict, v.note) for v in reading.verdicts] == [(Verdict.OK, "")]


def test_every_legal_adjustment_is_read_behind_a_bullet() -> None:
    for board, power, order in everything_legal():
        if isinstance(order, Build | Disband) and board.builds[power]:
            reading = read_orders(board, power, f"- {order}")
            assert reading.orders == (order,), f"{power} in {board.phase}: {order}, {reading.verdicts}"


def test_every_legal_order_is_read_from_another_notation_too() -> None:
    for board, power, order in everything_legal()[::11]:
        reading = read_orders(board, power, f"• {order}")
        assert reading.orders == (order,), f"{power} in {board.phase}: {order}, {reading.verdicts}"
        assert reading.verdicts[0].note == f"read as {order}"


def _case(text: str, rng: random.Random) -> str:
    return "".join(rng.choice((c.upper(), c.lower())) for c in text)


def _spaces(text: str, rng: random.Random) -> str:
    return " ".join(word + rng.choice(("", "", " ", "\t")) for word in text.split(" ")) + rng.choice(
        ("", "  ")
    )


def _arrow(text: str, rng: random.Random) -> str:
    signs = (
        " → ",
        "→",
        " – ",
        "—",
        " −> ",
        " -> ",
        "->",
        " to ",
        " moves to ",
        " m ",
        " ⇒ ",
        "-",
        " into ",
        " > ",
    )
    return text.replace(" - ", rng.choice(signs))


def _verb(text: str, rng: random.Random) -> str:
    words = {
        " H": (" HOLD", " holds", " stands", " stand"),
        " S ": (" supports ", " support ", " SUP "),
        " C ": (" convoys ", " convoy ", " CVY "),
        " R ": (" retreats to ", " retreat ", " RTO ", " - "),
        " D": (" disband", " disbands", " remove", " dies"),
        " B": (" build", " BLD"),
        " VIA": (" via convoy", " by convoy", " (via convoy)", ", via convoy"),
    }
    for verb, others in words.items():
        if verb.endswith(" "):
            text = text.replace(verb, rng.choice(others))
        elif text.endswith(verb):
            text = text.removesuffix(verb) + rng.choice(others)
    return text


def _coast(text: str, rng: random.Random) -> str:
    spellings = ("/{0}c", "{0}c", " {0}c", "({0}c)", " ({0}C)", " ({1} coast)", " {1} coast", "-{0}c")
    for letter, word in (("N", "north"), ("S", "south"), ("E", "east"), ("W", "west")):
        text = text.replace(f"/{letter}C", rng.choice(spellings).format(letter.lower(), word))
    return text


def _around(text: str, rng: random.Random) -> str:
    before = rng.choice(("", "1. ", "2) ", "(3) ", "- ", "* ", "• ", '"', "`", "[", " \t"))
    return before + text + rng.choice(("", ".", ";", ",", '"', '",', " ", "`", " # why", " // why; how", "]"))


NOISES: tuple[Noise, ...] = (_coast, _verb, _arrow, _case, _spaces, _around)


@settings(max_examples=400)
@given(LEGAL, SEEDS, st.sets(st.sampled_from(NOISES)))
def test_an_order_is_read_through_any_variation_of_its_notation(
    legal: Given, seed: int, noises: set[Noise]
) -> None:
    board, power, order = legal
    rng, text = random.Random(seed), str(order)
    for noise in NOISES:
        text = noise(text, rng) if noise in noises else text
    assert read_orders(board, power, text).orders == (order,), text


_BESIDE = (
    "{order} ({said})",
    "{order}: {said}",
    "{order} - {said}",
    "{order} — {said}",
    "{order}, {said}",
    "{order}; {said}",
    "{order}. {said}",
    "{order} {said}",
    "{order} and {said}",
    "{order} | {said} | ",
    "{said}: {order}",
    "{said}, {order}",
    "{said} {order}",
    "{said}:\n{order}",
    "{said}\n{order}",
    "{said},\n{order}",
    "{said}:\n\n{order}",
)
_KNOWN = (
    "secures the border",
    "to keep Germany out",
    "as agreed",
    "covers Paris",
    "next turn",
    "orders",
    "hold",
    "of",
)
_STRANGE = st.from_regex("[bcdfgkpvwxz]{6,9}", fullmatch=True)
"""Words without a vowel: no place is called so, and none may be meant."""


@settings(max_examples=400)
@given(LEGAL, st.sampled_from(_BESIDE), st.lists(st.sampled_from(_KNOWN), max_size=3), _STRANGE, SEEDS)
def test_no_order_is_taken_beside_a_word_that_is_not_known(
    legal: Given, beside: str, known: list[str], strange: str, seed: int
) -> None:
    board, power, order = legal
    said = [*known, strange]
    random.Random(seed).shuffle(said)
    text = beside.format(order=order, said=" ".join(said))
    assert read_orders(board, power, text).orders == (), text


@settings(max_examples=200)
@given(LEGAL, st.booleans(), st.booleans())
def test_an_order_is_read_from_full_names_and_unit_words(legal: Given, by_name: bool, by_word: bool) -> None:
    board, power, order = legal
    names = board.geography.names
    words = [_in_full(word, names) if by_name else word for word in str(order).split(" ")]
    units = {"A": "Army", "F": "the Fleet in"} if by_word else {}
    text = " ".join(units.get(word, word) for word in words)
    assert read_orders(board, power, text).orders == (order,), text


def _in_full(word: str, names: Mapping[str, str]) -> str:
    coast = {"/NC": " (north coast)", "/SC": " (south coast)", "/EC": " (east coast)"}.get(word[3:], "")
    return names[word[:3]] + coast if word[:3] in names else word


@settings(max_examples=100)
@given(st.deferred(lambda: st.sampled_from(random_boards())), SEEDS)
def test_a_sheet_of_legal_orders_is_read_whole_and_reading_it_again_changes_nothing(
    board: Board, seed: int
) -> None:
    rng = random.Random(seed)
    for power in board.powers:
        orders = random_orders(board, power, rng)
        text = rng.choice(("\n", "; ", ", ", "\n\n")).join(_arrow(str(order), rng) for order in orders)
        reading = read_orders(board, power, text)
        again = read_orders(board, power, [str(order) for order in reading.orders])
        assert len(reading.verdicts) == len(orders)
        assert list(reading.orders) == orders == list(again.orders)
        assert all(v.verdict is Verdict.OK for v in again.verdicts)


@settings(max_examples=200)
@given(LEGAL, LEGAL)
def test_an_order_of_another_position_is_read_only_when_it_is_legal_here(here: Given, there: Given) -> None:
    board, power, _ = here
    reading = read_orders(board, power, str(there[2]))
    legal = {order for some in board.legal_orders[power].values() for order in some}
    assert set(reading.orders) <= legal
    assert len(reading.verdicts) == 1
    if not reading.orders:
        assert reading.verdicts[0].error is not None
        assert reading.verdicts[0].nearest in {None, *map(str, legal)}


@settings(max_examples=200)
@given(LEGAL, LEGAL)
def test_a_bluff_is_legal_or_void_and_always_for_a_unit_of_ones_own(here: Given, there: Given) -> None:
    board, power, _ = here
    reading = read_orders(board, power, f"! {there[2]}")
    legal = {order for some in board.legal_orders[power].values() for order in some}
    for verdict, order in zip(reading.verdicts, reading.orders, strict=False):
        assert verdict.is_void == (order not in legal)
        if verdict.is_void:
            assert not isinstance(order, Waive)
            assert order.unit in board.position.units[power]


@pytest.mark.parametrize("power", Board.start().powers)
def test_an_empty_text_gives_an_empty_reading(power: Power) -> None:
    reading = read_orders(Board.start(), power, " \n\n ;,; \t")
    assert (reading.verdicts, reading.orders) == ((), ())
