"""Pools: planning, making, choosing and retiring them."""
