"""Exit codes that no error of :mod:`schema.errors` has."""

FAILED = 4
INTERRUPTED = 130
