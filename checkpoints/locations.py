"""Where stores are, for whoever must know it before one is opened."""

import os
from pathlib import Path

MEMORY = "memory"
JOURNAL_FILE = "journal.sqlite"


def default_folder() -> Path:
    """The user's own store: `entente` in the XDG data folder, `~/.local/share` unless it is set."""
    data = os.environ.get("XDG_DATA_HOME", "")
    return (Path(data) if Path(data).is_absolute() else Path.home() / ".local" / "share") / "entente"
