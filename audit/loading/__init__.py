"""Load logs into DuckDB tables."""
