"""Sign checkpoints of tournaments, and verify them."""
