"""The work of `watch`: which phase of a game is looked at, what its reader may see of it, and the keys that lead on."""

import asyncio
import signal
import sys
from collections.abc import AsyncGenerator, Awaitable, Sequence
from contextlib import asynccontextmanager, suppress
from functools import partial
from typing import TYPE_CHECKING

from checkpoints.store import Store
from entente.cli.output import PlainConsole, say
from entente.cli.printing import echo
from entente.cli.store_option import command_for
from entente.cli.watch_frame import Frame, Knowledge, draw, plain_lines
from entente.events import Event, EventKind
from entente.floors.floor import floor_of
from entente.games.feeds import Feed, Feeds
from entente.games.roles import OPERATOR
from entente.games.runner import RunEnd
from entente.games.spending import spending_of
from entente.games.views import GameView, board_view
from entente.games.waited_for import Waited, waited_for
from entente.players.roster import HUMAN
from entente.press.mailbox import Reader
from graph.state import board_from

if TYPE_CHECKING:
    from prompt_toolkit.application import Application
    from prompt_toolkit.key_binding import KeyPressEvent

_LOOK_SECONDS = 1.0
"""How often it is looked what no commit tells: who plays the game, and who is waited for."""
_FAR = 1_000_000
"""More steps than a game has phases."""


async def watch_game(store: Store, game: str, reader: Reader) -> None:
    """Show the game until somebody leaves; where stdout or stdin is no terminal, print how it stands.

    Raises what reading the game raises, and KeyboardInterrupt for Ctrl-C.
    """
    feeds = Feeds(store)
    async with feeds.of(game, reader) as feed:
        watch = Watch(store, feeds, feed)
        frame = await watch.frame()
        if sys.stdin.isatty() and sys.stdout.isatty() and not PlainConsole().is_dumb_terminal:
            await _Screen(watch, frame).show()
            return
        for line in plain_lines(frame):
            echo(line)
        if frame.view.status != RunEnd.FINISHED:
            follow = command_for(store.location, f"log {game} --follow")
            say(f"This is how the game stands. `{follow}` prints what comes.", whole=True)


class Watch:
    """One game, and the phase of it that is looked at."""

    def __init__(self, store: Store, feeds: Feeds, feed: Feed) -> None:
        self._store = store
        self._feeds = feeds
        self._feed = feed
        self._chosen: str | None = None
        """None for whatever phase is in play."""

    async def frame(self) -> Frame:
        """What is to be seen now."""
        view = await self._feed.ready()
        phase = self._phase(view)
        shown = await board_view(self._store, view, phase) if phase else None
        settings = await self._store.library.settings(self._feed.game)
        return Frame(
            view=view,
            reader=self._feed.reader,
            phase=phase,
            board=board_from(shown.board) if shown else None,
            results=shown.results if shown else None,
            events=[event for event in self._feed.events if event.phase == phase],
            told=_told(self._feed.events, phase, is_in_play=phase == view.phase),
            floor=floor_of(settings),
            known=await self._known(view) if self._feed.reader == OPERATOR else None,
        )

    async def news(self) -> None:
        """Wait until something has changed; raises what has ended the feed."""
        with suppress(TimeoutError):
            async with asyncio.timeout(_LOOK_SECONDS):
                await self._feed.news.wait()
        if self._feed.error:
            raise self._feed.error
        if not self._feed.has_ended:
            await self._feeds.refresh(self._feed.game)

    def step(self, by: int) -> None:
        """Look at the phase so many places on, as far as there are any; the last is the one in play, and stays so."""
        if (view := self._feed.view) is None or not (phases := _phases(view)):
            return
        place = max(0, min(phases.index(self._phase(view)) + by, len(phases) - 1))
        self._chosen = None if place == len(phases) - 1 else phases[place]

    def _phase(self, view: GameView) -> str:
        """The one that is looked at; a future in which it was played may have been abandoned."""
        phases = _phases(view)
        return self._chosen if self._chosen in phases else (phases or [""])[-1]

    async def _known(self, view: GameView) -> Knowledge:
        """What the operator alone may know."""
        waited = await waited_for(self._store, self._feed.game)
        last = max((event.at or 0.0 for event in self._feed.events), default=0.0)
        people = [Waited(power, HUMAN, last) for power in view.waiting_for or ()]
        spending = await spending_of(self._store, self._feed.game) if view.phase else None
        return Knowledge([*people, *waited], spending)


