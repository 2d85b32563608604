"""Topics go into a campaign all or not at all; a topic known already gets the new text."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.sentences import refused
from workbench.campaign.ingest import add_runs, add_topics
from workbench.campaign.new_campaign import new_campaign
from workbench.core.errors import InputError
from workbench.core.extras import missing
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import topics
from workbench.storage.campaign.log import log


def test_the_same_file_again_changes_nothing(small: Campaign, small_file: Path) -> None:
    before = log.head(small)
    added = add_topics(small.by("Olga"), [str(small_file.with_name("topics.tsv"))])
    assert (added.new, added.changed, added.unchanged) == (0, 0, 3)
    assert log.head(small) == before


def test_german_topics_without_their_dictionary_are_added_with_one_sentence_about_it(
    empty: Campaign, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    german, english = tmp_path / "de.jsonl", tmp_path / "en.jsonl"
    german.write_text(
        '{"qid": "1", "title": "Wahl", "lang": "de"}\n{"qid": "2", "title": "Eis", "lang": "de"}\n'
    )
    english.write_text('{"qid": "3", "title": "The ice of the lake"}\n')
    assert add_topics(empty.by("Olga"), [str(german)]).warnings == ()
    monkeypatch.setitem(sys.modules, "simplemma", None)
    assert add_topics(empty.by("Olga"), [str(english)]).warnings == ()
    (warning,) = add_topics(empty.by("Olga"), [str(german), str(english)]).warnings
    assert warning == (str(german), None, missing("simplemma"), "")


@pytest.mark.data
def test_topics_that_runs_count_by_position_are_refused(data_folder: Path, tmp_path: Path) -> None:
    with new_campaign(tmp_path / "c.db", title="C", actor="Olga") as campaign:
        add_runs(campaign.by("Olga"), [str(data_folder / "cranfield/runs/teamC-bm25.txt.gz")])
        with refused(InputError):
            add_topics(campaign.by("Olga"), [str(data_folder / "cranfield/trec-xml/cran.qry.xml")])


@pytest.mark.parametrize(
    ("topics_file", "run_file", "topic_ids"),
    [
        ("topics-colon.txt", "run-colon.txt", ["1", "2", "3", "4"]),
        ("topics-conversations.json", "run-conversations.txt", ["81_1", "81_2"]),
    ],
)
def test_topics_of_the_field_cover_those_of_the_runs_that_were_added_first(
    empty: Campaign, data_folder: Path, topics_file: str, run_file: str, topic_ids: list[str]
) -> None:
    folder = data_folder / "field-cases"
    assert add_runs(empty.by("Olga"), [str(folder / run_file)]).runs
    add_topics(empty.by("Olga"), [str(folder / topics_file)])
    assert topics.topic_ids(empty) == topic_ids
