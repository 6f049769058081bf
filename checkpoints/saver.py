"""LangGraph's savers with what they lack: our errors, and copying and pruning in every one of them.

The serializer is handed in, and is strict: a checkpoint gives back plain values and LangGraph's own,
never an object of a class that the stored bytes name. The state is plain JSON, so nothing is missed.
"""

from collections.abc import Sequence

from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer


def strict_serializer() -> JsonPlusSerializer:
    """The serializer that builds no object but of the types that LangGraph vouches for."""
    return JsonPlusSerializer(allowed_msgpack_modules=None)


class MemorySaver(InMemorySaver):
    """Checkpoints that end with the process."""

    async def acopy_thread(self, source_thread_id: str, target_thread_id: str) -> None:
        """Copy everything of a thread."""
        for namespace, found in list(self.storage.get(source_thread_id, {}).items()):
            self.storage[target_thread_id][namespace] = dict(found)
        for key in [key for key in self.writes if key[0] == source_thread_id]:
            self.writes[target_thread_id, key[1], key[2]] = dict(self.writes[key])
        for key in [key for key in self.blobs if key[0] == source_thread_id]:
            self.blobs[target_thread_id, key[1], key[2], key[3]] = self.blobs[key]

    async def aprune(self, thread_ids: Sequence[str], *, strategy: str = "keep_latest") -> None:
        """Keep the latest checkpoint of each namespace, or with `delete` none."""
        for thread in thread_ids:
            if strategy == "delete":
                self.delete_thread(thread)
            else:
                self._keep_latest(thread)

    def _keep_latest(self, thread: str) -> None:
        for namespace, found in self.storage.get(thread, {}).items():
            latest = max(found)
            checkpoint, metadata, _ = found[latest]
            for gone in found.keys() - {latest}:
                self.writes.pop((thread, namespace, gone), None)
            self.storage[thread][namespace] = {latest: (checkpoint, metadata, None)}
            used = self.serde.loads_typed(checkpoint)["channel_versions"].items()
            for key in [key for key in self.blobs if key[:2] == (thread, namespace)]:
                if key[2:] not in used:
                    del self.blobs[key]
