"""What the environment says of LangSmith's tracing."""

# langsmith leaves a type parameter of its own function open.
# pyright: reportUnknownVariableType=false

import os

from entente.errors import SettingsError

TRACING = ("LANGSMITH_TRACING", "LANGSMITH_TRACING_V2", "LANGCHAIN_TRACING_V2", "LANGCHAIN_TRACING")
"""How the operator says whether runs are sent to LangSmith."""
_OF_OLD = ("LANGCHAIN_TRACING", "LANGCHAIN_HANDLER")
"""What asked for a tracer that LangChain no longer has; it ends every run with an error while no other one is on."""


def check_tracing() -> None:
    """Raises SettingsError where LangChain would refuse to run anything."""
    if not any(os.environ.get(name) for name in _OF_OLD):
        return
    from langchain_core.utils.env import env_var_is_set  # few have set one
    from langsmith.utils import tracing_is_enabled

    asked = [name for name in _OF_OLD if env_var_is_set(name)]
    if asked and not tracing_is_enabled():
        raise SettingsError(
            f"LANGSMITH_TRACING=true, or no {asked[0]}, was wanted in the environment and {asked[0]} alone came, with "
            "which LangChain runs nothing; nothing was done."
        )
