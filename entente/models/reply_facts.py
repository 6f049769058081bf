"""What a provider says of a reply beside its words, as any store can keep it and any budget add it up."""

from entente.plain import storable

_MOST_TOKENS = 10**9
_MOST_CHARS = 200


def token_count(told: object) -> int:
    """A number of tokens; 0 for what can be none: a word, a part of one, NaN, or more than any model reads."""
    return int(told) if isinstance(told, int | float) and 0 <= told <= _MOST_TOKENS else 0


def short_text(told: object) -> str:
    """A word or two, such as why a reply ended; of more the beginning."""
    return storable(str(told or "")[:_MOST_CHARS])
