"""Start bots as processes, keep them warm, and measure what they use."""
