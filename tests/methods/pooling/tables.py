"""Tables of a topic's rankings, and labels, as hypothesis draws them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from workbench.methods.pooling.topic_table import TopicTable, TopicTexts
from workbench.methods.text.tf_idf import word_vectors

DEEPEST = 6


@st.composite
def tables(draw: st.DrawFn) -> TopicTable:
    """Up to five runs of up to six documents each, of nine in all; some runs may have none."""
    runs = draw(
        st.lists(st.lists(st.integers(0, 8), unique=True, max_size=DEEPEST), min_size=1, max_size=5).filter(
            any
        )
    )
    documents = sorted({document for run in runs for document in run})
    rank = np.zeros((len(runs), len(documents)), np.int32)
    for number, run in enumerate(runs):
        rank[number, [documents.index(document) for document in run]] = np.arange(1, len(run) + 1)
    texts = texts_of(len(documents), draw(st.integers(0, 99)))
    return TopicTable(np.array(documents, np.uint32), rank, None, DEEPEST, texts=texts)


def texts_of(n: int, seed: int) -> TopicTexts:
    """Texts of up to four of six words for n candidates, of which some have none, and for three other documents."""
    rng = np.random.default_rng(seed)
    texts = [" ".join(rng.choice(list("abcdef"), rng.integers(0, 5))) for _ in range(1 + n + 3)]
    matrix = word_vectors(texts).matrix
    return TopicTexts(matrix[1 : 1 + n], matrix[:1], matrix[1 + n :], rng.random(n) < 0.8, str(seed))


def labels_of(data: st.DataObject, table: TopicTable) -> NDArray[np.bool_]:
    """Whether each candidate is relevant."""
    n = len(table)
    return np.array(data.draw(st.lists(st.booleans(), min_size=n, max_size=n)), np.bool_)


def fresh(table: TopicTable) -> TopicTable:
    """The same table without what is kept with it."""
    return replace(table)
