"""What a game is and how it flows. Imports nothing, or `nodes` and `graph` would run in a circle."""
