"""Measurements of speed and strength, run by hand and written down in docs."""
