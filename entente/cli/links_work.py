"""The work of `entente links`."""

from checkpoints.store import Store
from entente.cli.options import existing_store
from entente.cli.output import plain_table, print_table
from entente.games.reading import reader_named
from entente.games.roles import role_of
from entente.loopback import LOOPBACK
from entente.web.addresses import link_address

_DAY_SECONDS = 24 * 3600.0


async def make_link(
    store: Store, game: str, power: str | None, delay: int | None, *, days: float, port: int
) -> str:
    """The address of a new link; raises UnknownPower, SettingsError."""
    role = role_of(await reader_named(store, game, power, delay))
    made = await store.links.make(game, role, seconds=days * _DAY_SECONDS)
    return link_address(f"http://{LOOPBACK}:{port}", made)


async def print_links(location: str | None) -> None:
    """The links that are good; their digests are the server's business."""
    async with existing_store(location) as store:
        found = await store.links.all()
    table = plain_table()
    for title in ("Link", "Game", "Role", "Expires"):
        table.add_column(title)
    for link in found:
        expires = f"{link.expires_at.astimezone():%Y-%m-%d %H:%M}"
        table.add_row(link.id, link.game or "all", link.role, expires)
    print_table(table)
