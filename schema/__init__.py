"""The log format: events, bytes, strict reading, seals, dice, and the registry of games."""
