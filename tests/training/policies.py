"""Policies for tests: a small tokenizer, and a server that says what it sampled."""

import asyncio
import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

import prompts
from entente.loopback import embedded
from entente.training.policy import CompletionRequest, DiplomacyPolicyHandler, Policy, ScriptedPolicy
from entente.training.token_rows import LocalTokenizer
from tests.support.canaries import POWERS

MARKS = ["<|im_start|>", "<|im_end|>"]
_TEXTS = sorted(Path(prompts.__file__).parent.glob("*.md"))


def make_tokenizer(folder: Path) -> LocalTokenizer:
    """A tokenizer of bytes with the marks of ChatML, kept in the folder as models' are."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(
        vocab_size=4000, special_tokens=MARKS, initial_alphabet=alphabet, show_progress=False
    )
    tokenizer.train_from_iterator([text.read_text(encoding="utf-8") for text in _TEXTS], trainer)
    folder.mkdir(exist_ok=True)
    tokenizer.save(str(folder / "tokenizer.json"))
    return LocalTokenizer(folder)


@asynccontextmanager
async def telling_server(
    tokenizer: LocalTokenizer | None,
    *,
    has_secrets: bool = False,
    idle: str = "",
    policy: Policy | None = None,
) -> AsyncGenerator[str]:
    """A policy that plays each episode otherwise, and says which tokens it has sampled where it has a tokenizer.

    It is the scripted model unless another one is given.
    With secrets it puts canaries into what it remembers and writes to one. In the episode `idle` it orders nothing.
    """
    handler = DiplomacyPolicyHandler(policy or ScriptedPolicy())

    async def answer(request: Request) -> JSONResponse:
        body = await request.json()
        salted = {**body, "prompt": f"{body['prompt']}\n{body['episode_id']}"}
        told = await handler.handle_completion(CompletionRequest.model_validate(salted))
        text = _without_orders(told["text"]) if body["episode_id"] == idle else told["text"]
        text = _with_secrets(text, body) if has_secrets else text
        choice: dict[str, Any] = {**told["choices"][0], "text": text}
        if tokenizer is not None:
            ids = tokenizer.reply_ids(text) or []
            choice["token_ids"] = ids
            choice["prompt_token_ids"] = tokenizer.prompt_ids(body["prompt"])
            choice["logprobs"] = {"token_logprobs": [-0.5 - 0.001 * (id_ % 7) for id_ in ids]}
        return JSONResponse({**told, "text": text, "choices": [choice]})

    app = Starlette(routes=[Route("/v1/completions", answer, methods=["POST"])])
    async with embedded(app, asyncio.Event()) as address:
        yield address


def _without_orders(text: str) -> str:
    said = json.loads(text)
    others = [each for each in said["actions"] if "order" not in each["tool_name"]]
    return json.dumps({**said, "actions": others})


def _with_secrets(text: str, body: dict[str, Any]) -> str:
    said, power = json.loads(text), body["power"]
    remembered = {"key": "secret", "value": f"canary-{power}-memory"}
    actions = [{"tool_name": "update_memory", "arguments": remembered}]
    if body["metadata"]["task_type"] == "negotiation":
        friend = POWERS[(POWERS.index(power) + 1) % len(POWERS)]
        letter = {"recipient": friend, "message_type": "CHAT", "content": f"canary-{power}-to-{friend}"}
        actions.append({"tool_name": "send_message", "arguments": letter})
    return json.dumps({**said, "actions": [*said["actions"], *actions]})
