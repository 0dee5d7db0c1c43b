"""Runs bots, asks them, and records what they say."""
