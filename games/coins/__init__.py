"""Coins: rules, tournament, rulebook and example bots."""
