"""``--cluster``: the same work on other machines; loaded only where somebody asks for it."""
