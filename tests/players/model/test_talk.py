"""The talk of earlier phases: what is told whole, what in short, what of it lasts, and what it weighs."""

from dataclasses import replace
from itertools import pairwise
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from entente.board.types import Phase
from entente.models.tokens import letters_a_token
from entente.players.bundle import Bundle, Fold, PastPhase, PastPress
from entente.players.model.agent_context import SpokenCommitment
from entente.players.model.diary import fold_prompt
from entente.players.model.player import ModelPlayer
from entente.players.model.prompt import conversation, told_to
from entente.players.model.seat import Seat
from entente.players.model.settings import SeatSettings
from entente.players.model.talk import talk_section, talk_text
from entente.press.ledger import Ledger
from entente.press.messages import BROADCAST, Act, CommitmentKind, Message, MessageType, Statement
from tests.players.model.talkers import POWERS
from tests.players.model.words import DONE, ORDERED, FakeModel, Seated, calls, send
from tests.support.table import board_at, ledger_with, make_bundle, new_game, past_press, play_phase

DEAL = (
    "In fall I order F NTH C A YOR - NWY and you keep F SKA out of Norway; in return Sweden is yours in 1902, and "
    "neither of us tells Russia before the builds. "
    + "I say so at length, since details were lost before. "
    * 8
)
PEACE = Statement(kind=CommitmentKind.PEACE, act=Act.PROPOSE)
HALVES = {"S": "F", "F": "S"}


def talk_of(bundle: Bundle, seat: Seat) -> str:
    return talk_section(told_to(bundle, seat), seat)


def spoken(past: PastPress) -> list[SpokenCommitment]:
    return [*map(SpokenCommitment.of, past.commitments)]


def message(phase: str, sender: str, to: str, content: str, number: int = 0, *stated: Statement) -> Message:
    return Message(
        id=f"{phase}.{sender}.{to}.{number}",
        phase=phase,
        round=1,
        sender=sender,
        recipient=to,
        message_type=MessageType.CHAT,
        content=content,
        commitments=stated,
    )


def at(phase: str, *press: PastPress) -> Bundle:
    board = board_at(phase, {"FRANCE": ["A PAR"], "GERMANY": ["A MUN"]})
    return replace(make_bundle(board, "FRANCE", round=1), press=press)


def silent(phase: str) -> PastPress:
    return PastPress(Phase.parse(phase))


def agreed(phase: str) -> PastPress:
    """A peace that England has proposed with a long deal, and that France has accepted."""
    offer = message(phase, "ENGLAND", "FRANCE", DEAL, 0, PEACE)
    yes = message(phase, "FRANCE", "ENGLAND", "Agreed.", 0, PEACE.model_copy(update={"act": Act.ACCEPT}))
    yes = yes.model_copy(update={"reply_to": offer.id, "round": 2})
    board = board_at(phase, {"FRANCE": ["A PAR"], "ENGLAND": ["F LON"]})
    return past_press(offer, yes, ledger=ledger_with(Ledger(), [offer, yes], board))


def test_a_deal_of_the_phase_before_is_told_to_its_last_word() -> None:
    told = conversation(at("F1901M", agreed("S1901M")), Seat())[1].content
    assert DEAL.strip() in " ".join(told.split())
    assert told.startswith("# Talk of earlier phases\n")


def test_a_silent_phase_does_not_end_a_talk_with_whom_something_is_open() -> None:
    told = talk_of(at("S1902M", agreed("S1901M"), silent("F1901M")), Seat())
    assert DEAL.strip() in " ".join(told.split())


def test_of_a_talk_that_is_followed_by_another_the_terms_stand() -> None:
    later = past_press(message("F1901M", "ENGLAND", "FRANCE", "On to Norway."))
    told = talk_of(at("S1902M", agreed("S1901M"), later), Seat())
    assert "<press F1901M.ENGLAND.FRANCE.0 from ENGLAND to FRANCE, CHAT>On to Norway.</press>" in told
    assert "ENGLAND: peace between ENGLAND and FRANCE through F1902M: accepted; they (CHAT): <press>" in told
    assert "more characters)" in told


def test_what_came_of_a_commitment_is_told_with_it_once_the_year_is_over() -> None:
    first = agreed("S1901M")
    (peace,) = first.commitments
    kept = replace(peace, status=type(peace.status).KEPT, ended=Phase.parse("F1901M"))
    later = past_press(message("F1901M", "ITALY", "FRANCE", "Hello."))
    told = talk_of(at("S1902M", first, later._replace(commitments=(kept,))), Seat())
    assert "through F1902M: kept" in told


