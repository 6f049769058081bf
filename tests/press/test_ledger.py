"""The ledger: what was agreed, for when, and what came of it."""

import pytest

from entente.press.commitments import Status
from entente.press.messages import BROADCAST, MessageType, Statement
from tests.press.talk import Match, about, said
from tests.support.table import board_at

SUPPORT = "A TYR S A BUD - VIE"
"""No army stands in Tyrolia in the spring: it is for the fall."""


def test_a_support_for_the_fall_is_kept_in_the_fall_and_not_held_against_the_spring() -> None:
    match = Match()
    match.agree("AUSTRIA", "GERMANY", "support", order=SUPPORT, by="GERMANY")
    match.play(GERMANY=["A MUN - TYR"], AUSTRIA=["A VIE - GAL"])
    assert match.lines == [f"support by GERMANY to AUSTRIA in F1901M, {SUPPORT}: accepted"]
    match.play(GERMANY=[SUPPORT], AUSTRIA=["A BUD - VIE"])
    assert match.lines == [f"support by GERMANY to AUSTRIA in F1901M, {SUPPORT}: kept"]
    match.play()
    assert match.lines == []


def test_a_support_for_the_fall_that_is_not_given_is_broken_by_what_the_unit_did_instead() -> None:
    match = Match()
    match.agree("AUSTRIA", "GERMANY", "support", order=SUPPORT, by="GERMANY", term="F1901M")
    match.play(GERMANY=["A MUN - TYR"], AUSTRIA=["A VIE - GAL"])
    match.play(GERMANY=["A TYR - VIE"], AUSTRIA=["A BUD - VIE"])
    assert match.only.outcome == "broken by GERMANY (A TYR - VIE) in F1901M"


def test_an_order_that_is_possible_now_is_for_now_unless_another_phase_is_named() -> None:
    for term, last in (("", "S1901M"), ("F1901M", "F1901M"), ("fall 1901", "F1901M"), ("S1902", "S1902M")):
        match = Match()
        match.say("GERMANY", "FRANCE", about("state", "order", order="A MUN - BUR", term=term))
        assert str(match.only.term.last) == last


def test_an_acceptance_takes_what_it_leaves_out_from_the_message_it_replies_to() -> None:
    match = Match()
    other = match.say("FRANCE", "GERMANY", about("propose", "support", order="A MUN S A PAR - BUR"))
    asked = match.say("FRANCE", "GERMANY", about("propose", "support", order="A MUN S A MAR - BUR"))
    match.say("GERMANY", "FRANCE", about("accept", "support"), reply_to=asked.id)
    assert [(c.order, c.status, c.bound) for c in match.ledger.open] == [
        ("A MUN S A PAR - BUR", Status.PROPOSED, ("GERMANY",)),
        ("A MUN S A MAR - BUR", Status.ACCEPTED, ("GERMANY",)),
    ]
    match.say("GERMANY", "FRANCE", about("refuse", "support"), reply_to=other.id)
    assert str(match.ledger.ended[0]).endswith("A MUN S A PAR - BUR: refused (by GERMANY)")


def test_an_acceptance_without_reply_means_the_only_open_proposal_of_its_kind() -> None:
    match = Match()
    match.say("FRANCE", "GERMANY", about("propose", "dmz", "the Ruhr", "bur"), about("propose", "peace"))
    match.say("ITALY", "GERMANY", about("propose", "dmz", "TYR"))
    match.say("GERMANY", "FRANCE", about("accept", "dmz"))
    assert match.complaints == ()
    assert [str(c) for c in match.ledger.open if c.status is Status.ACCEPTED] == [
        "dmz of BUR RUH between FRANCE and GERMANY through F1901M: accepted"
    ]


