"""Reports: a match or a tournament as one page of HTML that opens from disk."""
