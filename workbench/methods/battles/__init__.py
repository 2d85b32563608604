"""Strengths of runs from battles: the Bradley-Terry model with ties and a position effect, and what battles show."""
