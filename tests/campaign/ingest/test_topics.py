"""Topics go into a campaign all or not at all; a topic known already gets the new text."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.sentences import refused, says
from workbench.campaign.ingest import add_runs, add_topics
from workbench.campaign.new_campaign import new_campaign
from workbench.core.errors import InputError
from workbench.formats.topics.fields import FieldChoice
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import topics
from workbench.storage.campaign.log import log


def tsv(path: Path, **titles: str) -> str:
    path.write_text("".join(f"{name[1:]}\t{title}\n" for name, title in titles.items()), encoding="utf-8")
    return str(path)


def test_new_changed_and_unchanged_topics_are_counted(small: Campaign, tmp_path: Path) -> None:
    path = tsv(tmp_path / "t.tsv", _1="frozen rivers", _2="hot lakes", _3="tall trees")
    added = add_topics(small.by("Olga"), [path])
    assert (added.new, added.changed, added.unchanged) == (1, 1, 1)
    versions = {row.topic.topic_id: row.version for row in topics.all_topics(small)}
    assert versions["2"] == versions["3"] == log.newest_seq(small) > versions["1"]


def test_the_same_file_again_changes_nothing(small: Campaign, small_file: Path) -> None:
    before = log.head(small)
    added = add_topics(small.by("Olga"), [str(small_file.with_name("topics.tsv"))])
    assert (added.new, added.changed, added.unchanged) == (0, 0, 3)
    assert log.head(small) == before


def test_a_topic_in_two_files_is_refused_and_nothing_changes(small: Campaign, tmp_path: Path) -> None:
    files = [tsv(tmp_path / "a.tsv", _1="a", _4="b"), tsv(tmp_path / "b.tsv", _4="c")]
    before = log.head(small)
    with pytest.raises(InputError) as error:
        add_topics(small.by("Olga"), files)
    assert says(str(error.value))
    assert log.head(small) == before


def test_all_bad_files_are_reported_at_once(small: Campaign, tmp_path: Path) -> None:
    (tmp_path / "empty.txt").touch()
    with pytest.raises(InputError) as error:
        add_topics(small.by("Olga"), [str(tmp_path / "empty.txt"), str(tmp_path / "missing.txt")])
    assert [Path(problem.file).name for problem in error.value.problems] == ["empty.txt", "missing.txt"]


def test_half_a_character_in_a_topic_is_replaced(small: Campaign, tmp_path: Path) -> None:
    path = tmp_path / "t.json"
    path.write_text(json.dumps([{"id": "4", "title": "half \ud800 a", "note": "\udcff"}]), encoding="ascii")
    add_topics(small.by("Olga"), [str(path)])
    stored = topics.find(small, "4")
    assert stored is not None
    assert (stored.topic.title, dict(stored.topic.fields)) == ("half \ufffd a", {"note": "\ufffd"})


@pytest.mark.data
def test_topics_that_runs_count_by_position_are_refused_with_that_hint(
    data_folder: Path, tmp_path: Path
) -> None:
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


def test_runs_of_turns_go_in_after_topics_by_turn(empty: Campaign, data_folder: Path) -> None:
    folder = data_folder / "field-cases"
    choice = FieldChoice(per_turn=True)
    add_topics(empty.by("Olga"), [str(folder / "topics-conversations.json")], choice=choice)
    add_runs(empty.by("Olga"), [str(folder / "run-conversations.txt")])
    assert topics.topic_ids(empty) == ["81_1", "81_2"]
