"""Continuous active learning: documents whose words decide, and the regression against another solver."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.sparse import csr_array

from tests.methods.pooling.tables import texts_of
from workbench.core.ranking import FloatArray
from workbench.methods.pooling.adaptive import adaptive_sequence, batch_after
from workbench.methods.pooling.chance import OTHERS, other_documents
from workbench.methods.pooling.strategies import active_learning as module
from workbench.methods.pooling.strategies.active_learning import active_learning
from workbench.methods.pooling.topic_table import Seen, TopicTable, TopicTexts
from workbench.methods.text.tf_idf import word_vectors

CANDIDATES = {
    "bread": "butter and bread",
    "flood": "rivers flood in spring",
    "frost": "rivers under ice this winter",
    "skates": "skates for ice or winter",
}
OTHERS_OF_TOPIC = [f"star{number} road{number} tea" for number in range(100)]


def table_with(texts: dict[str, str | None], topic: str = "frozen rivers") -> TopicTable:
    """A table of one run that has the documents in this order."""
    matrix = word_vectors([topic, *(text or "" for text in texts.values()), *OTHERS_OF_TOPIC]).matrix
    n = len(texts)
    there = np.array([text is not None for text in texts.values()])
    found = TopicTexts(matrix[1 : 1 + n], matrix[:1], matrix[1 + n :], there, "")
    rank = np.arange(1, n + 1, dtype=np.int32)[None, :]
    return TopicTable(np.arange(n, dtype=np.uint32), rank, None, n, None, "1", list(texts), texts=found)


def first(table: TopicTable, **judged: bool) -> str:
    """The best document that is not judged; what is judged, and whether it is relevant."""
    places = [table.document_id.index(name) for name in judged]
    is_judged, relevant = np.zeros(len(table), np.bool_), np.zeros(len(table), np.bool_)
    is_judged[places], relevant[places] = True, list(judged.values())
    scores = active_learning(table, Seen(is_judged, relevant, np.array(places, np.int64)))
    return table.document_id[int(np.where(is_judged, -np.inf, scores).argmax())]


def test_the_words_of_the_topic_decide_first_and_then_those_of_what_is_judged() -> None:
    assert first(table_with(CANDIDATES)) == "flood"  # of fewer words than the other with "rivers"
    table = table_with(CANDIDATES)
    assert first(table, frost=True, flood=False) == "skates"
    assert first(table, frost=False, flood=True) == "bread"
    assert first(table, skates=False) == "flood"


def test_documents_without_texts_come_last_and_without_words_are_no_error() -> None:
    texts: dict[str, str | None] = {"a": None, "b": None, **CANDIDATES}
    sequence = adaptive_sequence(active_learning, table_with(texts), np.zeros(6, np.bool_), grows=True)
    assert [list(texts)[place] for place in sequence[-2:]] == ["a", "b"]
    texts: dict[str, str | None] = {"none": None, "empty": "", **CANDIDATES}
    table = table_with(texts)
    scores = active_learning(table, Seen.nothing(6))
    assert scores[1] > scores[0]
    matrix = word_vectors(["rivers", "rivers"]).matrix
    texts = TopicTexts(matrix[1:], matrix[:1], csr_array((0, 1)), np.ones(1, np.bool_), "")
    table = TopicTable(np.zeros(1, np.uint32), np.ones((1, 1), np.int32), None, 1, texts=texts)
    assert np.isfinite(active_learning(table, Seen.nothing(1))).all()
    with pytest.raises(ValueError, match="needs the texts"):
        active_learning(replace(table_with(CANDIDATES), texts=None), Seen.nothing(4))


@pytest.mark.parametrize("seed", range(5))
def test_the_regression_is_the_one_that_another_solver_finds(seed: int) -> None:
    texts = texts_of(30, seed)
    relevant = (np.random.default_rng(seed).random(30) < 0.3).astype(np.float64)
    relevant[:2] = 1, 0
    found = module._scores(texts.candidates, relevant, texts.others)
    trained, sign = texts.candidates.toarray(), 2 * relevant - 1
    weight = np.where(relevant > 0, (1 - relevant).sum() / relevant.sum(), 1.0)

    def loss(w: FloatArray) -> float:
        losses = np.logaddexp(0, -sign * (trained @ w[:-1] + w[-1]))
        return float(w @ w / 2 + weight @ losses)

    w = minimize(loss, np.zeros(trained.shape[1] + 1), tol=1e-12).x
    assert found == pytest.approx(texts.others @ w[:-1] + w[-1], abs=1e-4)


def test_batches_grow_and_sums_in_another_order_choose_the_same() -> None:
    texts, rng = texts_of(40, 7), np.random.default_rng(7)
    relevant = (rng.random(40) < 0.3).astype(np.float64)
    rows, columns = rng.permutation(40), rng.permutation(texts.candidates.shape[1])
    one = module._scores(texts.candidates, relevant, texts.candidates)
    other = module._scores(texts.candidates[rows][:, columns], relevant[rows], texts.candidates[:, columns])
    assert np.abs(one - other).max() < 1e-9  # a thousandth of the last digit that counts
    assert np.round(one, module.DIGITS).tolist() == np.round(other, module.DIGITS).tolist()
    sizes, chosen = [], 0
    for _ in range(16):
        sizes.append(batch_after(chosen, 1, grows=True))
        chosen += sizes[-1]
    assert sizes == [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 21]
    assert [batch_after(number, 5, grows=True) for number in (0, 4, 5, 10, 11)] == [5, 5, 6, 6, 7]
    assert [batch_after(number, 5, grows=False) for number in (0, 5, 500)] == [5, 5, 5]


def test_other_documents_are_no_candidates_of_the_topic_and_at_most_so_many() -> None:
    table = table_with(CANDIDATES)
    every = sorted([*CANDIDATES, *(f"d{number}" for number in range(500))])
    drawn = other_documents(table, every)
    assert (len(drawn), len(set(drawn)), set(drawn).isdisjoint(CANDIDATES)) == (OTHERS, OTHERS, True)
    assert drawn == other_documents(table, every)
    # An audit chooses again what was chosen years ago.
    assert drawn[:6] == ["d321", "d21", "d450", "d467", "d36", "d192"]
    assert other_documents(table, sorted(CANDIDATES)) == []
