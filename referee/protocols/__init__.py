"""Call bots: by arguments, by a history file, as a class, or line by line."""
