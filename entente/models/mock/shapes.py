"""A value put into the form that a JSON schema wants, as a server does that holds its model to one."""

import json
from typing import Any, cast

Schema = dict[str, Any]


def shaped(value: Any, schema: Schema) -> Any:
    """The nearest value that the schema allows; of the keywords, those that entente sends."""
    if "anyOf" in schema:
        return shaped(value, _alternative(value, schema["anyOf"]))
    if "enum" in schema:
        return value if value in schema["enum"] else schema["enum"][0]
    match schema["type"]:
        case "object":
            parts = _parts(value, schema)
            return {name: shaped(parts.get(name), part) for name, part in schema["properties"].items()}
        case "array":
            items = [shaped(item, schema["items"]) for item in value or ()]
            return items[: schema.get("maxItems", len(items))]
        case "string":
            return value if isinstance(value, str) else "" if value is None else json.dumps(value)
        case "boolean":
            return bool(value)
        case _:
            return None


def _alternative(value: Any, schemas: list[Schema]) -> Schema:
    """The one that a value belongs to: none for None, and for a call the one of its name."""
    fitting = (each for each in schemas if each.get("type") == "null" if value is None)
    named = (
        each for each in schemas if isinstance(value, dict) and _is_named(cast("dict[str, Any]", value), each)
    )
    return next(fitting, None) or next(named, None) or schemas[0]


def _is_named(call: dict[str, Any], schema: Schema) -> bool:
    return call.get("tool_name") in schema.get("properties", {}).get("tool_name", {}).get("enum", ())


def _parts(value: Any, schema: Schema) -> dict[str, Any]:
    """An object's parts; of a list of orders, each under the unit that it begins with."""
    if isinstance(value, list):
        lines = cast("list[str]", value)
        return {unit: line for unit in schema["properties"] for line in lines if line.startswith(unit)}
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}