def test_open_partners_come_first_where_there_is_no_room_for_all() -> None:
    chatter = [message("S1901M", "ITALY", "FRANCE", "Ciao, how are you? " * 20, n) for n in range(3)]
    past = agreed("S1901M")
    text = talk_text("FRANCE", (*chatter, *past.messages), spoken(past), 1500)
    assert DEAL.strip() in " ".join(text.split())
    assert "ITALY: they (CHAT): <press>Ciao" in text
    assert len(text) <= 1500
    assert talk_text("FRANCE", past.messages, spoken(past), 120) == f"- {past.commitments[0]}"
    assert talk_text("FRANCE", past.messages, spoken(past), 10) == ""


def chatter(year: int, season: str, dice: Random) -> PastPress:
    """A phase in which anybody says anything to France or is told it."""
    phase, said = f"{season}{year}M", list[Message]()
    for number in range(dice.randrange(25)):
        other = dice.choice([power for power in POWERS if power != "FRANCE"])
        to = dice.choice(["FRANCE", "FRANCE", BROADCAST])
        sender, recipient = (other, to) if dice.random() < 0.6 else ("FRANCE", other)
        stated = (PEACE,) if dice.random() < 0.2 and recipient != BROADCAST else ()
        said.append(message(phase, sender, recipient, "word " * dice.randrange(1, 120), number, *stated))
    if not said:
        return silent(phase)
    board = board_at(phase, {power: [] for power in POWERS})
    ledger = ledger_with(Ledger(), said, board)
    return past_press(*said, ledger=ledger.seen_by("FRANCE"))


@settings(max_examples=10)
@given(st.integers(0, 10**6), st.sampled_from(["default", "short"]), st.sampled_from([None, 0, 200, 2000]))
def test_twenty_years_of_talk_stay_within_the_budget_and_only_grow_within_a_year(
    seed: int, prompts: str, tokens: int | None
) -> None:
    dice = Random(seed)
    seat = Seat.of(SeatSettings().over({"prompts": prompts, "press_tokens": tokens}))
    line, told = list[PastPress](), dict[str, str]()
    for year in range(1901, 1921):
        for season in HALVES:
            phase = f"{season}{year}M"
            known = tuple(past for past in line if past.phase.year >= year - 2)
            told[phase] = talk_of(at(phase, *known), seat)
            line.append(chatter(year, season, dice))
    heading = len(seat.texts.load("model_past_talk"))
    most = seat.settings.max_past_press_chars(letters_a_token(seat.model)) + heading + 8
    assert all(len(text) <= most for text in told.values())
    for spring, fall in pairwise(told):
        if spring.startswith("S") and told[spring]:
            assert told[fall].startswith(told[spring])


def test_a_diary_is_folded_from_full_press() -> None:
    deal = agreed("S1901M")
    board = board_at("S1901M", {"FRANCE": ["A PAR"]})
    past = PastPhase(board.position, (), deal.messages, (), deal.commitments)
    fold = Fold(make_bundle(board_at("S1902M", {"FRANCE": ["A PAR"]}), "FRANCE", round=1), (past,))
    for prompts in ("default", "short"):
        prompt = fold_prompt(fold, Seat.of(SeatSettings().over({"prompts": prompts})))
        assert DEAL.strip() in " ".join(prompt.messages[1].content.split())
        assert prompt.cut == ()


async def test_what_was_said_in_spring_is_read_in_fall_by_those_who_could_read_it() -> None:
    model = FakeModel(
        lambda request: calls(*([send("FRANCE", DEAL), DONE] if request.purpose == "talk" else [ORDERED]))
    )
    france = Seated(ModelPlayer(FakeModel(lambda r: calls(DONE if r.purpose == "talk" else ORDERED))))
    others = Seated(ModelPlayer(model))
    players = {power: france if power == "FRANCE" else others for power in POWERS}
    game = new_game()
    for _ in range(2):
        await play_phase(game, players, rounds=1)
    shown = {b.power: talk_of(b, Seat()) for b in (*france.bundles, *others.bundles) if b.press}
    assert shown["FRANCE"].count(DEAL.strip()[:60]) == 6
    assert all(shown[power].count("<own ") == 1 for power in POWERS if power != "FRANCE")
    assert all("<press" not in shown[power] for power in POWERS if power != "FRANCE")
