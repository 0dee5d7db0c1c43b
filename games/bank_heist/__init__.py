"""Bank Heist: rules, tournament, rulebook and example bots."""
