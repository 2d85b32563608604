"""Runs looked at one by one: how they came in, what they brought to the pools, how they compare with the others."""
