"""A folder that any web server can serve, in which two tools run: verify a log, ask in SQL."""
