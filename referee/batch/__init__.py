"""Play many matches of class bots together."""
