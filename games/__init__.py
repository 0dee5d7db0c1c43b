"""The games: each package has events, rules, a tournament, a rulebook, a card and example bots."""
