"""The made task of three rounds as files of NIST's layout, with the scores that plain Python gives."""

from __future__ import annotations

from collections.abc import Mapping
from math import log2
from pathlib import Path

from tests.conftest import write_run
from tests.three_rounds import CHANGED, ROUNDS, Grades

Values = dict[str, float]


def write_made_task(folder: Path) -> Path:
    """Write runs, qrels and official scores of the rounds as benchmarks/trec_covid.py reads them; the folder."""
    for name, data in ROUNDS.items():
        archive, results = folder / "archive" / f"round{name}", folder / f"round{name}"
        for made in (archive, results, folder / "data"):
            made.mkdir(parents=True, exist_ok=True)
        # A pair that was judged before counts by its first round.
        own = {pair: grade for pair, grade in data.grades.items() if name == "1" or pair != CHANGED}
        lines = [f"{topic_id} 0 {document_id} {grade}\n" for (topic_id, document_id), grade in own.items()]
        qrels = folder / "data" / f"qrels-covid_d{name}_j{int(name) - 0.5:g}-{name}.txt"
        qrels.write_text("".join(lines), encoding="utf-8")
        text = ""
        for tag, run in data.runs.items():
            write_run(archive / tag, tag, run)
            cells = (
                f"\t{measure}\t\tall\t{round(value, 4):g}\n" for measure, value in means(run, own).items()
            )
            text += f"#### {tag} \n\t```\n{''.join(cells)}\n\t```\n---\n"
        (results / "results.md").write_text(text, encoding="utf-8")
    return folder


def means(run: Mapping[str, str], grades: Grades) -> Values:
    """The means of a run over the judged topics, by the official names of the measures."""
    found = [
        scores(run.get(each, "").split(), of_topic(grades, each)) for each in sorted({t for t, _ in grades})
    ]
    return {name: sum(one[name] for one in found) / len(found) for name in found[0]}


def of_topic(grades: Grades, topic_id: str) -> dict[str, int]:
    """The grades of one topic by document."""
    return {document_id: grade for (topic, document_id), grade in grades.items() if topic == topic_id}


def scores(ranking: list[str], grades: Mapping[str, int]) -> Values:
    """One ranking by the grades of its topic, by the formulas; a topic without a relevant document scores 0."""
    gains = [max(grades.get(document_id, 0), 0) for document_id in ranking]
    hits = [gain > 0 for gain in gains]
    relevant = sum(grade > 0 for grade in grades.values())
    nonrelevant = len(grades) - relevant
    return {
        "map": sum(sum(hits[: rank + 1]) / (rank + 1) for rank, hit in enumerate(hits) if hit)
        / max(relevant, 1),
        "P_5": sum(hits[:5]) / 5,
        "P_20": sum(hits[:20]) / 20,
        "ndcg_20": dcg(gains[:20]) / (dcg(sorted(grades.values(), reverse=True)[:20]) or 1),
        "bpref": bpref(ranking, grades, relevant, nonrelevant),
        "rbp_p5": sum(0.5 * 0.5**rank * gain for rank, gain in enumerate(gains)) / max(1, *grades.values()),
    }


def dcg(gains: list[int]) -> float:
    """The discounted gain of these places."""
    return sum(gain / log2(rank + 2) for rank, gain in enumerate(gains))


def bpref(ranking: list[str], grades: Mapping[str, int], relevant: int, nonrelevant: int) -> float:
    """Of each relevant document found, how few judged nonrelevant ones are above it."""
    found, above, least = 0.0, 0, min(relevant, nonrelevant)
    for document_id in ranking:
        if grades.get(document_id, -1) > 0:
            found += 1 - min(above, least) / least if above else 1
        elif document_id in grades:
            above += 1
    return found / max(relevant, 1)
