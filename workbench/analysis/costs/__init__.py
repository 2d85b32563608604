"""What the scores of runs cost, and how recent what they find is."""
