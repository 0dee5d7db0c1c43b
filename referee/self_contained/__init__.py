"""Prove from its source that the matches of a class bot, or the decisions of a script, may share
a process.
"""
