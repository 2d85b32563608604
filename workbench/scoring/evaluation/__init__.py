"""Evaluation: from files of runs and qrels to printed values, without a campaign."""
