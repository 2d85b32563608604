"""Pooling, relevance assessment and live scoring for information-retrieval evaluation."""

__version__ = "0.1.0"
