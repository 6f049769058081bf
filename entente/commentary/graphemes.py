"""Text into characters as readers see them, as it comes: an accent or half of a flag never stands alone."""

import regex

_CHARACTER = regex.compile(r"\X")


class Graphemes:
    """Cuts pieces of text into characters; the last of a piece waits, since what comes next may belong to it."""

    def __init__(self) -> None:
        self._waiting = ""

    def feed(self, piece: str) -> list[str]:
        """The characters that are complete by now."""
        characters: list[str] = _CHARACTER.findall(self._waiting + piece)
        self._waiting = characters.pop() if characters else ""
        return characters

    def end(self) -> list[str]:
        """The last one, if any waits."""
        last, self._waiting = self._waiting, ""
        return [last] if last else []
