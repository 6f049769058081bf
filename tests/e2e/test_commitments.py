"""Commitments in whole games, as models are told of them in prompts and diaries, and as the journal gives them back."""

from collections.abc import Sequence
from itertools import pairwise

import pytest

from checkpoints.store import Store
from entente.board.types import Power
from entente.cli.situation import Situation
from entente.floors.journal_ledger import ledger_after
from entente.games.forks import fork_game
from entente.games.line import records_on_line
from entente.games.runner import GameMaster, RunEnd, Standing
from entente.players.actions import Action, SendMessage, SubmitOrders
from entente.players.bundle import Bundle, Fold
from entente.players.model.diary import fold_prompt
from entente.players.model.prompt import conversation
from entente.players.model.seat import Seat
from entente.players.record import NoticeKind, PhaseRecord, TurnRecord
from entente.press.messages import Act, CommitmentKind, MessageType, Statement
from graph.context import GameSettings
from tests.support.answers import an_order
from tests.support.players import Cast, Script

SUPPORT = "A TYR S A BUD - VIE"
"""Nobody stands in Tyrolia in the spring: it is for the fall."""
WHAT = f"support by GERMANY to AUSTRIA in F1901M, {SUPPORT}"
ORDERS = {
    "AUSTRIA": {"S1901M": ["A VIE - GAL"], "F1901M": ["A BUD - VIE"]},
    "GERMANY": {"S1901M": ["A MUN - TYR"], "F1901M": [SUPPORT]},
}


def writing(to: Power, text: str, *statements: Statement, reply_to: str | None = None) -> SendMessage:
    return SendMessage(
        recipient=to,
        message_type=MessageType.CHAT,
        content=text,
        commitments=statements,
        reply_to=reply_to,
    )


def ordering(bundle: Bundle) -> list[Action]:
    """The orders of the phase, once."""
    if any(isinstance(action, SubmitOrders) for turn in bundle.earlier for action in turn.actions):
        return []
    lines = ORDERS[bundle.power].get(str(bundle.board.phase), [])
    return [SubmitOrders(orders=tuple(lines))] if bundle.wants_orders or bundle.is_open else []


def asking(*asked: Statement) -> Script:
    """Austria asks Germany for these in the first spring."""

    def script(bundle: Bundle) -> Sequence[Action]:
        is_first = str(bundle.board.phase) == "S1901M" and not bundle.sent and not bundle.wants_orders
        return [*([writing("GERMANY", "Will you?", *asked)] if is_first else []), *ordering(bundle)]

    return script


def answering(answer: Statement, *, is_reply: bool) -> Script:
    """Germany answers with a statement of kind and act alone."""

    def script(bundle: Bundle) -> Sequence[Action]:
        if bundle.wants_orders or bundle.sent or not bundle.inbox:
            return ordering(bundle)
        reply_to = bundle.inbox[0].id if is_reply else None
        return [writing("AUSTRIA", "I will.", answer, reply_to=reply_to), *ordering(bundle)]

    return script


YES = Statement(kind=CommitmentKind.SUPPORT, act=Act.ACCEPT)
ASKED = Statement(kind=CommitmentKind.SUPPORT, act=Act.PROPOSE, by="GERMANY", order=SUPPORT)


def cast_of(germany: Script, *asked: Statement) -> Cast:
    def diary(fold: Fold) -> str:
        return f"{fold.bundle.power} remembers."

    scripts = {"austria:model": asking(*asked), "germany:model": germany}
    return Cast(scripts=scripts, diaries=dict.fromkeys(scripts, diary))


OF_FLOOR: dict[str, dict[str, object]] = {"rounds": {"rounds": 2}, "conductor": {"debounce_ms": 0}}


async def play(store: Store, cast: Cast, floor: str = "rounds", **settings: object) -> Standing:
    values: dict[str, object] = {
        "everyone": "hold",
        "seats": {"AUSTRIA": "austria:model", "GERMANY": "germany:model"},
        "floor": floor,
        "max_year": 1902,
        "stalemate_years": 0,
        **OF_FLOOR[floor],
    }
    master = GameMaster(store, cast)
    standing = await master.run(await master.begin(GameSettings.model_validate(values | settings)))
    assert standing.end is RunEnd.FINISHED
    return standing


def told(cast: Cast, power: Power, phase: str) -> str:
    """All that the power was shown at its last turn of the phase."""
    bundle = [b for b in cast.asked(power) if str(b.board.phase) == phase][-1]
    return "\n".join(message.content for message in conversation(bundle, Seat()))


@pytest.mark.parametrize("floor", ["rounds", "conductor"])
@pytest.mark.parametrize("is_reply", [True, False], ids=["reply", "the only one"])
async def test_a_support_for_the_fall_is_told_as_agreed_and_then_as_kept(
    memory_store: Store, floor: str, is_reply: bool
) -> None:
    cast = cast_of(answering(YES, is_reply=is_reply), ASKED)
    await play(memory_store, cast, floor)
    for power in ("AUSTRIA", "GERMANY"):
        for phase, came_of_it in (("F1901M", "accepted"), ("S1902M", "kept")):
            assert f"- {WHAT}: {came_of_it}" in told(cast, power, phase), (power, phase)
        assert f"- {WHAT}" not in told(
            cast, power, "F1902M"
        )  # what was said of it stands with the talk of then
        (fold,) = [fold for fold in cast.folds if fold.bundle.power == power]
        folded = fold_prompt(fold, Seat()).messages[-1].content
        spring, _, fall = folded.partition("# F1901M")
        assert f"- {WHAT}: accepted" in spring
        assert f"- {WHAT}: kept" in fall


