"""What effectiveness costs: the Pareto front of scores and costs, and times of queries."""
