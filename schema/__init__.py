"""The log format: events, canonical bytes, strict reading, seals, dice, and the registry of games."""
