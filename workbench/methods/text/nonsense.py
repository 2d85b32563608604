"""Texts without sense that repeat the words of a query among common words: a judge should find nothing in them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np


def nonsense(
    query: Sequence[str], common: Sequence[str], *, length: int, share: float, rng: np.random.Generator
) -> str:
    """So many words, shuffled, of which a share repeats the query's and all others are common words, drawn at random.

    Without words of the query, or a share of 0, all are common ones; without common words all are the query's.

    Source: M. Alaofi, P. Thomas, F. Scholer and M. Sanderson, LLMs can be fooled into labelling a document as relevant,
    2024 (arXiv 2501.17969).
    """
    from_query = round(length * share) if common else length
    repeated = [query[place % len(query)] for place in range(from_query)] if query else []
    others = rng.choice(len(common), length - len(repeated)) if common else ()
    words = [*repeated, *(common[place] for place in others)]
    return " ".join(words[place] for place in rng.permutation(len(words)))
