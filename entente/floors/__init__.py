"""Floors, which decide who may speak when, and the turns that are played on them.

A floor is one file and one line: `floor.py` says what it has to answer, and settings name each one.
"""