@pytest.mark.parametrize("floor", ["rounds", "conductor"])
async def test_an_answer_that_could_mean_two_things_is_noted_and_its_seat_is_told(
    memory_store: Store, floor: str
) -> None:
    other = ASKED.model_copy(update={"order": "A TYR S F TRI - VEN"})
    cast = cast_of(answering(YES, is_reply=True), ASKED, other)
    standing = await play(memory_store, cast, floor, max_year=1901)
    line = await records_on_line(memory_store.journal, standing.game, standing.state)
    noted = [
        (turn.power, notice.detail)
        for turn in line
        if isinstance(turn, TurnRecord)
        for notice in turn.notices
        if notice.kind is NoticeKind.STATEMENT_IGNORED
    ]
    why = "it could mean any of 2, and neither reply_to nor its details say which; that has no effect."
    assert noted == [("GERMANY", f"GERMANY to AUSTRIA, accept support: {why}")]
    if floor == "rounds":
        assert why in told(cast, "GERMANY", "S1901M")
    else:
        assert why in told(cast, "GERMANY", "F1901M")
    assert "lapsed" not in told(cast, "GERMANY", "F1901M")
    assert "proposed by AUSTRIA" in told(cast, "GERMANY", "F1901M")


async def test_a_ledger_read_back_from_the_journal_is_the_one_that_was_played_with(store: Store) -> None:
    cast = Cast()
    standing = await play(store, cast, everyone="diplomat", seats={}, max_year=1903)
    copy = await store.library.copy(standing.game)  # nothing of it is remembered in this process
    line = await records_on_line(store.journal, standing.game, standing.state)
    phases = [record for record in line if isinstance(record, PhaseRecord)]
    for before, record in pairwise(reversed(phases)):
        whole = await ledger_after(store.journal, copy, record.id)
        for bundle in (b for b in cast.seen if str(b.board.phase) == before.phase):
            assert bundle.phase_ledger == whole.seen_by(bundle.power)
    assert any(bundle.phase_ledger.ended for bundle in cast.seen)


async def test_a_fork_reads_the_commitments_of_the_game_that_it_left(memory_store: Store) -> None:
    cast = cast_of(answering(YES, is_reply=True), ASKED)
    standing = await play(memory_store, cast)
    fork = await fork_game(memory_store, standing.game, "F1901M", {"AUSTRIA": "hold", "GERMANY": "hold"})
    cast.seen.clear()
    await GameMaster(memory_store, cast).run(fork)
    assert f"- {WHAT}: accepted" in told(cast, "GERMANY", "F1901M")
    assert f"- {WHAT}: void (A BUD was ordered A BUD H)" in told(cast, "GERMANY", "S1902M")


@pytest.mark.parametrize("floor", ["rounds", "conductor"])
async def test_a_person_is_told_of_its_own_commitments_and_of_no_others(
    memory_store: Store, floor: str
) -> None:
    def proposing(to: Power) -> Script:
        peace = Statement(kind=CommitmentKind.PEACE, act=Act.PROPOSE)

        def script(bundle: Bundle) -> Sequence[Action]:
            is_first = str(bundle.board.phase) == "S1901M" and not bundle.sent and not bundle.wants_orders
            said = [writing(to, "Peace?", peace)] if is_first else []
            return [*said, *([SubmitOrders(orders=())] if bundle.wants_orders or bundle.is_open else [])]

        return script

    scripts = {"italy:model": proposing("FRANCE"), "germany:model": proposing("AUSTRIA")}
    seats = {"FRANCE": "human", "ITALY": "italy:model", "GERMANY": "germany:model"}
    values: dict[str, object] = {"everyone": "hold", "seats": seats, "max_year": 1901, **OF_FLOOR[floor]}
    master = GameMaster(memory_store, Cast(scripts=scripts))
    game = await master.begin(GameSettings.model_validate({**values, "floor": floor}))
    standing = await master.run(game)
    if floor == "rounds":  # what is said in the round is read when it is over
        assert standing.pending[0].view.commitments == ()
        assert "Commitments" not in standing.pending[0].view.text
        standing = await master.answer(game, {standing.pending[0]: {"messages": []}})
    (seat,) = standing.pending
    (known,) = seat.view.commitments
    assert (known["parties"], known["kind"], known["status"]) == (["ITALY", "FRANCE"], "peace", "proposed")
    shown = seat.view.text, await Situation(memory_store, standing, seat).text()
    for text in shown:
        assert "- peace between ITALY and FRANCE through F1902M: proposed by ITALY" in text
        assert "AUSTRIA" not in text.split("Commitments:")[1].split("You are")[0]
    standing = await master.answer(game, {seat: {"messages": []} if seat.ask == "talk" else an_order(seat)})
    (seat,) = standing.pending
    if seat.ask == "orders":
        (seat,) = (await master.answer(game, {seat: an_order(seat)})).pending
    assert seat.phase == "F1901M"
    assert [each["parties"] for each in seat.view.commitments] == [["ITALY", "FRANCE"]]
