"""The seam to language models: what is asked of one, what comes back, and what it cost."""
