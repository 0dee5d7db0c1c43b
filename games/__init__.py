"""The games: for each its rules as a pure generator, its rulebook, its card and example bots."""
