"""One file a node of the graph. Imports nothing, or `nodes` and `graph` would run in a circle."""
