"""How long a test waits for what never comes."""

PATIENCE = 60.0
"""Seconds; only a test that fails takes them, so they are many on a quick machine and enough on a slow one."""
