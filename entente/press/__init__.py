"""Press: messages, who may read them, and what was committed in them."""
