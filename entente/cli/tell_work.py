"""The work of `tell`: the crew's turn about a phase, as the terminal shows it."""

from collections.abc import Mapping

from pydantic import BaseModel, JsonValue

from checkpoints.store import Store
from entente.board.spoken import counted, season_name
from entente.cli.lines import marked_line
from entente.cli.options import print_json
from entente.cli.output import columns_to_tell, cost_text, say, tell
from entente.commentary.executor import TurnExecutor
from entente.commentary.turn import AgentResponse
from entente.floors.seats import crew_budget
from entente.games.crew import kept_telling, scene_after
from entente.games.tellings import crew_of_process
from entente.models.usage import summarize
from graph.context import SCRIPTED_CREW


class ToldPhase(BaseModel):
    """A phase as the crew tells it."""

    phase: str
    season: str
    """`Spring 1901`."""
    responses: list[AgentResponse]


def tell_response(voice: str, content: str) -> None:
    """Show what a voice says as a paragraph of its own, each further row behind a mark."""
    tell("\n" + marked_line(f"{voice.capitalize()}: ", content, columns_to_tell()), whole=True)


async def tell_phase(
    store: Store,
    game: str,
    at: str | None,
    crew: str | None,
    crew_model: Mapping[str, JsonValue],
    *,
    as_json: bool,
) -> None:
    """Tell the phase on stdout, the latest one when `at` is None: a paragraph for each voice as soon as it has ended.

    Without a `crew` a phase that was told in its game is told in the same words. Scripted voices always tell it in the
    same words. Raises NotBegun, UnknownPhase, SettingsError.
    """
    async with crew_of_process(crew or SCRIPTED_CREW, crew_model) as make_voices:
        scene = await scene_after(store, game, at)
        phase = scene.played[-1].before.phase
        told = ToldPhase(phase=str(phase), season=season_name(phase).capitalize(), responses=[])
        if not as_json:
            tell(f"{told.season} ({told.phase})")

        async def keep(response: AgentResponse) -> None:
            told.responses.append(response)
            if not as_json:
                tell_response(response.agent, response.content)

        kept = await kept_telling(store, game, told.phase) if crew is None else []
        for words in kept:
            await keep(AgentResponse(words.voice, words.content))
        if not kept:
            voices = make_voices([crew_budget(crew_model, [])])
            await TurnExecutor(**voices).execute("", None, scene, keep=keep)
    if as_json:
        print_json(told.model_dump())
    calls = summarize([call for response in told.responses for call in response.calls])
    if calls.calls:
        tokens = calls.prompt_tokens + calls.completion_tokens
        say(f"{counted(calls.calls, 'model call')}, {tokens:,} tokens; cost: {cost_text(calls)}.")