def test_an_acceptance_that_could_mean_two_proposals_accepts_neither_and_says_so() -> None:
    match = Match()
    asked = match.say(
        "FRANCE",
        "GERMANY",
        about("propose", "support", order="A MUN S A PAR - BUR"),
        about("propose", "support", order="A MUN S A MAR - BUR"),
    )
    for reply_to in (None, asked.id):
        match.say("GERMANY", "FRANCE", about("accept", "support"), reply_to=reply_to)
        assert {c.status for c in match.ledger.open} == {Status.PROPOSED}
        assert match.complaints == (
            (
                "GERMANY to FRANCE, accept support: it could mean any of 2, and neither reply_to nor its details "
                "say which; that has no effect."
            ),
        )
    match.say("GERMANY", "FRANCE", about("accept", "support", order="a mun s a mar-bur"))
    assert [c.order for c in match.ledger.open if c.status is Status.ACCEPTED] == ["A MUN S A MAR - BUR"]


@pytest.mark.parametrize(
    "answer",
    [
        about("accept", "peace", term="1905"),
        about("accept", "alliance"),
        about("accept", "dmz", "BUR"),
        about("accept", "peace", term="soon"),
    ],
    ids=str,
)
def test_an_acceptance_of_something_else_accepts_nothing_and_says_so(answer: Statement) -> None:
    match = Match()
    asked = match.say("FRANCE", "GERMANY", about("propose", "peace"), about("propose", "dmz", "RUH"))
    match.say("GERMANY", "FRANCE", answer, reply_to=asked.id)
    assert {c.status for c in match.ledger.open} == {Status.PROPOSED}
    assert "that has no effect" in match.complaints[0]


def test_an_acceptance_by_its_type_alone_accepts_all_that_it_replies_to() -> None:
    match = Match()
    asked = match.say("FRANCE", "GERMANY", about("propose", "peace"), about("propose", "dmz", "BUR"))
    match.say("GERMANY", "FRANCE", reply_to=asked.id, message_type=MessageType.ACCEPTANCE)
    assert {c.status for c in match.ledger.open} == {Status.ACCEPTED}


def test_nobody_accepts_an_own_proposal_or_one_between_two_others() -> None:
    match = Match()
    asked = match.say("FRANCE", "GERMANY", about("propose", "peace"))
    for sender, to in (
        ("FRANCE", "GERMANY"),
        ("ITALY", "FRANCE"),
        ("GERMANY", "ITALY"),
        ("GERMANY", BROADCAST),
    ):
        match.say(sender, to, about("accept", "peace"), reply_to=asked.id)
        assert match.only.status is Status.PROPOSED
        assert "answers no open proposal" in match.complaints[0]


@pytest.mark.parametrize("to", ["AUSTRIA", BROADCAST])
@pytest.mark.parametrize("message_type", [MessageType.CHAT, MessageType.ACCEPTANCE])
def test_an_acceptance_without_a_proposal_binds_nobody(to: str, message_type: MessageType) -> None:
    match = Match()
    every = (
        about("accept", "peace"),
        about("accept", "alliance", by="AUSTRIA"),
        about("accept", "dmz", "TYR"),
        about("accept", "support", order="A VIE S A TYR", by="AUSTRIA"),
        about("accept", "order", order="F TRI - VEN", by="AUSTRIA"),
    )
    match.say("ITALY", to, *every, message_type=message_type)
    assert len(match.complaints) == len(every)
    assert (match.ledger.open, match.ledger.ended) == ((), ())


def test_nobody_states_what_another_will_do() -> None:
    match = Match()
    for by in ("AUSTRIA", "FRANCE"):
        for act in ("state", "propose"):
            match.say("ITALY", "AUSTRIA", about(act, "order", order="F TRI - VEN", by=by))
            bound = [c for c in match.ledger.open if c.status is not Status.PROPOSED]
            assert bound == []
            assert bool(match.complaints) == ((by, act) != ("AUSTRIA", "propose"))


