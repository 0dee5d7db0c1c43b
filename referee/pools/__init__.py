"""Keep fork servers and sandboxes ready for the next decision."""
