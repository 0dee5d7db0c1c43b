"""Old results as imported logs: what was seen, with no seed and nothing to re-run.

A module a format: each reads its files to the last line before anything is written.
"""
