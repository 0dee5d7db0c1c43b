"""Programs that run inside a bot's process. They import the standard library only."""
