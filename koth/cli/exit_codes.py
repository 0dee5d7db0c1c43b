"""Exit codes of the command itself. Errors have their own, in :mod:`schema.errors`."""

FAILED = 4
INTERRUPTED = 130
