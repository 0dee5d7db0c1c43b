"""A log in a terminal, event by event. The library for that is imported by ``app`` alone."""
