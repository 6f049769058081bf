"""Replies of models that are kept before the turn they belong to is finished."""

from dataclasses import dataclass
from hashlib import blake2b

from checkpoints.journal import Journal
from entente.models.wire import ModelReply, ModelRequest
from entente.players.record import Segment


@dataclass(frozen=True, slots=True)
class SegmentReplies:
    """Those of one segment: `entente.models.wire.KeptReplies` over the journal.

    A model whose reply has to be mended makes two calls in a turn. What came of the first is kept here before the
    second is made, so that a game which is killed or pauses between them does not pay for the first again.
    """

    journal: Journal
    segment: Segment
    kept: dict[str, str]
    """What a killed execution has kept, by the digest of the request."""

    async def find(self, request: ModelRequest, /) -> ModelReply | None:
        """The reply to this very request, if it was kept."""
        if not self.kept or (body := self.kept.get(_digest(request))) is None:
            return None
        return ModelReply.model_validate_json(body)

    async def keep(self, request: ModelRequest, reply: ModelReply, /) -> None:
        """Keep it; once is enough."""
        digest = _digest(request)
        if digest not in self.kept:
            await self.journal.keep_reply(self.segment, digest, reply.model_dump_json())


def _digest(request: ModelRequest) -> str:
    return blake2b(request.model_dump_json().encode(), digest_size=16).hexdigest()
