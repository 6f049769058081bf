"""Whether a file is a record: every line by itself, and all of them together."""

from collections.abc import Iterable
from math import isclose

from pydantic import ValidationError

from entente.errors import SettingsError
from entente.training.record import Call, Episode, PromptText, Record, parse_line
from entente.training.rewards import SUM_TO_ONE


def read_records(lines: Iterable[str], source: str) -> list[Record]:
    """The records in these lines, of one game or of several; raises SettingsError with the line that is none."""
    records: list[Record] = []
    seen = set[str]()
    for number, text in enumerate(lines, 1):
        try:
            line = parse_line(text)
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False)[0]
            field = ".".join(str(part) for part in first["loc"])
            raise _refused(source, number, f"{field or 'it'}: {first['msg']}") from None
        if isinstance(line, Episode):
            _check_episode(line, source, number)
            records.append(Record(episode=line, texts={}, calls=[]))
            continue
        if not records:
            raise _refused(source, number, "a record begins with its episode")
        if isinstance(line, PromptText):
            records[-1].texts[line.id] = line.body
        else:
            _check_call(line, records[-1], seen, source, number)
            records[-1].calls.append(line)
    return records


def _check_episode(episode: Episode, source: str, number: int) -> None:
    for name in SUM_TO_ONE:
        if name in episode.scores and not isclose(sum(episode.scores[name].values()), 1, abs_tol=1e-9):
            raise _refused(source, number, f"the scores of {name} do not sum to one")
    for power, name in episode.rewarded_by.items():
        if episode.scores and power not in episode.scores.get(name, {}):
            raise _refused(source, number, f"{power} is rewarded by {name}, which the game was not scored by")
    if (episode.end_reason is None) != (not episode.scores):
        raise _refused(source, number, "a game has scores where it is over, and only there")


def _check_call(call: Call, record: Record, seen: set[str], source: str, number: int) -> None:
    wrong = (
        f"the call {call.id} came twice"
        if call.id in seen
        else f"it is of {call.episode_id}, and the record is of {record.episode.episode_id}"
        if call.episode_id != record.episode.episode_id
        else "its prompt names a text that no line before it has"
        if any(id_ not in record.texts for id_ in call.prompt or ())
        else "it is trainable in a game that is not over"
        if call.trainable and record.episode.end_reason is None
        else "it has other numbers of tokens and logprobs"
        if call.token_ids is not None and call.logprobs and len(call.token_ids) != len(call.logprobs)
        else ""
    )
    if wrong:
        raise _refused(source, number, wrong)
    seen.add(call.id)


def _refused(source: str, number: int, what: str) -> SettingsError:
    return SettingsError(
        f"{source}, line {number}: A line of a record was wanted and {what}; nothing was done."
    )
