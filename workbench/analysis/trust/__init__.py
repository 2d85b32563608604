"""Can the order of runs be trusted yet: bounds, intervals, and which pairs of runs are decided.

Bounds: what scores and their differences can still become, whatever the rest of the pool turns out to be; a pair that
none of it can swap is certain. Intervals: what other topics would show. Decisions: pairs that judgments in a random
order decide, wrong with at most a stated risk.
"""
