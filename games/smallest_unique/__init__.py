"""Smallest Unique Number: rules, tournament, rulebook and example bots."""
