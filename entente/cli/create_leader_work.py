"""The interview of `entente create-leader`: at a terminal, or from lines that are piped in."""

import shlex
import sys
from collections.abc import Mapping
from pathlib import Path

import typer

from entente.board.engine import load_geography
from entente.cli.given import check_text
from entente.cli.leader_file import is_there, write_leader
from entente.cli.options import print_json
from entente.cli.output import can_ask, say, tell
from entente.commentary.leader import Leader, card_text
from entente.commentary.leader_interview import QUESTIONS, Interview, Question
from entente.errors import SettingsError
from entente.validation import discreet

_PROMPT = "> "
_HOW = "An empty line leaves an answer to chance. Ctrl-C ends the interview, and nothing is written."


def make_leader(
    power: str,
    map_name: str,
    seed: int,
    answers: Mapping[str, str],
    out: Path | None,
    *,
    replaces: bool,
    as_json: bool,
) -> None:
    """Interview, show the leader, and write its file; raises SettingsError, and typer's Abort with nothing written."""
    name = _power(power, map_name.strip().lower())
    path = out or Path(f"{name.lower()}.yaml")
    interview = _with_options(Interview(power=name, seed=seed), answers)
    try:
        replaces = replaces or _may_replace(path)
        leader = _asked(interview) if can_ask() else _piped(interview)
    except (typer.Abort, KeyboardInterrupt):
        say("\nNothing was written.")
        raise
    write_leader(path, leader, replaces=replaces)
    if as_json:
        print_json(leader.model_dump(mode="json"))
    else:
        tell(f"\n{card_text(leader)}\n" if can_ask() else card_text(leader))
    command = f"entente play --leader {shlex.quote(str(path))} --seat {name}=human"
    say(f"Written to {path}. To play with it:\n  {command}", whole=True)


def _power(text: str, map_name: str) -> str:
    powers, name = load_geography(map_name).powers, text.strip().upper()
    if name not in powers:
        raise SettingsError(
            f"A power of the map {map_name} was wanted ({', '.join(powers)}) and {discreet(text[:40])!r} came; "
            "nothing was written."
        )
    return name


def _with_options(interview: Interview, answers: Mapping[str, str]) -> Interview:
    for question in QUESTIONS:
        if question.name in answers:
            interview = _taken(interview, question, answers[question.name])
    return interview


def _may_replace(path: Path) -> bool:
    """True where the file is there and the person has it written over; raises SettingsError where it stays."""
    if not path.exists():
        return False
    if not can_ask() or not typer.confirm(f"{path} is there already. Write over it?", err=True):
        raise is_there(path)
    return True


def _asked(interview: Interview) -> Leader:
    say(_HOW)
    while question := interview.question:
        number = QUESTIONS.index(question) + 1
        say(interview.remark or f"\n{number} of {len(QUESTIONS)}. {_worded(question)}")
        interview = interview.answer(
            typer.prompt(_PROMPT, default="", show_default=False, prompt_suffix="", err=True)
        )
    return _finished(interview)


def _worded(question: Question) -> str:
    choices = [
        f"  {number} {grade.word:<11}{grade.meaning}" for number, grade in enumerate(question.choices, 1)
    ]
    return "\n".join([question.text, *choices])


def _piped(interview: Interview) -> Leader:
    lines = (
        check_text(sys.stdin.read(), undone="nothing was written").splitlines() if interview.question else []
    )
    for line in lines:
        if not (question := interview.question):
            raise SettingsError(
                f"At most {len(QUESTIONS)} answers were wanted, a line each, and more came; nothing was written."
            )
        interview = _taken(interview, question, line)
    while question := interview.question:
        interview = interview.answer("")
    return _finished(interview)


def _taken(interview: Interview, question: Question, answer: str) -> Interview:
    after = interview.answer_to(question, answer)
    if after.remark:
        title = question.name.replace("_", " ")
        raise SettingsError(f"{title}: {after.remark} Nothing was written.")
    return after


def _finished(interview: Interview) -> Leader:
    leader = interview.leader
    if leader is None:
        raise AssertionError("the last question was answered")
    return leader
