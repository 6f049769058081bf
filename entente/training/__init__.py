"""entente as an environment for reinforcement learning: episodes, their record, rewards, and exporters to trainers.

Nothing here decides anything in a game: what is trained on is derived from the journal.
"""
