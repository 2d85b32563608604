"""Scores from a model's labels of all candidates, corrected by people's labels of a probability sample of them."""
