"""DumbBot's strength, on a few fixed games; `benchmarks.bots` measures it on many."""

import statistics

from entente.board.victory import score
from entente.players.roster import make_player
from tests.support.table import Game, new_game, play


async def game_of(one: str, six: str, seat: str, seed: str, years: int) -> Game:
    game = new_game("standard", seed)
    players = {p: make_player(one if p == seat else six) for p in game.board.powers}
    return await play(game, players, years=years)


async def test_one_dumbbot_wins_against_six_random_players() -> None:
    """The description's own measure: sum of squares .954 ± .017; a port that values free centers at 0 has .729."""
    shares: list[float] = []
    for number, seat in enumerate(("AUSTRIA", "FRANCE", "RUSSIA", "ENGLAND")):
        game = await game_of("dumbbot", "random", seat, f"strength:{number}", years=8)
        shares.append(score(game.board.position, [seat]))
    assert statistics.mean(shares) > 0.8


async def test_seven_dumbbots_have_taken_nearly_all_centers_by_1903_with_legal_orders_only() -> None:
    free: list[int] = []
    for seed in ("a", "b", "c"):
        game = await game_of("dumbbot", "dumbbot", "FRANCE", seed, years=2)
        free.append(len(game.board.geography.centers) - sum(map(len, game.board.position.centers.values())))
        assert game.faults == []
    assert statistics.mean(free) <= 3
