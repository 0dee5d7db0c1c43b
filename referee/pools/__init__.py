"""Keep helpers, interpreters and sandboxes ready for the next decision."""
