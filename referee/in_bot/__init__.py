"""The programs that run inside a bot's process: the standard library only, and nothing of Koth."""
