"""Units of answers come out of a bundle as they are pooled and judged, whatever of their runs it holds."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from tests.asked_answers import add_answers, put_bank
from tests.found_wrong import wrong
from tests.judged_pairs import judge_as
from tests.made_answers import REEFS, YEARS, answer
from tests.release.bundle.test_importing import changed
from workbench.campaign import assigning
from workbench.campaign.assessing import queue
from workbench.campaign.content_changes import withdraw_runs
from workbench.campaign.ingest import add_runs
from workbench.campaign.pools.making import add_pool
from workbench.campaign.questions import USUAL, declare
from workbench.core.about import CITATIONS, NUGGETS, SPANS
from workbench.formats.answers.banks import Nugget, Reference
from workbench.release.bundle.importing import import_bundle
from workbench.release.bundle.writing import BundleOptions, save_bundle
from workbench.storage.campaign import Campaign, open_campaign
from workbench.storage.campaign.assigning import draws
from workbench.storage.campaign.collection import documents, pools, units
from workbench.storage.campaign.grades import labels

OLD, NEW = Nugget("recovery takes years", importance="vital"), Nugget("recovery takes decades")


@pytest.fixture
def judged(small: Campaign) -> Campaign:
    """Units of two runs, of which one is withdrawn, and of a nugget that changed; each was judged and drawn before."""
    add_answers(small, answer("1", ("Reefs recover.", [0]), run="one", cites=(REEFS,)))
    add_answers(small, answer("1", ("Nobody knows.", [0]), run="two", cites=(YEARS,)))
    put_bank(small, OLD)
    assigning.choose_who_judges(small.by("Olga"), "assigned")
    for question in (USUAL[CITATIONS], USUAL[NUGGETS]):
        declare(small.by("Olga"), question)
        asked, topic_id = small.asking(question.name), f"1!{question.name}"
        add_pool(asked.by("Olga"), depth=10)
        assigning.spread(asked.by("Olga"), ["Ann"])
        assigning.draw_double(asked.by("Olga"), 1.0, 7, assessors=["Ben"])
        for item in queue(asked, topic_id, "Ann"):
            judge_as(asked, "Ann", topic_id, item.document_id, 2)
    withdraw_runs(small.by("Olga"), ["two"])
    put_bank(small, NEW)
    add_pool(small.asking("nuggets").by("Olga"), depth=10)
    return small


def state(campaign: Campaign, name: str) -> dict[str, object]:
    """What a question has: labels, pooled pairs with whether they are judged, and the pairs that were drawn."""
    asked = campaign.asking(name)
    return {
        "labels": [label[1:] for label in labels.qrels(asked)],
        "pooled": pools.all_pairs(asked),
        "drawn": [draw.drawn for draw in draws.all_draws(asked)],
    }


def test_units_that_no_answer_has_any_more_are_as_little_pooled_as_they_were(
    judged: Campaign, tmp_path: Path
) -> None:
    path = save_bundle(judged, tmp_path / "small.zip", options=BundleOptions(runs=True)).path
    assert import_bundle(path, tmp_path / "again.db", actor="Olga").same_scores
    with open_campaign(tmp_path / "again.db") as again:
        for name in ("support", "nuggets"):
            assert state(again, name) == state(judged, name)
            assert len(pools.all_pairs(again.asking(name))) == 1
        assert wrong(again) == []


def test_a_bundle_without_runs_brings_the_labels_of_units_whose_texts_nobody_knows(
    judged: Campaign, tmp_path: Path
) -> None:
    path = save_bundle(judged, tmp_path / "small.zip").path
    import_bundle(path, tmp_path / "again.db", actor="Olga")
    with open_campaign(tmp_path / "again.db") as again:
        for name in ("support", "nuggets"):
            assert state(again, name)["labels"] == state(judged, name)["labels"] != []
        assert wrong(again) == []


def test_runs_that_are_added_to_it_are_judged_and_bring_the_texts_of_what_they_say(
    judged: Campaign, tmp_path: Path
) -> None:
    path = save_bundle(judged, tmp_path / "small.zip").path
    import_bundle(path, tmp_path / "again.db", actor="Olga")
    with open_campaign(tmp_path / "again.db") as again:
        asked = again.asking("support")
        add_answers(again, answer("1", ("Algae grow.", [0]), run="new", cites=(REEFS,)))
        add_pool(asked.by("Olga"), depth=10)
        assert len(queue(asked, "1!support", "Ann")) == 1
        assert wrong(again) == []
        add_answers(again, answer("1", ("Reefs recover.", [0]), run="one", cites=(REEFS,)))
        assert len(queue(asked, "1!support", "Ann")) == 2
        assert wrong(again) == []


def test_a_run_of_documents_that_is_added_to_it_brings_the_texts_of_spans(
    small: Campaign, tmp_path: Path
) -> None:
    ranked = tmp_path / "ranked.run"
    ranked.write_text(f"1 Q0 {REEFS} 1 9 ranked\n")
    add_runs(small.by("Olga"), [str(ranked)])
    put_bank(small, Nugget("Reefs take decades", references=(Reference(REEFS, (0, 5)),)))
    declare(small.by("Olga"), USUAL[SPANS])
    add_pool(small.asking("spans").by("Olga"), depth=10)
    (span,) = units.of_topic(small, "1!spans").units
    path = save_bundle(small, tmp_path / "small.zip").path
    import_bundle(path, tmp_path / "again.db", actor="Olga")
    with open_campaign(tmp_path / "again.db") as again:
        assert documents.find(again, span.unit_id) is None
        add_runs(again.by("Olga"), [str(ranked)])
        stored = documents.find(again, span.unit_id)
        assert stored is not None
        assert stored.document.text == "Reefs take decades"


def test_scores_by_a_question_are_in_the_bundle_and_are_compared(judged: Campaign, tmp_path: Path) -> None:
    path = save_bundle(judged, tmp_path / "small.zip", options=BundleOptions(runs=True)).path
    with zipfile.ZipFile(path) as archive:
        (name,) = (each for each in archive.namelist() if each.endswith("scores/of-nuggets/board.csv"))
        board = archive.read(name).decode()
    assert [line.partition(",")[0] for line in board.splitlines()] == ["run", "one"]
    other = changed(path, "scores/of-nuggets/board.csv", lambda text: text.replace(b"one,", b"one,7"))
    assert import_bundle(other, tmp_path / "again.db", actor="Olga").same_scores is False
