"""Coins: events, rules, tournament, rulebook and example bots."""
