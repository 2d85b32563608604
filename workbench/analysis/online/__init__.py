"""What users did: click metrics of runs, A/B tests, outcomes of interleaving, and leaderboards against them."""
