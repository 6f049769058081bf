from pathlib import Path

import pytest

from entente.errors import SettingsError
from entente.models.mock.plan import Fault, FaultCounter, Plan
from entente.models.mock.request import ChatRequest


def test_a_plan_is_read_from_json_or_from_a_file(tmp_path: Path) -> None:
    text = '{"latency_ms": 200, "faults": [{"every": 7, "kind": "500"}]}'
    path = tmp_path / "plan.json"
    path.write_text(text)
    assert (
        Plan.parse(text)
        == Plan.parse(str(path))
        == Plan(latency_ms=200, faults=(Fault(kind="500", every=7),))
    )


BAD_PLANS = [
    "{",
    '{"latency": 1}',
    '{"faults": [{"kind": "418"}]}',
    "no such file",
    '{"jitter_ms": -1}',
]


@pytest.mark.parametrize("text", BAD_PLANS)
def test_a_plan_that_cannot_be_used_is_refused(text: str) -> None:
    with pytest.raises(SettingsError, match="no server was started"):
        Plan.parse(text)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('{"latency_ms": 200', r"\(Invalid JSON: EOF"),
        (
            '"latency_ms": 200}',
            "as a file: No such file or directory; and a plan as JSON begins with a brace",
        ),
        ('[{"kind": "500"}]', "a plan as JSON begins with a brace"),
        ("no\0file", "as a file: embedded null byte"),
        ("x" * 5000, "as a file: File name too long"),
        ('{"faults": [{"kind": "418"}]}', r"\(faults.0.kind: Input should be"),
    ],
)
def test_what_is_wrong_with_a_plan_is_told_for_what_it_may_have_been_meant_as(text: str, told: str) -> None:
    with pytest.raises(SettingsError, match=told):
        Plan.parse(text)


def test_a_file_that_holds_no_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / "plan").write_bytes(b"\xff\xfe{}")
    with pytest.raises(SettingsError, match="Invalid JSON"):
        Plan.parse(str(tmp_path / "plan"))


def request(
    model: str = "mock", *, tools: tuple[dict[str, str], ...] = (), stream: bool = False
) -> ChatRequest:
    return ChatRequest(model, messages=(), tools=tools, is_stream=stream, wants_usage=False)


def strikes(plan: Plan, models: str) -> list[str | None]:
    counter = FaultCounter(plan)
    faults = [counter.next(request(model)) for model in models]
    return [fault.kind if fault else None for fault in faults]


def test_a_fault_strikes_each_nth_call() -> None:
    assert strikes(Plan(faults=(Fault(kind="500", every=3),)), "aaaaaa") == [None, None, "500"] * 2


def test_a_fault_strikes_the_calls_that_it_names() -> None:
    assert strikes(Plan(faults=(Fault(kind="hang", calls=(1, 4)),)), "aaaa") == ["hang", None, None, "hang"]


def test_a_fault_of_one_model_counts_that_models_calls() -> None:
    plan = Plan(faults=(Fault(kind="400", model="b", every=2),))
    assert strikes(plan, "abaabb") == [None, None, None, None, "400", None]


def test_a_fault_without_a_when_strikes_always_and_the_first_decides() -> None:
    plan = Plan(faults=(Fault(kind="empty", calls=(2,)), Fault(kind="500")))
    assert strikes(plan, "aaa") == ["500", "empty", "500"]


def test_what_a_server_cannot_do_strikes_only_requests_that_want_it() -> None:
    counter = FaultCounter(Plan(faults=(Fault(kind="no_tools"), Fault(kind="no_stream"))))
    tools = ({"name": "ping"},)
    asked = (request(), request(stream=True), request(tools=tools), request(tools=tools, stream=True))
    faults = [counter.next(each) for each in asked]
    assert [fault and fault.kind for fault in faults] == [None, "no_stream", "no_tools", "no_tools"]
