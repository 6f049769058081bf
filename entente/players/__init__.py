"""Who decides for a power: the seam, its words, and the players that need no model."""
