"""A leader, as its file has it."""

from typing import Any

RENARD: dict[str, Any] = {
    "name": "Marguerite Renard",
    "power": "FRANCE",
    "character_description": "A banker's daughter who has never lost a ledger",
    "character_sheet": {
        "temper": "hot",
        "honesty": "deceitful",
        "loyalty": "steadfast",
        "ambition": "boundless",
        "manner_of_speech": "terse",
    },
}
