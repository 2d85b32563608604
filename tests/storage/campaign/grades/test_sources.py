"""Where labels come from: each row's source class, whose labels count before whose, and files of before."""

from __future__ import annotations

import sqlite3
from typing import Any

import pytest

from tests.log_rows import row, rows_of_the_chain
from workbench.core.errors import CampaignError
from workbench.core.records import KINDS, Judgment
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.counts.progress import progress_by_topic
from workbench.storage.campaign.grades import judgments, labels
from workbench.storage.campaign.grades.adjudications import disputes
from workbench.storage.campaign.grades.label_rules import LABEL_RULES
from workbench.storage.campaign.grades.sources import precedence_at
from workbench.storage.campaign.log import log
from workbench.storage.campaign.log.log import next_hash
from workbench.storage.campaign.organising import settings

CLASS_OF = {
    "grade": "assessor",
    "can't tell": "assessor",
    "cleared": "assessor",
    "repeat": "assessor",
    "second look": "assessor",
    "norming": "assessor",
    "adjudication": "adjudicator",
    "import": "import",
    "model": "model",
}


def append(campaign: Campaign, *rows: Judgment) -> None:
    with campaign.write():
        log.append_judgments(campaign, rows)


def choose(campaign: Campaign, **chosen: Any) -> None:
    with campaign.write():
        settings.change(campaign.by("Olga"), chosen)


def label(campaign: Campaign, as_of: int | None = None) -> int | None:
    return {one.pair: one.grade for one in labels.qrels(campaign.at(as_of))}.get(("1", "d1"))


def in_every_way(campaign: Campaign) -> set[int | None]:
    """The label of topic 1's d1, asked for in all ways there are."""
    in_view = {
        (topic, document): grade for topic, document, grade in judgments.each_of_view_of_qrels(campaign)
    }
    of_topic = labels.grades_of_topic(campaign, "1").get("d1")
    return {label(campaign), labels.label_of(campaign, "1", "d1"), of_topic, in_view.get(("1", "d1"))}


def test_every_row_has_the_source_class_of_its_kind(small: Campaign) -> None:
    without = {"can't tell", "cleared"}
    append(small, *(row(kind, "1", "d1", None if kind in without else 1, kind=kind) for kind in CLASS_OF))
    rows = small.db.execute("SELECT kind, source_class FROM judgment").fetchall()
    assert dict(rows) == CLASS_OF
    assert set(CLASS_OF) == set(KINDS)


def test_a_source_class_can_neither_be_written_nor_changed(small: Campaign) -> None:
    append(small, row("gpt", "1", "d1", 1, kind="model"))
    connection = sqlite3.connect(small.path)
    with pytest.raises(sqlite3.OperationalError, match="generated column"):
        connection.execute("UPDATE judgment SET source_class = 'assessor'")
    with pytest.raises(sqlite3.IntegrityError, match="append-only"):
        connection.execute("UPDATE judgment SET kind = 'grade'")
    connection.close()


def test_the_hash_of_a_row_covers_its_source(small: Campaign) -> None:
    before = log.head(small).hash
    append(small, row("gpt", "1", "d1", 1, kind="model"))
    (stored,) = [each for each in rows_of_the_chain(small) if each.table == "judgment"]
    place = Judgment._fields.index("kind")
    as_a_person = (*stored.row[:place], "import", *stored.row[place + 1 :])
    assert next_hash(before, "judgment", stored.row) == stored.hash
    assert next_hash(before, "judgment", as_a_person) != stored.hash


@pytest.mark.parametrize("rule", LABEL_RULES)
def test_what_was_judged_here_counts_before_what_was_imported_whichever_is_newer(
    small: Campaign, rule: str
) -> None:
    choose(small, label_rule=rule)
    append(small, row("NIST", "1", "d1", 0, kind="import"))
    assert in_every_way(small) == {0}
    append(small, row("Ann", "1", "d1", 2))
    assert in_every_way(small) == {2}
    append(small, row("LDC", "1", "d1", 1, kind="import"))
    assert in_every_way(small) == {2}
    append(small, row("Ann", "1", "d1", None, kind="cleared"))
    assert in_every_way(small) == {
        1 if rule in {"newest", "owner", "adjudicated first", "most lenient"} else 0
    }


def test_a_models_label_counts_only_once_the_log_says_so_and_only_in_gaps(small: Campaign) -> None:
    append(small, row("gpt", "1", "d1", 2, kind="model"))
    then = log.newest_seq(small)
    assert in_every_way(small) == {None}
    choose(small, model_labels="gaps")
    assert in_every_way(small) == {2}
    assert label(small, then) is None
    append(small, row("NIST", "1", "d1", 1, kind="import"))
    assert in_every_way(small) == {1}
    append(small, row("Ann", "1", "d1", 0), row("gpt", "1", "d1", 1, kind="model"))
    assert in_every_way(small) == {0}


def test_a_model_named_like_an_assessor_is_not_that_person(small: Campaign) -> None:
    choose(small, model_labels="gaps")
    append(small, row("Ann", "1", "d1", 2), row("Ann", "1", "d1", 0, kind="model"))
    assert in_every_way(small) == {2}
    append(small, row("Ann", "1", "d1", None, kind="cleared"))
    assert in_every_way(small) == {0}


def test_a_pair_that_only_a_model_labelled_is_not_judged(small: Campaign) -> None:
    choose(small, model_labels="gaps")
    append(small, row("gpt", "1", "d1", 2, kind="model"), row("other", "1", "d1", 0, kind="model"))
    assert not judgments.stands(small, "1", "d1")
    assert {each.topic_id: each.judged for each in progress_by_topic(small, "Ann")}["1"] == 0
    assert [each.document_id for each in disputes(small, "1")] == []


def test_a_pair_of_which_nobody_could_tell_may_have_a_models_label(small: Campaign) -> None:
    append(small, row("Ann", "1", "d1", None, kind="can't tell"), row("gpt", "1", "d1", 2, kind="model"))
    assert judgments.without_grade(small) == {("1", "d1")}
    choose(small, model_labels="gaps")
    assert judgments.without_grade(small) == set()


def test_the_view_of_models_has_the_newest_label_of_each(small: Campaign) -> None:
    append(small, *(row("gpt", "1", "d1", grade, kind="model") for grade in (2, 0)))
    assert small.db.execute(
        "SELECT topic, document, name, grade FROM model_label JOIN person ON id = model"
    ).fetchall() == [("1", "d1", "gpt", 0)]


@pytest.mark.parametrize("unknown", ["first", None, 3, ["gaps"]])
def test_a_choice_of_a_later_workbench_is_refused(small: Campaign, unknown: Any) -> None:
    choose(small, imported_labels=unknown)
    for as_of in (None, log.newest_seq(small)):
        with pytest.raises(CampaignError, match="update it"):
            precedence_at(small.at(as_of))
