"""Where games are kept: LangGraph's checkpoints, the journal of turns, leases, and the library over them.

Start at `checkpoints.store.open_store`. Nothing here knows how a game is played.
"""
