"""Rows as a Parquet file, which pyarrow, pandas and the Hugging Face hub's libraries read column by column.

Every file of a form has the same columns, so that several can be read as one table. What has no fixed shape, the tools
that were offered and what a tool was called with, is JSON text there.
"""

import importlib.util
import json
from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any, cast

from pydantic import JsonValue

from entente.errors import SettingsError
from entente.training.texts import Row

SUFFIX = ".parquet"
"""Of files that are written so."""


def check_parquet() -> None:
    """Raise SettingsError where the library that writes it is not installed."""
    if importlib.util.find_spec("pyarrow") is None:
        raise SettingsError(
            "Parquet wants the packages of the extra `train`, which are not installed: pip install 'entente[train]'. "
            "Nothing was written."
        )


def write_parquet(path: Path, form: str, rows: Iterable[Row]) -> None:
    """Write the rows of a form (`entente.training.texts.FORMS`, `tokens`) to the file; raises OSError."""
    arrow: Any = import_module("pyarrow")
    cells = [{name: _CELLS.get(name, _as_it_is)(value) for name, value in row.items()} for row in rows]
    table = arrow.Table.from_pylist(cells, schema=_schema(arrow, form))
    import_module("pyarrow.parquet").write_table(table, path)


def _schema(arrow: Any, form: str) -> Any:
    text = arrow.string()
    function = arrow.struct([("name", text), ("arguments", text)])
    called = arrow.list_(arrow.struct([("type", text), ("function", function)]))
    messages = arrow.list_(
        arrow.struct([("role", text), ("content", text), ("tool_calls", called), ("tool_call_id", text)])
    )
    about = [("reward", arrow.float64()), *((name, text) for name in ("id", "group_id", "seat", "task_type"))]
    ids = arrow.list_(arrow.int64())
    columns: dict[str, list[tuple[str, Any]]] = {
        "chat": [("messages", messages), ("tools", text), *about],
        "pairs": [("prompt", messages), ("completion", messages), ("tools", text), *about],
        "sharegpt": [("conversations", arrow.list_(arrow.struct([("from", text), ("value", text)])))],
        "tokens": [
            ("input_ids", ids),
            ("labels", ids),
            ("logprobs", arrow.list_(arrow.float64())),
            ("retokenised", arrow.bool_()),
            *about,
        ],
    }
    return arrow.schema(columns[form])


def _as_it_is(value: JsonValue) -> JsonValue:
    return value


def _as_text(value: JsonValue) -> JsonValue:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _messages(value: JsonValue) -> JsonValue:
    return [_message(cast("Row", message)) for message in cast("list[JsonValue]", value)]


def _message(message: Row) -> Row:
    calls = cast("list[dict[str, dict[str, JsonValue]]]", message.get("tool_calls"))
    if not calls:
        return message
    said: list[JsonValue] = [
        {**call, "function": {**call["function"], "arguments": _as_text(call["function"]["arguments"])}}
        for call in calls
    ]
    return {**message, "tool_calls": said}


_CELLS: Mapping[str, Callable[[JsonValue], JsonValue]] = {
    "messages": _messages,
    "prompt": _messages,
    "completion": _messages,
    "tools": _as_text,
}
