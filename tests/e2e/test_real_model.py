"""The game that `make real-model` plays, with the scripted model in the real one's place: its figures hold together."""

from pathlib import Path

from benchmarks.real_model import play, report
from entente.models.mock.plan import Fault, Plan
from entente.models.mock.server import mock_server


async def test_the_year_is_played_and_its_malformed_replies_are_counted(tmp_path: Path) -> None:
    plan = Plan(faults=(Fault(kind="garbage", every=5),))
    async with mock_server(plan) as server:
        _, turns, phases = await play(server.url, str(tmp_path))
        garbled = sum(request.fault == "garbage" for request in server.requests)
    figures = dict(report(turns, phases))
    assert figures["calls, tries"] == f"{len(server.requests)}, {len(server.requests)}"
    assert figures["replies that could not be taken as they were"] == f"{garbled}"
    assert all(turn.notices for turn in turns if any(call.faults for call in turn.calls))
