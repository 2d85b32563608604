"""Text analysis: the terms of a topic in a text of any script, its best passage, and texts that are almost the same."""
