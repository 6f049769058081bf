"""What the environment says, read once, at the front door."""

from pydantic import Field
from pydantic_settings import BaseSettings, SettingsConfigDict


class StoreSettings(BaseSettings):
    """Where games are kept, from the environment: `ENTENTE_STORE`."""

    model_config = SettingsConfigDict(env_prefix="ENTENTE_")

    store: str | None = Field(
        default=None,
        description="Where games are kept: a folder, postgresql://…, or memory. Default: ~/.local/share/entente.",
    )
