"""Calls and records as tests make them up."""

from typing import Any

from entente.training.record import Call, Episode, Record, Response
from tests.support.canaries import POWERS


def a_call(**values: Any) -> Call:
    """A call of FRANCE, with these values."""
    ready: dict[str, Any] = {
        "id": "g/S1901M.1.FRANCE#0.0",
        "episode_id": "g",
        "group_id": "g",
        "seed": 1,
        "seat": "FRANCE",
        "phase": "S1901M",
        "task_type": "orders",
        "call_index": 0,
        "parent_call": None,
        "prompt": None,
        "response": Response(content=""),
        "model": "policy-v1",
        "policy_version": None,
        "prompt_set": None,
        "trainable": True,
        "fallback": [],
        "sampling": {},
        "token_ids": None,
        "logprobs": None,
        "prompt_token_ids": None,
        "reward_step": {},
        "visible_to": ["FRANCE"],
        "latency_seconds": 0.1,
        "usage": {"provider": "policy"},
    }
    return Call(**{**ready, **values})


def a_record(calls: list[Call], texts: dict[str, dict[str, Any]] | None = None, **values: Any) -> Record:
    """A game that is over, with these calls; `values` are of its episode."""
    ready: dict[str, Any] = {
        "schema": "entente.record/1",
        "episode_id": "g",
        "group_id": "g",
        "seed": 1,
        "config_hash": "c",
        "engine": "e",
        "end_reason": "draw",
        "winners": [],
        "phases": 1,
        "supply_centers_by_phase": {},
        "scores": {"squares": dict.fromkeys(POWERS, 1 / 7)},
        "models": {},
    }
    return Record(episode=Episode(**{**ready, **values}), texts=texts or {}, calls=calls)
