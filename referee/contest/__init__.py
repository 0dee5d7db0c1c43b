"""Contests: enter, revise and withdraw bots, and play the matches that are missing."""
