"""What is kept at hand of games: enough of each of many, and nothing of those that are forgotten."""

from entente.caches import GAMES, GameCache, forget


def test_each_of_many_games_keeps_its_own_and_a_forgotten_one_nothing() -> None:
    phases, turns = GameCache[int](2), GameCache[str](1)
    for game in map(str, range(GAMES)):
        phases[game, "first"], phases[game, "second"], turns[game, "first"] = 1, 2, "said"
    assert (len(phases), len(turns)) == (2 * GAMES, GAMES)
    forget("0")
    assert {game for game, _ in phases} == {game for game, _ in turns} == {*map(str, range(1, GAMES))}
    phases["one more", "first"] = 1
    assert ("1", "first") in phases
