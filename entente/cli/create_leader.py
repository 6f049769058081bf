"""`entente create-leader`: an interview that makes a leader for a power."""

from pathlib import Path
from typing import Annotated

import typer

from entente.cli.completion import complete_power
from entente.cli.game_options import option_for
from entente.cli.options import JsonOption
from entente.commentary.leader import TRAITS


def _trait(name: str) -> typer.models.OptionInfo:
    trait = next(trait for trait in TRAITS if trait.name == name)
    words = "|".join(grade.word for grade in trait.grades)
    return typer.Option(f"--{name.replace('_', '-')}", metavar=f"<{words}>", help=trait.question)


def create_leader(
    power: Annotated[
        str, typer.Argument(metavar="POWER", autocompletion=complete_power, help="Whom the leader leads.")
    ],
    name: Annotated[str | None, typer.Option(metavar="NAME", help="What the leader is called.")] = None,
    temper: Annotated[str | None, _trait("temper")] = None,
    honesty: Annotated[str | None, _trait("honesty")] = None,
    loyalty: Annotated[str | None, _trait("loyalty")] = None,
    ambition: Annotated[str | None, _trait("ambition")] = None,
    manner_of_speech: Annotated[str | None, _trait("manner_of_speech")] = None,
    description: Annotated[
        str | None, typer.Option(metavar="TEXT", help="Who the leader is, in a sentence or two.")
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            metavar="FILE",
            dir_okay=False,
            help="Where the leader is written, in YAML. Default: the power's name, such as france.yaml.",
        ),
    ] = None,
    replace: Annotated[bool, typer.Option("--replace", help="Write over a file that is there.")] = False,
    map_name: Annotated[str, option_for("map_name")] = "standard",
    seed: Annotated[int, typer.Option(min=0, help="What is left out is chosen by chance from it.")] = 42,
    as_json: JsonOption = False,
) -> None:
    """Make a leader for a power: an interview of seven questions, and a file for `play --leader`.

    The leader becomes the persona of a language model, the knobs of a diplomat, or the card of a person. What an
    option answers is not asked. On a terminal an empty line leaves an answer to chance; elsewhere answers are read
    from stdin, a line each, and those that are missing are left to chance. Ctrl-C writes nothing.
    """
    from entente.cli.create_leader_work import make_leader

    given = {
        "name": name,
        "temper": temper,
        "honesty": honesty,
        "loyalty": loyalty,
        "ambition": ambition,
        "manner_of_speech": manner_of_speech,
        "character_description": description,
    }
    answers = {question: answer for question, answer in given.items() if answer is not None}
    make_leader(power, map_name, seed, answers, out, replaces=replace, as_json=as_json)