def _told(events: Sequence[Event], phase: str, *, is_in_play: bool) -> list[Event]:
    """What the crew has told all of the phase; of the one that was told last while it is in play."""
    told = [event for event in events if event.kind is EventKind.CREW and event.data["listener"] == "PUBLIC"]
    if is_in_play and told and phase not in {event.phase for event in told}:
        phase = told[-1].phase
    return [event for event in told if event.phase == phase]


def _phases(view: GameView) -> list[str]:
    """All that can be looked at: those that are over, then the one in play."""
    return [*view.phases, *([view.phase] if view.phase and view.phase not in view.phases else [])]


class _Screen:
    """The whole terminal, drawn anew when something has changed, and its keys."""

    def __init__(self, watch: Watch, frame: Frame) -> None:
        self._watch = watch
        self._frame = frame
        self._turned = asyncio.Event()
        """Set when somebody looks at another phase."""
        self._scrolled = 0

    async def show(self) -> None:
        """Show it until a key or a signal ends it."""
        app = self._application()
        loop = asyncio.get_running_loop()
        loop.add_signal_handler(signal.SIGTERM, app.exit)
        try:
            async with _running(self._keep_up(app)) as keeping:
                await app.run_async()
            if not keeping.cancelled() and (error := keeping.exception()):
                raise error
        finally:
            loop.remove_signal_handler(signal.SIGTERM)

    async def _keep_up(self, app: "Application[None]") -> None:
        """Read anew what changes; the screen ends when that fails."""
        try:
            while True:
                news = asyncio.ensure_future(self._watch.news())
                turned = asyncio.ensure_future(self._turned.wait())
                try:
                    await asyncio.wait([news, turned], return_when=asyncio.FIRST_COMPLETED)
                    if news.done():
                        news.result()
                finally:
                    news.cancel()
                    turned.cancel()
                self._turned.clear()
                self._frame = await self._watch.frame()
                app.invalidate()
        finally:
            if app.is_running and not app.is_done:
                app.exit()

    def _application(self) -> "Application[None]":
        # Loaded for people only: it takes a tenth of a second.
        from prompt_toolkit.application import Application, get_app
        from prompt_toolkit.formatted_text import ANSI
        from prompt_toolkit.key_binding import KeyBindings
        from prompt_toolkit.layout import FormattedTextControl, Layout, Window

        keys = KeyBindings()
        for key, by in {"left": -1, "right": 1, "home": -_FAR, "end": _FAR}.items():
            keys.add(key)(partial(self._turn, by))
        for key, by in {"up": -1, "down": 1}.items():
            keys.add(key)(partial(self._scroll, by))
        keys.add("q")(_leave)
        keys.add("c-c")(_interrupt)

        def drawn() -> ANSI:
            size = get_app().output.get_size()
            text, self._scrolled = draw(self._frame, size.columns, size.rows, self._scrolled)
            return ANSI(text)

        return Application(
            layout=Layout(Window(FormattedTextControl(drawn), always_hide_cursor=True)),
            key_bindings=keys,
            full_screen=True,
        )

    def _turn(self, by: int, _event: object) -> None:
        self._watch.step(by)
        self._scrolled = 0
        self._turned.set()

    def _scroll(self, by: int, _event: object) -> None:
        self._scrolled += by


def _leave(event: "KeyPressEvent") -> None:
    event.app.exit()


def _interrupt(event: "KeyPressEvent") -> None:
    event.app.exit(exception=KeyboardInterrupt)


@asynccontextmanager
async def _running(work: Awaitable[None]) -> AsyncGenerator["asyncio.Future[None]"]:
    """The work beside the block, cancelled with its end."""
    task = asyncio.ensure_future(work)
    try:
        yield task
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
