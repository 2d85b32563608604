"""Statistics of comparisons: pure functions of scores by topic, without files, clock or unseeded chance.

Random procedures take a generator (`rng`), give p = (c + 1) / (B + 1), and say B.
"""
