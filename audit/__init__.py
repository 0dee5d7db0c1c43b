"""SQL over logs: tables, rule checks, leaderboards."""
