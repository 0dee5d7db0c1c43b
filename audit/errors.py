"""The errors of the audit."""

from __future__ import annotations

from schema.errors import KothError


class AuditError(KothError):
    """Raised when an audit or a query fails; the message says why and what to do."""

    multiline = True


class QueryError(AuditError):
    """Raised when a query is refused."""

    exit_code = 2