def test_peace_outlives_its_phase_and_is_broken_a_year_later_by_the_order_that_broke_it() -> None:
    match = Match()
    match.agree("FRANCE", "ITALY", "peace")
    match.play(FRANCE=["A MAR - PIE"])
    match.play()
    assert match.only.outcome == "accepted"
    match.play(FRANCE=["A PIE H"])
    match.play(FRANCE=["A PIE - TUS"])
    assert match.only.outcome == "kept"

    match = Match()
    match.agree("FRANCE", "ITALY", "peace")
    match.play(FRANCE=["A MAR - PIE"])
    match.play()
    match.play(FRANCE=["A PIE - VEN", "A PAR - BUR"], ITALY=["A VEN - TRI", "A ROM - VEN"])
    assert match.only.outcome == "broken by FRANCE (A PIE - VEN) in S1902M"


@pytest.mark.parametrize(
    ("term", "last"),
    [("", "F1902M"), ("1904", "F1904M"), ("S1902M", "S1902M"), ("until the end of 1903", "F1903M")],
)
def test_a_peace_lasts_through_the_next_year_or_as_long_as_it_says(term: str, last: str) -> None:
    match = Match()
    match.agree("FRANCE", "ITALY", "peace", term=term)
    assert str(match.only.term.last) == last


def test_a_peace_that_nobody_could_break_lapses_and_says_nothing_of_anybody() -> None:
    match = Match()
    match.agree("ENGLAND", "TURKEY", "alliance", term="F1901M")
    match.play()
    match.play()
    assert match.only.outcome == "lapsed (nobody was near enough to break it)"


def test_a_peace_that_is_made_anew_ends_the_one_before_it() -> None:
    match = Match()
    match.agree("FRANCE", "GERMANY", "peace", term="1901")
    match.agree("GERMANY", "FRANCE", "peace", term="1903")
    assert match.lines == [
        "peace between GERMANY and FRANCE through F1903M: accepted",
        "peace between FRANCE and GERMANY through F1901M: lapsed (renewed)",
    ]
    match.say("FRANCE", "GERMANY", about("propose", "peace", term="1902"))
    assert len(match.ledger.open) == 1


def test_calling_off_what_was_agreed_ends_it_and_breaks_nothing() -> None:
    match = Match()
    match.agree("FRANCE", "ITALY", "peace")
    match.play(FRANCE=["A MAR - PIE"])
    match.say("FRANCE", "ITALY", about("refuse", "peace"))
    assert match.only.outcome == "lapsed (called off by FRANCE)"
    match.play(FRANCE=["A PIE - VEN"])
    assert match.only.status is Status.LAPSED


def test_a_proposal_is_withdrawn_by_its_maker_and_refused_by_the_other_side() -> None:
    for sender, to, outcome in (
        ("FRANCE", "GERMANY", "lapsed (withdrawn by FRANCE)"),
        ("GERMANY", "FRANCE", "refused (by GERMANY)"),
    ):
        match = Match()
        match.say("FRANCE", "GERMANY", about("propose", "peace"))
        match.say(sender, to, about("refuse", "peace"))
        assert match.only.outcome == outcome
        match.say("GERMANY", "FRANCE", about("accept", "peace"))
        assert match.only.outcome == outcome


def test_a_proposal_can_be_answered_in_the_next_phase_and_not_later() -> None:
    match = Match()
    match.say("FRANCE", "GERMANY", about("propose", "peace"))
    match.play()
    assert match.only.status is Status.PROPOSED
    match.play()
    assert match.only.outcome == "lapsed (nobody answered)"


def test_a_support_is_void_when_its_unit_was_dislodged_or_destroyed_before() -> None:
    for retreats in (["A MUN R BOH"], ["A MUN D"]):
        board = board_at(
            "S1902M",
            {"GERMANY": ["A MUN", "A KIE"], "FRANCE": ["A BUR", "A RUH", "A PAR"]},
            {"GERMANY": ["MUN", "KIE"], "FRANCE": ["PAR"]},
        )
        match = Match(board)
        match.agree("ITALY", "GERMANY", "order", order="A MUN - TYR", by="GERMANY", term="F1902M")
        match.play(FRANCE=["A BUR - MUN", "A RUH S A BUR - MUN"], GERMANY=["A MUN H"])
        if match.board.phase.year == 1902 and not match.board.phase.is_movement:
            match.play(GERMANY=retreats)
        match.play()
        assert match.only.status is Status.VOID
        assert match.only.why == "GERMANY has no unit in MUN (Munich): A MUN is FRANCE's"


