"""Assessors as the organiser sees them, and as they see themselves: how fast they judge, how their grades compare with
those that others gave the same pairs, how that changes over time, and what stands out.
"""
