"""Coup for two players."""
