"""Imported qrels enter the judgment log, all or nothing, and mark what is outside the pool."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.judged_pairs import judge_as
from tests.sentences import refused, says
from workbench.campaign.ingest import add_documents, add_qrels
from workbench.campaign.new_campaign import new_campaign
from workbench.core.errors import CampaignError, InputError
from workbench.formats.run_repairs import Repairs
from workbench.release.export import export_qrels
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import topics
from workbench.storage.campaign.log import log


def qrels(path: Path, *lines: str) -> str:
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return str(path)


def in_force(campaign: Campaign) -> dict[tuple[str, str], int]:
    return {(row.topic_id, row.document_id): row.grade for row in export_qrels(campaign, special=True).qrels}


def test_unknown_topics_are_refused_with_file_line_and_way_out(small: Campaign, tmp_path: Path) -> None:
    files = [qrels(tmp_path / "a", "1 0 d1 1"), qrels(tmp_path / "b", "# note", "1 0 d1 1", "007 0 d1 1")]
    before = log.head(small)
    with pytest.raises(InputError) as error:
        add_qrels(small.by("Olga"), files)
    assert says(str(error.value))
    assert log.head(small) == before
    [(_, done)] = add_qrels(small.by("Olga"), files, repairs=Repairs(extra_topics="drop")).repaired
    assert (done.repair.lines, [*done.changed.lines]) == (1, [3])


@pytest.mark.parametrize("topics", [["01", "002"], ["1", "2", "3"], ["7"]])
def test_what_unknown_topics_may_mean_is_said(small: Campaign, tmp_path: Path, topics: list[str]) -> None:
    with refused(InputError, "1, 10, 2: ", topics[-1]):
        add_qrels(small.by("Olga"), [qrels(tmp_path / "q", *(f"{topic} 0 d1 1" for topic in topics))])


def test_all_bad_files_are_reported_at_once_and_nothing_changes(small: Campaign, tmp_path: Path) -> None:
    files = [
        qrels(tmp_path / "a", "1 0 d1 1"),
        qrels(tmp_path / "b", "1 0 d1 x"),
        qrels(tmp_path / "c", "1 0 d1"),
    ]
    before = log.head(small)
    with pytest.raises(InputError) as error:
        add_qrels(small.by("Olga"), files)
    assert [Path(problem.file).name for problem in error.value.problems] == ["b", "c"]
    assert log.head(small) == before


def test_an_import_and_a_judgment_that_differ_are_a_conflict(small: Campaign, tmp_path: Path) -> None:
    judge_as(small, "anna", "1", "d1", 0)
    add_qrels(small.by("Olga"), [qrels(tmp_path / "q", "1 0 d1 2", "1 0 d2 -2")], assessor="NIST")
    exported = export_qrels(small)
    assert (exported.conflicts, exported.left_out) == (1, 1)
    assert in_force(small) == {("1", "d1"): 0, ("1", "d2"): -2}


@pytest.mark.parametrize("assessor", ["", " ", "a\nb"])
def test_an_assessor_needs_a_name_that_can_be_read(small: Campaign, tmp_path: Path, assessor: str) -> None:
    with refused(CampaignError):
        add_qrels(small.by("Olga"), [qrels(tmp_path / "q", "1 0 d1 2")], assessor=assessor)


def test_qrels_bring_topic_ids_to_a_campaign_that_has_none(tmp_path: Path) -> None:
    with new_campaign(tmp_path / "c.db", title="C", actor="Olga") as campaign:
        add_qrels(campaign.by("Olga"), [qrels(tmp_path / "q", "007 0 d1 1", "7 0 d1 0")])
        assert topics.topic_ids(campaign) == ["007", "7"]


def test_qrels_have_their_documents_renamed_or_left_out_as_runs_have(small: Campaign, tmp_path: Path) -> None:
    (source := tmp_path / "more.jsonl").write_text('{"id": "caf\\u00e9", "text": "t"}\n', encoding="utf-8")
    add_documents(small.by("Olga"), [str(source)], complete=True)
    file = qrels(tmp_path / "a", "1 0 cafe\N{COMBINING ACUTE ACCENT} 1", "1 0 none 1")
    chosen = Repairs(documents="as-suggested", extra_documents="drop")
    added = add_qrels(small.by("Olga"), [file], repairs=chosen)
    assert [(done.repair.name, [*done.changed.lines]) for _, done in added.repaired] == [
        ("documents as-suggested", [1]),
        ("extra-documents drop", [2]),
    ]
    assert in_force(small) == {("1", "caf\N{LATIN SMALL LETTER E WITH ACUTE}"): 1}
