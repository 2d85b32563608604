"""The pages of runs, topics, comparisons and figures."""
