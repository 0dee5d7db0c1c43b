"""Smallest Unique Number: events, rules, tournament, rulebook and example bots."""
