"""Reports: a match or a tournament as one HTML file that opens from disk."""