@pytest.mark.parametrize(
    ("order", "theirs", "why"),
    [
        ("A MUN S A PAR - BUR", "A PAR - PIC", "A PAR was ordered A PAR - PIC"),
        ("A MUN S A PAR - BUR", "A PAR H", "A PAR was ordered A PAR H"),
        (
            "A MUN S A PAR - BEL",
            "A PAR - BUR",
            "A MUN cannot support into BEL: it could not move there itself",
        ),
    ],
)
def test_a_support_that_was_not_given_is_void_where_it_could_not_have_helped(
    order: str, theirs: str, why: str
) -> None:
    match = Match()
    match.agree("FRANCE", "GERMANY", "support", order=order, by="GERMANY", term="S1901M")
    match.play(FRANCE=[theirs], GERMANY=["A MUN - RUH"])
    assert (match.only.status, match.only.why) == (Status.VOID, why)


def test_a_support_that_was_given_is_kept_whatever_became_of_it() -> None:
    match = Match()
    match.agree("FRANCE", "GERMANY", "support", order="A MUN S A PAR - BUR", by="GERMANY")
    match.play(FRANCE=["A PAR - PIC"], GERMANY=["A MUN S A PAR - BUR"])
    assert match.only.status is Status.KEPT


def test_both_sides_can_break_one_agreement() -> None:
    match = Match()
    match.agree("FRANCE", "GERMANY", "dmz", "BUR")
    match.play(FRANCE=["A PAR - BUR"], GERMANY=["A MUN - BUR"])
    assert (
        match.only.outcome == "broken by FRANCE (A PAR - BUR) and broken by GERMANY (A MUN - BUR) in S1901M"
    )


def test_what_one_side_states_binds_that_side_alone_and_at_once() -> None:
    match = Match()
    match.say("ITALY", "FRANCE", about("state", "peace"))
    assert match.lines == ["peace by ITALY to FRANCE through F1902M: stated"]
    match.play(FRANCE=["A MAR - PIE"])
    match.play(FRANCE=["A PIE - VEN"])
    assert match.only.status is Status.STATED
    match.play(ITALY=["A VEN - PIE"])
    assert match.only.outcome == "broken by ITALY (A VEN - PIE) in S1902M"


def test_nobody_can_state_what_another_will_do() -> None:
    match = Match()
    match.say("ITALY", "FRANCE", about("state", "order", order="A PAR H", by="FRANCE"))
    assert match.lines == []
    assert "nobody can state what another will do" in match.complaints[0]


def test_a_peace_that_one_states_to_all_is_broken_by_an_attack_on_anybody() -> None:
    match = Match()
    match.say("ITALY", BROADCAST, about("state", "peace"))
    match.play(ITALY=["A VEN - TRI"])
    assert match.lines == ["peace by ITALY to all through F1902M: broken by ITALY (A VEN - TRI) in S1901M"]


def test_a_proposal_to_all_can_be_accepted_by_several_each_for_itself() -> None:
    match = Match()
    asked = match.say("ITALY", BROADCAST, about("propose", "peace"))
    match.say("FRANCE", "ITALY", about("accept", "peace"), reply_to=asked.id)
    match.say("AUSTRIA", BROADCAST, about("accept", "peace"), reply_to=asked.id)
    assert match.lines == [
        "peace between ITALY and all through F1902M: proposed by ITALY (S1901M.1.ITALY.0)",
        "peace between ITALY and FRANCE through F1902M: accepted",
        "peace between ITALY and AUSTRIA through F1902M: accepted",
    ]
    assert [str(c) for c in match.ledger.seen_by("TURKEY").open] == [match.lines[0], match.lines[2]]
    assert match.ledger.seen_by("PUBLIC") == match.ledger.seen_by("TURKEY")


