"""How much a model's server can take in one call, as servers of one's own say it beside their list of models."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, cast

from entente.models.spec import ModelSpec

if TYPE_CHECKING:
    import httpx2

_NAMES = (
    "max_model_len",
    "loaded_context_length",
    "context_length",
    "max_context_length",
    "n_ctx",
    "n_ctx_train",
)
"""vLLM's, LM Studio's, OpenRouter's and llama.cpp's names, what is served before what could be."""
_SECONDS = 10


async def context_tokens(http: "httpx2.AsyncClient", spec: ModelSpec, key: str) -> int | None:
    """The tokens of prompt and reply together; None where the server does not say."""
    root = spec.address.removesuffix("/v1")
    props = await _json(http, f"{root}/props", key)
    served = _found(_table(props.get("default_generation_settings")), _NAMES)
    if served is not None:
        return served
    listed: Any = (await _json(http, f"{spec.address}/models", key)).get("data")
    models: Iterable[Any] = cast("list[Any]", listed) if isinstance(listed, list) else ()
    own = [table for model in models if (table := _table(model)).get("id") == spec.model]
    return next((found for model in own if (found := _of_model(model)) is not None), None)


def _of_model(model: Mapping[str, Any]) -> int | None:
    found = _found(model, _NAMES)
    return _found(_table(model.get("meta")), _NAMES) if found is None else found


def _found(table: Mapping[str, Any], names: Iterable[str]) -> int | None:
    return next((table[name] for name in names if isinstance(table.get(name), int)), None)


async def _json(http: "httpx2.AsyncClient", url: str, key: str) -> Mapping[str, Any]:
    """The object at an address; an empty one for whatever else is there."""
    try:
        response = await http.get(url, headers={"Authorization": f"Bearer {key}"}, timeout=_SECONDS)
        return _table(response.json()) if response.status_code == 200 else {}
    except Exception:  # noqa: BLE001 - whatever a client raises, the server did not say
        return {}


def _table(value: object) -> Mapping[str, Any]:
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}
