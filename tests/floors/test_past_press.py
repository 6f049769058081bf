"""The press of earlier phases in whole games: read from the journal alone, and as far back as it is of use."""

from checkpoints.store import Store
from entente.games.forks import fork_game
from entente.games.runner import GameMaster
from graph.context import GameSettings
from tests.support.players import Cast, secretive


async def test_a_fork_reads_the_talk_that_its_game_had_and_nothing_lies_further_back_than_two_years(
    memory_store: Store,
) -> None:
    cast = Cast({"diplomat": secretive})
    master = GameMaster(memory_store, cast)
    settings = GameSettings(everyone="diplomat", rounds=1, max_year=1904, stalemate_years=0)
    standing = await master.run(await master.begin(settings))
    known = {(b.board.phase, b.power): b.press for b in cast.seen if b.round == 1}
    for (phase, power), press in known.items():
        phases = [str(past.phase) for past in press]
        every = [f"{season}{year}M" for year in range(1901, 1905) for season in "SF"]
        at = every.index(str(phase))
        assert phases == every[max(0, 2 * (phase.year - 1903)) : at]
        assert all(f"canary-{power}-to-" in repr(past.messages) for past in press)
        assert all(power in c.parties for past in press for c in past.commitments)
    assert any(past.commitments for press in known.values() for past in press)
    cast.seen.clear()
    await master.run(await fork_game(memory_store, standing.game, "F1903M", {}))
    again = {(b.board.phase, b.power): b.press for b in cast.seen if b.round == 1}
    assert {phase.year for phase, _ in again} == {1903, 1904}
    assert all(press == known[key] for key, press in again.items())
