"""Compare a bot with others in pairs of matches, until a sequential test decides."""
