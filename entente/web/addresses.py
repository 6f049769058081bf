"""How a link is written as an address."""

from checkpoints.links import NewLink


def link_address(base: str, made: NewLink) -> str:
    """The address that opens the link at the server of this base, `http://127.0.0.1:8017`.

    The token stands behind the `#`: browsers send nothing of that, so that it is in no log.
    """
    return f"{base}/at/{made.link.id}#{made.token}"
