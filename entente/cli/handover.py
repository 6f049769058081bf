"""Several people at one terminal: each is asked on a screen from which the others' press is gone."""

import sys

from entente.board.types import Power
from entente.cli.output import clear, say


async def hand_over(power: Power) -> bool:
    """Clear the screen and what could be scrolled back to, and wait for the power's person; False when it left."""
    from prompt_toolkit.output import create_output
    from prompt_toolkit.shortcuts import PromptSession

    clear()
    say(f"{power} is asked now. Whoever else sits here looks away; press Enter to go on, Ctrl-D to leave.")
    session: PromptSession[str] = PromptSession(output=create_output(sys.stderr))
    try:
        await session.prompt_async(f"{power}, press Enter: ")
    except (EOFError, KeyboardInterrupt):
        return False
    return True
