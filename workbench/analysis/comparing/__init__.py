"""Comparing: runs with runs, leaderboards with leaderboards, and what a number of topics can show."""