def test_an_agreement_between_two_is_known_to_them_and_to_whoever_runs_the_game() -> None:
    match = Match()
    match.agree("FRANCE", "GERMANY", "peace")
    for reader in ("FRANCE", "GERMANY", "OPERATOR"):
        assert match.ledger.seen_by(reader) == match.ledger
    for reader in ("ITALY", "PUBLIC"):
        assert match.ledger.seen_by(reader).open == ()


@pytest.mark.parametrize(
    ("statement", "why"),
    [
        (about("propose", "dmz"), "locations were wanted and none came"),
        (about("propose", "dmz", "Narnia"), "a province was wanted and 'Narnia' came"),
        (
            about("propose", "order", order="march!"),
            "an order of a movement phase was wanted and 'march!' came",
        ),
        (about("propose", "order", order="A PAR B"), "an order of a movement phase was wanted"),
        (about("propose", "order", order="A PAR H", by="ITALY"), "FRANCE or GERMANY was wanted as by"),
        (
            about("propose", "order", order="A PAR H", term="1902"),
            "a term such as F1901M was wanted and '1902'",
        ),
        (about("propose", "peace", term="1900"), "its term F1900M is over"),
        (about("propose", "peace", term="1907"), "its term F1907M is more than 5 years ahead"),
    ],
    ids=str,
)
def test_what_nobody_can_make_out_commits_nobody_and_says_why(statement: Statement, why: str) -> None:
    match = Match()
    match.say("FRANCE", "GERMANY", statement)
    assert match.lines == []
    assert why in match.complaints[0]


def test_who_does_it_is_the_owner_of_the_unit_where_nobody_is_named() -> None:
    match = Match()
    match.say("FRANCE", "GERMANY", about("propose", "support", order="A Munich S A Paris - Burgundy"))
    assert match.lines == [
        "support by GERMANY to FRANCE in S1901M, A MUN S A PAR - BUR: proposed by FRANCE (S1901M.1.FRANCE.0)"
    ]


def test_an_agreement_with_a_power_that_is_out_of_the_game_has_ended() -> None:
    board = board_at("S1905M", {"FRANCE": ["A PAR"], "ITALY": ["A MAR"]}, {"FRANCE": ["PAR"]})
    match = Match(board)
    match.agree("FRANCE", "ITALY", "peace", term="1906")
    match.ledger = match.ledger.after_phase(board, board.adjudicate({}).results)
    without = board_at("F1905M", {"FRANCE": ["A PAR"]}, {"FRANCE": ["PAR"]})
    match.ledger = match.ledger.after_phase(without, without.adjudicate({}).results)
    assert match.only.outcome == "lapsed (ITALY is out of the game)"


def test_what_two_propose_to_each_other_at_once_is_one_proposal_that_either_may_accept() -> None:
    match = Match()
    both = [
        said("FRANCE", "ITALY", about("propose", "peace")),
        said("ITALY", "FRANCE", about("propose", "peace")),
    ]
    for messages in (both, both[::-1]):
        ledger = match.ledger.after_messages(messages, match.board)
        (proposal,) = ledger.open
        assert proposal.proposers == ("FRANCE", "ITALY")
        yes = said("FRANCE", "ITALY", about("accept", "peace"), round=2)
        assert ledger.after_messages([yes], match.board).open[0].status is Status.ACCEPTED


def test_who_withdraws_while_the_other_accepts_has_agreed_to_nothing() -> None:
    match = Match()
    match.say("FRANCE", "ITALY", about("propose", "peace"))
    crossing = [
        said("FRANCE", "ITALY", about("refuse", "peace"), round=2),
        said("ITALY", "FRANCE", about("accept", "peace"), round=2),
    ]
    for messages in (crossing, crossing[::-1]):
        (commitment,) = match.ledger.after_messages(messages, match.board).ended
        assert commitment.outcome == "lapsed (withdrawn by FRANCE)"
