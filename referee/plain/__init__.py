"""Run programs that one trusts, on systems without the means of Linux: no limit but time."""
