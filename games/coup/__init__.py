"""Coup for two: events, rules, tournament, rulebook and example bots."""
