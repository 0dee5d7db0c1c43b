"""Prove from its source that a class bot may share a process with its other matches."""
