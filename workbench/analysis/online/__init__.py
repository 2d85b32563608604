"""Leaderboards against what users did."""
