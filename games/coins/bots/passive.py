"""Does nothing at all, and hopes that the others do worse."""

print("NNN")
