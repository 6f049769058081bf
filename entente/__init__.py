"""Seven players at one Diplomacy board, run as a compiled LangGraph graph."""

__version__ = "0.1.0"
