"""Bank Heist: events, rules, tournament, rulebook and example bots."""
