"""The store's tables as SQLAlchemy sees them; `checkpoints.migrations` is what creates them.

Every key begins with the game, so that a game is copied by inserting its rows again under
another id, and everything is read by game and segment. A `body` is the record's JSON without what
its columns already say.

LangGraph's checkpoints are kept by thread; a thread is a game wherever `games` has its id. Their tables have names
of our own: those of LangGraph's savers may lie in the same Postgres database.
"""

from sqlalchemy import BigInteger, Column, Double, Integer, LargeBinary, MetaData, Table, Text

METADATA = MetaData()

META = Table(
    "meta",
    METADATA,
    Column("key", Text, primary_key=True),
    Column("value", Text, nullable=False),
)

GAMES = Table(
    "games",
    METADATA,
    Column("game", Text, primary_key=True),
    Column("created_at", Double, nullable=False),  # seconds since 1970, UTC
    Column("settings", Text, nullable=False),  # JSON
    Column("phase", Text, nullable=False),
    Column("status", Text, nullable=False),
    Column("forked_from", Text),
    Column("sequence", BigInteger, nullable=False),  # of the latest change of this row
    Column("name", Text),  # what its operator calls it, and has noted of it
    Column("note", Text),
)

UNTRUSTED = Table(  # not of the journal: no file says of its own game whether it is trusted
    "untrusted",
    METADATA,
    Column(
        "game", Text, primary_key=True
    ),  # that was imported, or forked from one that was, and not confirmed
)

DRAFTS = Table(  # not of the journal: what a person has not sent is nobody's but the seat's
    "drafts",
    METADATA,
    Column("game", Text, primary_key=True),
    Column("power", Text, primary_key=True),
    Column("phase", Text, primary_key=True),
    Column("body", Text, nullable=False),
)

EARLY_ANSWERS = Table(  # nor is what the game has not taken yet
    "early_answers",
    METADATA,
    Column("game", Text, primary_key=True),
    Column("power", Text, primary_key=True),
    Column("phase", Text, primary_key=True),
    Column("ask", Text, primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("body", Text, nullable=False),
    Column("is_taken", Integer, nullable=False),  # 0 or 1
)

LINKS = Table(  # not of the journal either: a file of a game lets nobody in
    "links",
    METADATA,
    Column("id", Text, primary_key=True),
    Column("digest", Text, nullable=False),  # of the token's key; neither is kept
    Column("game", Text, nullable=False),  # empty for all games
    Column("role", Text, nullable=False),
    Column("created_at", Double, nullable=False),
    Column("expires_at", Double, nullable=False),
)

SEGMENTS = Table(
    "segments",
    METADATA,
    Column("game", Text, primary_key=True),
    Column("id", Text, primary_key=True),
    Column("position", Integer, nullable=False),  # the order in which they were opened, from 0
    Column("body", Text, nullable=False),
)

TURNS = Table(
    "turns",
    METADATA,
    Column("game", Text, primary_key=True),
    Column("segment", Text, primary_key=True),
    Column("power", Text, primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("body", Text, nullable=False),
    Column("sequence", BigInteger, nullable=False),  # its place in the order of commits
    Column("committed_at", Double),  # seconds since 1970, UTC; none where an older entente noted no time
)

MESSAGES = Table(
    "messages",
    METADATA,
    Column("game", Text, primary_key=True),
    Column("segment", Text, primary_key=True),
    Column("power", Text, primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("position", Integer, primary_key=True),  # within the turn, from 0
    Column("body", Text, nullable=False),
)

PHASES = Table(
    "phases",
    METADATA,
    Column("game", Text, primary_key=True),
    Column("id", Text, primary_key=True),
    Column("parent", Text),
    Column("body", Text, nullable=False),
    Column("sequence", BigInteger, nullable=False),
    Column("committed_at", Double),
)

REPLIES = Table(
    "replies",
    METADATA,
    Column("game", Text, primary_key=True),
    Column("segment", Text, primary_key=True),
    Column("digest", Text, primary_key=True),  # of the request
    Column("body", Text, nullable=False),
)

WORDS = Table(  # of the crew
    "words",
    METADATA,
    Column("game", Text, primary_key=True),
    Column("id", Text, primary_key=True),
    Column("history", Text),  # the phase after which they were said; none before the first is over
    Column("session", Text, nullable=False),  # the talk that they are part of; empty where a phase is told
    Column("body", Text, nullable=False),
    Column("sequence", BigInteger, nullable=False),
    Column("committed_at", Double),
)

PROMPTS = Table(  # parts of prompts as they were sent: `entente.models.sent`
    "prompts",
    METADATA,
    Column("game", Text, primary_key=True),
    Column("digest", Text, primary_key=True),
    Column("parent", Text),  # the digest of the part before
    Column("body", Text, nullable=False),
)

COMMIT_ORDER = Table(  # one row
    "commit_order",
    METADATA,
    Column("last", BigInteger, nullable=False),  # the highest number that was ever given out
)

LEASES = Table(
    "leases",
    METADATA,
    Column("game", Text, primary_key=True),
    Column("token", Text, nullable=False),
    Column("machine", Text, nullable=False),  # where process numbers can be compared
    Column("host", Text, nullable=False),
    Column("pid", Integer, nullable=False),
    Column("started", Text, nullable=False),  # tells a process from a later one of the same number
    Column("command", Text, nullable=False),
    Column("acquired_at", Double, nullable=False),
    Column("expires_at", Double, nullable=False),
)

CHECKPOINTS = Table(
    "thread_checkpoints",
    METADATA,
    Column("thread", Text, primary_key=True),
    Column("namespace", Text, primary_key=True),  # empty, or that of a graph within the graph
    Column("id", Text, primary_key=True),  # later ones sort behind earlier ones
    Column("parent", Text),
    Column("run", Text),  # of LangGraph's server, which can roll back what one of its runs has written
    Column("kind", Text, nullable=False),  # how the serializer has packed the body
    Column(
        "body", LargeBinary, nullable=False
    ),  # the checkpoint, without the values that have rows of their own
    Column("metadata", Text, nullable=False),  # JSON
)

VALUES = Table(
    "thread_values",
    METADATA,
    Column("thread", Text, primary_key=True),
    Column("namespace", Text, primary_key=True),
    Column("version", Text, primary_key=True),
    Column("channel", Text, primary_key=True),
    Column("kind", Text, nullable=False),
    Column("value", LargeBinary, nullable=False),
)

WRITES = Table(
    "thread_writes",
    METADATA,
    Column("thread", Text, primary_key=True),
    Column("namespace", Text, primary_key=True),
    Column("checkpoint", Text, primary_key=True),
    Column("task", Text, primary_key=True),
    Column("position", Integer, primary_key=True),
    Column("path", Text, nullable=False),  # of the task, by which LangGraph orders the writes of several
    Column("run", Text),
    Column("channel", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("value", LargeBinary, nullable=False),
)

HISTORY = (SEGMENTS, TURNS, MESSAGES, PHASES, REPLIES, WORDS, PROMPTS)
"""What the journal has of a game beside its row in `games`."""

NUMBERED = (TURNS, PHASES, WORDS)
"""What has a place in the order of commits beside the game's own row."""

THREAD = (CHECKPOINTS, VALUES, WRITES)
"""What a thread consists of."""
