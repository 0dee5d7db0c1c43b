"""The errors of the audit."""

from __future__ import annotations

from schema.errors import KothError


class AuditError(KothError):
    """Something that the audit cannot do; the message says what and what to do."""

    multiline = True


class QueryError(AuditError):
    """A query that DuckDB refuses."""

    exit_code = 2
