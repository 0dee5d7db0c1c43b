"""The terminal viewer of ``koth watch``: steps through the events of a log."""
