"""What a seat is told is told once, whatever was there when it was asked, and a cursor goes on behind it."""

from dataclasses import replace
from typing import Literal, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from entente.board.engine import Board
from entente.board.types import Phase
from entente.players.bundle import Bundle, PastPress
from entente.players.seat_protocol import Told
from entente.press.messages import Message, MessageType
from tests.support.table import board_at

PHASES = ("S1901M", "F1901M", "S1902M", "F1902M")
BOARD = Board.start("standard")


def said(phase: str, number: int) -> Message:
    return Message(
        id=f"{phase}.ITALY.FRANCE.{number}",
        phase=phase,
        round=1,
        sender="ITALY",
        recipient="FRANCE",
        message_type=MessageType.CHAT,
        content="hello",
    )


Stands = Literal["in the inbox", "nowhere", "twice"]
"""Where the messages of the phase in play stand; between two steps it may be nowhere, or with the past ones too."""


def bundle(phase: int, count: int, of: list[int], stands: Stands) -> Bundle:
    """A seat's after so many messages of this phase."""
    past = tuple(
        PastPress(Phase.parse(name), tuple(said(name, n) for n in range(of[place])))
        for place, name in enumerate(PHASES[:phase])
    )
    now = tuple(said(PHASES[phase], n) for n in range(count))
    past += (PastPress(Phase.parse(PHASES[phase]), now),) if stands == "twice" else ()
    inbox = () if stands == "nowhere" else now
    made = Bundle(power="FRANCE", board=BOARD, seed="", round=1, rounds_total=1, press=past, inbox=inbox)
    return replace(made, last_movement_phase=PHASES[phase - 1] if phase else "")


@given(
    st.lists(st.integers(0, 3), min_size=4, max_size=4),
    st.lists(st.tuples(st.sampled_from(get_args(Stands)), st.booleans()), max_size=30),
    st.data(),
)
def test_everything_is_told_once_over_any_number_of_connections(
    of: list[int], steps: list[tuple[Stands, bool]], data: st.DataObject
) -> None:
    told, cursor, heard, results = Told(), "", list[str](), list[str]()
    at = [(phase, count) for phase in range(4) for count in range(of[phase] + 1)]
    looks = sorted(data.draw(st.integers(0, len(at) - 1)) for _ in steps)
    last: tuple[Stands, bool] = ("in the inbox", False)
    for (stands, is_anew), look in zip([*steps, last], [*looks, len(at) - 1], strict=True):
        if is_anew:
            told = Told(cursor)
        if not cursor and at[look][0] > (stands != "twice"):
            return  # whoever comes late hears of the last phase alone
        event = told.news(bundle(*at[look], of, stands), ())
        told.note(event)
        cursor = event.cursor
        heard += [message.id for message in event.press]
        results += [event.last_phase] if event.last_phase else []
    assert heard == [said(name, n).id for place, name in enumerate(PHASES) for n in range(of[place])]
    assert results == sorted(set(results), key=PHASES.index)


def own(recipient: str) -> Message:
    return said("S1901M", 1).model_copy(update={"sender": "FRANCE", "recipient": recipient})


def test_an_event_tells_to_whom_nothing_was_written_yet() -> None:
    asked = replace(bundle(0, 0, [0], "nowhere"), press_allowed=("ENGLAND", "GERMANY", "ITALY"))
    assert Told().news(asked, ("press",)).not_written_to == asked.press_allowed
    assert Told().news(asked, ("orders",)).not_written_to == ()
    wrote = replace(asked, sent=(own("ITALY"),))
    assert Told().news(wrote, ("press",), ("ENGLAND: hello: you",)).not_written_to == ("GERMANY",)
    together = Told().news(asked, ("press",), ("ENGLAND, ITALY: hello",))
    assert together.not_written_to == ("GERMANY",)
    assert Told().news(replace(asked, sent=(own("BROADCAST"),)), ("press",)).not_written_to == ()


@pytest.mark.parametrize(
    ("units", "centers", "wanted"),
    [
        (["A BUR", "F BRE"], ["BRE", "MAR", "PAR", "BEL"], 2),
        (["A BUR", "F BRE", "A PAR"], ["BRE"], 2),
        (["A BUR", "F BRE", "A PIC", "A GAS"], ["BRE", "MAR", "PAR", "BEL", "SPA", "POR"], 2),
    ],
)
def test_an_event_tells_how_many_orders_are_wanted(units: list[str], centers: list[str], wanted: int) -> None:
    winter = board_at("W1901A", {"FRANCE": units}, {"FRANCE": centers})
    asked = bundle(0, 0, [0], "nowhere")
    assert Told().news(asked, ("orders",)).orders_wanted == 3
    assert Told().news(asked, ("press",)).orders_wanted == 0
    assert Told().news(replace(asked, board=winter), ("orders",)).orders_wanted == wanted
