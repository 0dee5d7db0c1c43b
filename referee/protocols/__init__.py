"""Call bots: by arguments, by a history file, or as a class."""
