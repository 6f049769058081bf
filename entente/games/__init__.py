"""Services over whole games: playing, answering, reading, forking and asking, for every front door alike."""
