"""Find the bots of a match or tournament, read their files and seat them."""
