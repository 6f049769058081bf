import re

import pytest

from entente.errors import SettingsError
from entente.models.settings import ModelSettings
from entente.models.spec import ModelSpec

GOOD = [
    ("openai:gpt-5-mini", ModelSpec("openai", "gpt-5-mini"), "https://api.openai.com/v1", "openai"),
    (
        "openai:llama3:8b@http://localhost:11434/v1/",
        ModelSpec("openai", "llama3:8b", "http://localhost:11434/v1"),
        "http://localhost:11434/v1",
        "openai@localhost:11434",
    ),
    (
        "openai:org/model@v2@https://host.example/v1",
        ModelSpec("openai", "org/model@v2", "https://host.example/v1"),
        "https://host.example/v1",
        "openai@host.example",
    ),
    (
        "deepseek:qwen3:8b@http://localhost:8000/v1",
        ModelSpec("deepseek", "qwen3:8b", "http://localhost:8000/v1"),
        "http://localhost:8000/v1",
        "deepseek@localhost:8000",
    ),
    (
        "anthropic:claude-haiku-4-5",
        ModelSpec("anthropic", "claude-haiku-4-5"),
        "https://api.anthropic.com",
        "anthropic",
    ),
    (
        "google_genai:gemini-2.5-flash",
        ModelSpec("google_genai", "gemini-2.5-flash"),
        "https://generativelanguage.googleapis.com",
        "google_genai",
    ),
]


@pytest.mark.parametrize(("text", "spec", "address", "name"), GOOD, ids=[case[0] for case in GOOD])
def test_a_spec_says_which_model_is_asked_where(text: str, spec: ModelSpec, address: str, name: str) -> None:
    assert ModelSpec.parse(text) == spec
    assert ModelSpec.parse(str(spec)) == spec
    assert (spec.address, spec.provider_name) == (address, name)


@pytest.mark.parametrize(
    "text",
    ["", "openai", "openai:", "gpt-5", "opneai:gpt-5", "openai:a b", "openai:@http://x", "openai:m@http://",
     "anthropic:claude@https://proxy.example/v1"],
)  # fmt: skip
def test_a_bad_spec_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(SettingsError, match="no model was opened"):
        ModelSpec.parse(text)


@pytest.mark.parametrize(
    "text", ["openai:m@http://me:hunter2@host/v1", "openai:m@http://host/v1?key=hunter2"]
)
def test_a_password_in_an_address_is_refused_and_not_repeated(text: str) -> None:
    with pytest.raises(SettingsError) as refused:
        ModelSpec.parse(text)
    assert "hunter2" not in str(refused.value)


@pytest.mark.parametrize("scheme", ["ftp", "ws", "file", "unix+http"])
def test_an_address_that_is_not_called_by_http_is_no_part_of_a_models_name(scheme: str) -> None:
    with pytest.raises(
        SettingsError, match=re.escape(f"was wanted and {scheme}:// came; no model was opened")
    ):
        ModelSpec.parse(f"openai:mock@{scheme}://host/v1")
    with pytest.raises(SettingsError) as refused:
        ModelSpec.parse(f"openai:mock@{scheme}://me:hunter2@host/v1")
    assert "hunter2" not in str(refused.value)


@pytest.mark.parametrize("address", ["ftp://host/v1", "localhost:8000/v1", ""])
def test_so_it_is_where_the_address_is_a_setting(address: str) -> None:
    with pytest.raises(SettingsError, match="'base_url'"):
        ModelSettings().over({"base_url": address})
