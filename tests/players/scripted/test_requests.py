"""What people ask a diplomat in plain English is understood, and answered to the point."""

import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from pydantic import BaseModel, ConfigDict, Field

from entente.board.engine import Board
from entente.board.types import Power, SupportHold, SupportMove, parse_order
from entente.players.actions import SendMessage
from entente.players.roster import make_player
from entente.players.scripted.diplomat.examples import examples
from entente.players.scripted.diplomat.grammar import Heard, Sense
from entente.players.scripted.diplomat.personality import CHARACTERS
from entente.players.scripted.diplomat.view import View
from entente.press.messages import Act, CommitmentKind, MessageType, Statement
from tests.support.conformance import mail
from tests.support.table import board_at, make_bundle

FILE = Path(__file__).with_name("data") / "requests.toml"
UNDERSTOOD = 0.85
"""The share that has to be answered to the point; of each of the two parts."""


class Request(BaseModel):
    """One text and what it means; the file says what each field is."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    text: str
    at: str
    sender: Power = Field(alias="from")
    to: Power
    means: str
    order: str = ""
    places: tuple[str, ...] = ()
    about: str = ""
    kind: str = ""
    open: tuple[str, ...] = ()


DATA = tomllib.loads(FILE.read_text("utf-8"))
BOARDS = {
    name: board_at(at["phase"], at["units"], at["centers"]) if at else Board.start()
    for name, at in DATA["positions"].items()
}
TUNED = [Request.model_validate(case) for case in DATA["request"]]
HELD = [Request.model_validate(case) for case in DATA["held"]]


def view_of(request: Request) -> View:
    """Round 2, in which the request is read."""
    board = BOARDS[request.at]
    phase = str(board.phase)
    statements = [proposed(short, request.sender) for short in request.open]
    sent = [mail(request.to, request.sender, "?", phase=phase, commitments=statements)] if statements else []
    # It comes after the proposals that it answers.
    inbox = [
        mail(request.sender, request.to, request.text, message_type=MessageType.CHAT, phase=phase, round=2)
    ]
    bundle = make_bundle(board, request.to, round=3, inbox=inbox, sent=sent)
    return View(bundle, CHARACTERS["diplomat"])


def proposed(short: str, sender: Power) -> Statement:
    """`dmz BUR`, `support A SIL S A RUH - MUN`: a proposal to the sender, which would give the support."""
    kind, _, rest = short.partition(" ")
    if kind in ("support", "order"):
        return Statement(kind=CommitmentKind(kind), act=Act.PROPOSE, by=sender, order=rest)
    return Statement(kind=CommitmentKind(kind), act=Act.PROPOSE, locations=tuple(rest.split()))


def is_understood(request: Request, heard: Heard) -> bool:
    """True when it was taken for what it is, with all its details."""
    match request.means:
        case "support" | "order" if not request.order:
            return heard.sense is Sense.IMPOSSIBLE
        case "support" | "order":
            said = [(p.kind, p.order) for p in heard.proposals]
            return len(said) == 1 and said[0][0] == request.means and said[0][1] in request.order.split(" | ")
        case "peace" | "alliance" | "dmz":
            said = [(p.kind.value, frozenset(p.locations)) for p in heard.proposals]
            return said == [(request.means, frozenset(request.places))]
        case "nothing":
            return not heard.proposals and not heard.accepts
        case "accept" | "refuse" if request.open:
            answered = heard.accepts if request.means == "accept" else heard.refuses
            return heard.sense == request.means and [c.kind for c in answered] == [request.kind]
        case _:
            is_about = not request.about or heard.about == request.about
            return heard.sense == request.means and is_about and set(request.places) <= set(heard.places)


async def reply_to(view: View) -> SendMessage | None:
    """What the diplomat answers."""
    actions = (await make_player("diplomat").take_turn(view.bundle)).actions
    replies = [a for a in actions if isinstance(a, SendMessage) and a.reply_to == view.bundle.inbox[0].id]
    assert len(replies) <= 1
    return replies[0] if replies else None


def is_to_the_point(request: Request, view: View, heard: Heard, reply: SendMessage | None) -> bool:
    """True when the reply speaks of what was asked, by the places and powers and units that it names."""
    if request.means == "nothing":
        return True
    if reply is None:
        return request.means == "refuse" and not request.open  # an offer taken back needs no words
    if heard.proposals:
        is_verdict = reply.message_type in (MessageType.ACCEPTANCE, MessageType.REFUSAL)
        places = [place for p in heard.proposals for place in p.locations or _places_of(p.order)]
    else:
        is_verdict = reply.message_type is not MessageType.QUERY
        places = list(request.places)
    names = [*(view.name(place).removeprefix("the ") for place in places), request.about.title()]
    return is_verdict and all(name in reply.content for name in names)


def _places_of(order: str) -> Iterator[str]:
    yield from (word[:3] for word in order.split() if len(word) >= 3)


async def failed(requests: Sequence[Request]) -> list[str]:
    """The texts that were not answered to the point, each with what it was taken for and what came."""
    missed: list[str] = []
    for request in requests:
        view = view_of(request)
        (heard,) = view.heard
        reply = await reply_to(view)
        if not is_understood(request, heard) or not is_to_the_point(request, view, heard, reply):
            missed.append(
                f"{request.means}: {request.text!r} was taken for {heard.sense} "
                f"{[(p.kind.value, p.order, p.locations) for p in heard.proposals]}: {reply and reply.content!r}"
            )
    return missed


@pytest.mark.parametrize("part", ["request", "held"])
async def test_of_what_people_write_the_most_is_answered_to_the_point(part: str) -> None:
    requests = TUNED if part == "request" else HELD
    missed = await failed(requests)
    share = 1 - len(missed) / len(requests)
    assert len({request.text for request in requests}) == len(requests) >= {"request": 100, "held": 30}[part]
    assert share >= UNDERSTOOD, "\n".join(missed)


@pytest.mark.parametrize("request_", [r for r in TUNED if r.means == "nothing"], ids=lambda r: r.text)
async def test_nobody_is_bound_by_words_that_agree_to_nothing(request_: Request) -> None:
    view = view_of(request_)
    (heard,) = view.heard
    assert is_understood(request_, heard)
    reply = await reply_to(view)
    assert reply is None or not reply.commitments


@pytest.mark.parametrize(
    "request_", [r for r in (*TUNED, *HELD) if r.means == "support"], ids=lambda r: r.text
)
async def test_support_asked_for_in_words_is_never_for_another_power(request_: Request) -> None:
    view = view_of(request_)
    (heard,) = view.heard
    for proposal in heard.proposals:
        order = parse_order(proposal.order)
        assert isinstance(order, SupportHold | SupportMove)
        assert {proposal.by, view.position.owner(order.supported)} == {request_.sender, request_.to}


async def test_a_reply_names_the_unit_and_whose_it_is() -> None:
    asked = next(r for r in TUNED if r.text == "Can you support me into Munich?")
    reply = await reply_to(view_of(asked))
    assert reply is not None
    assert "my army Burgundy" in reply.content or "my army Ruhr" in reply.content
    assert "supporting your army Silesia to Munich" in reply.content


@pytest.mark.parametrize("at", BOARDS)
async def test_what_is_not_understood_is_answered_with_an_example_that_would_be(at: str) -> None:
    board = BOARDS[at]
    for sender in board.survivors:
        for to in board.survivors:
            if sender != to:
                request = Request.model_validate(
                    {"text": "Wibble wobble.", "at": at, "from": sender, "to": to, "means": "unknown"}
                )
                view = view_of(request)
                reply = await reply_to(view)
                texts = examples(view, sender)
                assert reply is not None
                assert any(text in reply.content for text in texts), reply.content
                for text in texts:
                    example = view_of(request.model_copy(update={"text": text}))
                    (heard,) = example.heard
                    assert heard.sense is Sense.PROPOSAL, (sender, to, text)


@pytest.mark.parametrize(
    ("sender", "to", "place", "name"),
    [
        ("TURKEY", "ITALY", "GRE", "Greece"),
        ("FRANCE", "ENGLAND", "BEL", "Belgium"),
        ("GERMANY", "RUSSIA", "PRU", "Prussia"),
    ],
)
async def test_the_example_is_about_the_places_that_were_named(
    sender: Power, to: Power, place: str, name: str
) -> None:
    request = Request.model_validate(
        {"text": f"Wibble {name} wobble.", "at": "middle", "from": sender, "to": to, "means": "unknown"}
    )
    view = view_of(request)
    reply = await reply_to(view)
    assert view.heard[0].places == (place,)
    assert reply is not None
    assert name in reply.content
    assert any(text in reply.content for text in examples(view, sender, (place,))), reply.content


@pytest.mark.parametrize("at", BOARDS)
async def test_an_example_about_any_place_would_be_understood(at: str) -> None:
    board = BOARDS[at]
    request = Request.model_validate(
        {"text": "?", "at": at, "from": "GERMANY", "to": "FRANCE", "means": "unknown"}
    )
    for place in sorted(board.geography.terrain):
        for text in examples(view_of(request), "GERMANY", (place,)):
            (heard,) = view_of(request.model_copy(update={"text": text})).heard
            assert heard.sense is Sense.PROPOSAL, text
