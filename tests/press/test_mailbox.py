"""Who may be written to, and who may read."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from entente.errors import PressError
from entente.press.mailbox import MAX_MESSAGE_CHARS, address, check_content, inbox, may_read, readable
from entente.press.messages import BROADCAST, Message, MessageType

POWERS = ("AUSTRIA", "ENGLAND", "FRANCE", "GERMANY", "ITALY", "RUSSIA", "TURKEY")
powers = st.sampled_from(POWERS)


def message(sender: str, recipient: str, round_: int = 1) -> Message:
    return Message(
        id=f"S1901M.{round_}.{sender}.0",
        phase="S1901M",
        round=round_,
        sender=sender,
        recipient=recipient,
        message_type=MessageType.CHAT,
        content="hello",
    )


messages = st.builds(message, powers, st.sampled_from((*POWERS, BROADCAST)), st.integers(1, 4))


@pytest.mark.parametrize("written", ["GERMANY", "germany", " Germany "])
def test_a_power_is_addressed_in_any_case(written: str) -> None:
    assert address(written, sender="FRANCE", reachable=POWERS) == "GERMANY"


@pytest.mark.parametrize("written", ["BROADCAST", "all", "everybody", "Global"])
def test_everybody_is_addressed_by_several_words(written: str) -> None:
    assert address(written, sender="FRANCE", reachable=POWERS) == BROADCAST


@pytest.mark.parametrize("written", ["GERMNY", "GER", "GERMANY, ITALY", "", "PRUSSIA", "['GERMANY']"])
def test_what_is_no_power_is_refused_and_never_guessed(written: str) -> None:
    with pytest.raises(PressError, match="delivered to nobody"):
        address(written, sender="FRANCE", reachable=POWERS)


def test_a_power_cannot_write_to_itself_or_to_one_that_is_out_of_the_game() -> None:
    with pytest.raises(PressError, match="wrote to itself"):
        address("FRANCE", sender="FRANCE", reachable=POWERS)
    with pytest.raises(PressError, match="delivered to nobody"):
        address("ITALY", sender="FRANCE", reachable=("GERMANY",))


@pytest.mark.parametrize("content", ["", "  \n ", "\x00\x07"])
def test_a_message_without_words_is_refused(content: str) -> None:
    with pytest.raises(PressError, match="without words"):
        check_content(content)


def test_a_message_that_is_too_long_is_refused_and_not_cut() -> None:
    assert check_content("x" * MAX_MESSAGE_CHARS)
    with pytest.raises(PressError, match="not delivered"):
        check_content("x" * (MAX_MESSAGE_CHARS + 1))


def test_characters_that_could_steer_a_terminal_are_taken_out() -> None:
    assert check_content("peace\x1b[31m?") == "peace [31m?"


@given(powers, messages)
def test_a_private_message_is_read_by_its_sender_and_its_recipient_alone(reader: str, sent: Message) -> None:
    is_mine = reader in (sent.sender, sent.recipient)
    assert may_read(reader, sent) == (is_mine or sent.recipient == BROADCAST)


@given(messages)
def test_the_public_reads_broadcasts_and_the_operator_everything(sent: Message) -> None:
    assert may_read("PUBLIC", sent) == (sent.recipient == BROADCAST)
    assert may_read("OPERATOR", sent)


@given(powers, st.lists(messages), st.integers(1, 5))
def test_an_inbox_holds_what_others_sent_in_earlier_rounds(
    power: str, sent: list[Message], round_: int
) -> None:
    got = inbox(power, sent, before_round=round_)
    assert all(m.sender != power and m.round < round_ and may_read(power, m) for m in got)
    assert set(inbox(power, sent, before_round=None)) >= set(got)
    assert list(got) == [m for m in readable(power, sent) if m in got]
