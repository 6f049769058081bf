"""`watch`: a game on the screen of a terminal, as it is played and as it was."""

from entente.cli.options import GameOrNewest, StoreOption
from entente.cli.views import DelayOption, OperatorOption, PowerOption


def watch(
    game: GameOrNewest = None,
    power: PowerOption = None,
    delay: DelayOption = None,
    operator: OperatorOption = False,
    store: StoreOption = None,
) -> None:
    """Watch a game: board, orders and press, live while any process plays it.

    Left and right step through its phases, Home leads to the first and End to the one in play; up and down scroll,
    and q leaves. Who is waited for, since when, and what models have cost are the operator's to know. As with `log`,
    everything is shown, and while people play what the only one's seat may know, or all may, unless a reader is named.
    Where stdout is no terminal, the game is printed as it stands.
    """
    from entente.cli.reader_work import Asked, with_reader
    from entente.cli.watch_work import watch_game

    with_reader(store, game, Asked(power, delay, operator), watch_game)
