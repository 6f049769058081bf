"""What a voice's model is asked: the scene that its listener may know, and nothing else.

Words that somebody wrote stand between tags which they cannot forge (`entente.players.model.quoting`).
"""

from collections.abc import Iterable, Sequence
from typing import Literal, TypeAlias

from entente.board.spoken import power_name, season_name
from entente.commentary.mentions import MAX_CHARACTERS
from entente.commentary.router import GamePhase
from entente.commentary.scene import Scene
from entente.commentary.session import Said
from entente.commentary.telling import statements
from entente.commentary.voices import Cue
from entente.models.wire import ChatMessage, ModelRequest
from entente.players.model.agent_context import public_state
from entente.players.model.layout import board_text
from entente.players.model.quoting import clip, escape, quote
from prompts import PromptSet

_MOST_LETTERS = 20
_MOST_OF_A_LETTER = 600
_MOST_LINES = 6
"""Of the talk before."""
_MOST_OF_A_LINE = 400
ModelledVoice: TypeAlias = Literal["narrator", "jester"]
_OWN_TEXT: dict[ModelledVoice, str] = {"narrator": "crew_narrator", "jester": "crew_jester"}
_GOING_ON = {
    GamePhase.EXPLORATION: "Press is open: the powers write to each other.",
    GamePhase.COMBAT: "Nobody writes; orders are what counts now.",
    GamePhase.DIALOGUE: "Press is open, and your listener talks in private with one power.",
}


def request_of(voice: ModelledVoice, cue: Cue, texts: PromptSet, max_output_tokens: int) -> ModelRequest:
    """The voice's own text as the system message, the scene and what is wanted as the user's."""
    scene = cue.scene
    asked = texts.fill(
        "crew_turn",
        season=season_name(scene.board.phase),
        going_on=_GOING_ON[scene.phase],
        listener=_listener(scene),
        board=board_text(public_state(scene.board), scene.board.geography),
        past=season_name(scene.played[-1].before.phase) if scene.played else "",
        facts=_facts(scene),
        press=_press(scene),
        history=_lines(cue.history[-_MOST_LINES:]),
        said="\n".join(f"<said>{escape(said)}</said>" for said in cue.said),
        task=_task(cue),
    )
    return ModelRequest(
        messages=(
            ChatMessage(role="system", content=texts.load(_OWN_TEXT[voice])),
            ChatMessage(role="user", content=asked),
        ),
        purpose="crew",
        max_output_tokens=max_output_tokens,
    )


def _listener(scene: Scene) -> str:
    if scene.power is None:
        return "Your listener only watches and knows what is public."
    told = f"Your listener plays {power_name(scene.power)}"
    if scene.leader:
        told += f", as <leader>{escape(scene.leader.persona)}</leader>"
    return f"{told}; letters below are known to no other power but their writers and readers."


def _facts(scene: Scene) -> str:
    if not scene.played:
        return ""
    return "\n".join(f"- {fact}" for fact in statements(scene.played[-1], scene.board.geography))


def _press(scene: Scene) -> str:
    latest = scene.press[-_MOST_LETTERS:]
    return "\n".join(
        quote(
            letter.model_copy(update={"content": clip(letter.content, _MOST_OF_A_LETTER)}), scene.power or ""
        )
        for letter in latest
    )


def _lines(lines: Sequence[Said]) -> str:
    return "\n".join(_tagged(line["role"], line["content"]) for line in lines)


def _task(cue: Cue) -> str:
    if not cue.action:
        return "The phase above is over. Say what there is for you to say about it."
    person = _tagged("person", cue.action, MAX_CHARACTERS)
    about = [power_name(power) for power in cue.scene.powers_meant(cue.action)]
    return f"{person}\nAnswer the person.{_concerning(about)}"


def _concerning(powers: Iterable[str]) -> str:
    named = ", ".join(powers)
    return f" It concerns {named}." if named else ""


def _tagged(role: str, words: str, most: int = _MOST_OF_A_LINE) -> str:
    return f"<{role}>{escape(clip(words, most))}</{role}>"
