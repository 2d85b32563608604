"""One part of each kind that a plugin can add to the workbench."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from html import escape
from typing import Annotated, NamedTuple

from workbench.plugins import (
    Campaign,
    Chart,
    Cutoff,
    FloatArray,
    JudgedRankings,
    Limits,
    OnStep,
    PoolPairs,
    Rankings,
    Rel,
    ScoreTable,
    Sheet,
    analysis,
    candidates,
    chart_of,
    export,
    figure,
    head,
    labels,
    measure,
    prompt,
    reader,
    renderer,
    rendering,
    runs,
    sheet_of,
    strategy,
)

Least = Annotated[int, Limits("how many runs have to agree", least=1)]
AtLeast = Annotated[int, Limits("The least number of documents", least=1)]


@measure("Enough")
def enough(judged: JudgedRankings, *, cutoff: Cutoff, rel: Rel = 1) -> FloatArray:
    """1 if there are two relevant documents among the first k, else 0.

    Formula: 1 if H_k ≥ 2, else 0

    Source: the example.
    """
    return (judged.num_found(rel, cutoff) >= 2).astype(float)


@strategy("agreed")
def pool_agreed(rankings: Rankings, *, depth: Cutoff, least: Least = 2) -> PoolPairs:
    """Every document that at least `least` runs have among their first `depth` for the topic."""
    pool = candidates(rankings.to_depth(depth))
    return pool.take(pool.runs >= least)


@reader(".cards")
def cards(data: bytes, name: str) -> Iterator[dict[str, object]]:
    """Cards: a line "KIND ID TEXT" for each record, topics, documents and ranked documents alike."""
    for line in data.decode().splitlines():
        kind, record, text = line.split(" ", 2)
        if kind == "document":
            yield {"docno": record, "text": text, "media_type": "text/x-card"}
        elif kind == "topic":
            yield {"id": record, "title": text}
        else:
            document, score = text.split()
            yield {"topic_id": record, "document_id": document, "score": float(score), "tag": name}


@renderer("text/x-card")
def card(text: str, *, latex: bool) -> str:
    """A card: its words in italics; what is HTML here is cleaned before a browser gets it."""
    return f"<p><em>{escape(text)}</em></p><script>alert(1)</script>"


@figure("run-lengths", scores=False)
def run_lengths(campaign: Campaign) -> Chart:
    """How many documents each run retrieved, over all topics."""
    import altair as alt

    rows = [each._asdict() for each in _lengths(campaign)]
    drawing = alt.Chart(alt.NamedData("rows")).mark_bar().encode(x="documents:Q", y="run:N")
    return chart_of("run-lengths", "Documents retrieved by each run.", drawing, rows)


class RunLength(NamedTuple):
    """How many documents a run retrieved.

    Attributes:
        run: its tag.
        documents: over all topics.
    """

    run: str
    documents: int


class LongRuns(NamedTuple):
    """The runs that retrieved most.

    Attributes:
        seq: the row of the log.
        runs: the longest first.
    """

    seq: int
    runs: tuple[RunLength, ...]


def _sheet(found: LongRuns) -> Sheet:
    return sheet_of(RunLength, found.runs)


@analysis("long-runs", called="Long runs", sheet=_sheet)
def long_runs(campaign: Campaign, on_step: OnStep, *, least: AtLeast = 1) -> LongRuns:
    """The runs that retrieved at least so many documents."""
    found = [each for each in _lengths(campaign) if each.documents >= least]
    return LongRuns(head(campaign).seq, tuple(sorted(found, key=lambda each: -each.documents)))


@export("positive", title="Relevant pairs", ending="positive.txt")
def positive(campaign: Campaign) -> Iterator[str]:
    """Topic and document of every pair with a grade above 0."""
    for topic_id, documents, grades, *_ in labels.each_topic(campaign):
        for document, grade in zip(documents, grades, strict=True):
            if grade > 0:
                yield f"{topic_id} {document}\n"


@rendering("means")
def as_means(table: ScoreTable) -> Iterator[str]:
    """One line for each run: its name and its values, with blanks between."""
    for row in table.rows:
        yield " ".join([row.tag, *(f"{value:.4f}" for value in row.values)]) + "\n"


@prompt("yes-or-no")
def yes_or_no() -> str:
    """A short prompt for a judge that grades documents."""
    return "Topic: {{title}}\nDocument: {{document}}\nGrades:\n{{scale}}\nAnswer with one grade.\n"


def _lengths(campaign: Campaign) -> list[RunLength]:
    totals = Counter[int]()
    for run, _, length in runs.ranking_lengths(campaign):
        totals[run] += length
    names = {run.run: run.record.tag for run in runs.in_force(campaign)}
    return [RunLength(names[run], total) for run, total in totals.items()]
