"""Repairs of runs that need the campaign, and good files that are taken beside bad ones."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.found_wrong import wrong
from tests.sentences import refused, says
from workbench.campaign.ingest import RunOptions, RunsRefused, add_documents, add_runs, add_topics, check_runs
from workbench.campaign.new_campaign import new_campaign
from workbench.core.errors import InputError
from workbench.formats.run_repairs import Repairs, chosen_repairs
from workbench.release.export import export_run
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import runs, topics
from workbench.storage.campaign.log import log

TOPICS = "303\tcomets\n301\trivers\n302\tlakes\n"


@pytest.fixture
def campaign(tmp_path: Path) -> Iterator[Campaign]:
    (path := tmp_path / "topics.tsv").write_text(TOPICS, encoding="utf-8")
    with new_campaign(tmp_path / "c.db", title="C", actor="Olga") as made:
        add_topics(made.by("Olga"), [str(path)])
        yield made


def run_file(path: Path, *lines: str) -> str:
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return str(path)


def lines_of(campaign: Campaign, tag: str) -> list[tuple[str, list[str]]]:
    return [(ranking.topic_id, list(ranking.document_ids)) for ranking in export_run(campaign, tag).rankings]


def added(campaign: Campaign, path: str, *values: str, **ways: str) -> tuple[str, int]:
    """Add a run with a repair; its name and number of lines as recorded, with a message that has the values."""
    add_runs(campaign.by("Olga"), [path], options=RunOptions(repairs=chosen_repairs(**ways)))
    ((name, lines, message),) = runs.all_runs(campaign)[-1].repairs
    assert says(message, *values)
    return name, lines


@pytest.mark.parametrize("topic_ids", [("0", "3"), ("4",), ("01", "1"), ("1", "x")])
def test_ids_that_count_no_positions_stay_unknown(
    campaign: Campaign, tmp_path: Path, topic_ids: tuple[str, ...]
) -> None:
    path = run_file(tmp_path / "a.run", *(f"{topic_id} Q0 x 1 3 t" for topic_id in topic_ids))
    with refused(InputError):
        add_runs(campaign.by("Olga"), [path], options=RunOptions(repairs=Repairs(topics="by-position")))


def test_topics_are_renamed_as_the_report_suggests(campaign: Campaign, tmp_path: Path) -> None:
    path = run_file(tmp_path / "a.run", "0301 Q0 x 1 3 t", "0302 Q0 y 1 3 t", "303 Q0 z 1 3 t")
    with refused(InputError, "0301", "301"):
        check_runs([path], campaign)
    assert added(campaign, path, "'0301'", "'301'", topics="as-suggested") == ("topics as-suggested", 2)
    assert lines_of(campaign, "t") == [("301", ["x"]), ("302", ["y"]), ("303", ["z"])]


def test_topics_that_would_become_one_are_not_renamed(campaign: Campaign, tmp_path: Path) -> None:
    for ids in (("0301", "00301"), ("0301", "301")):
        path = run_file(tmp_path / "a.run", *(f"{topic_id} Q0 x 1 3 t" for topic_id in ids))
        with refused(InputError, "0301"):
            add_runs(campaign.by("Olga"), [path], options=RunOptions(repairs=Repairs(topics="as-suggested")))


def test_topics_left_out_are_named_in_the_order_of_the_file(campaign: Campaign, tmp_path: Path) -> None:
    lines = [f"{topic_id} Q0 x 1 3 t" for topic_id in (301, *range(999, 899, -1))]
    path = run_file(tmp_path / "a.run", *lines)
    assert added(campaign, path, "100", "999, 998", extra_topics="drop") == ("extra-topics drop", 100)


def test_a_run_of_which_the_repairs_leave_nothing_is_refused(campaign: Campaign, tmp_path: Path) -> None:
    path = run_file(tmp_path / "a.run", "999 Q0 x 1 3 t")
    with refused(InputError):
        add_runs(campaign.by("Olga"), [path], options=RunOptions(repairs=Repairs(extra_topics="drop")))


def test_lines_of_documents_outside_a_collection_are_left_out(campaign: Campaign, tmp_path: Path) -> None:
    (documents := tmp_path / "d.jsonl").write_text('{"id": "x", "text": "rivers"}\n', encoding="utf-8")
    add_documents(campaign.by("Olga"), [str(documents)], complete=True)
    path = run_file(tmp_path / "a.run", "301 Q0 x 1 3 t", "301 Q0 gone 2 2 t")
    assert added(campaign, path, "gone", extra_documents="drop") == ("extra-documents drop", 1)
    assert lines_of(campaign, "t") == [("301", ["x"])]


def test_good_files_are_taken_and_take_their_names(campaign: Campaign, tmp_path: Path) -> None:
    paths = [
        run_file(tmp_path / "bad.run", "301 Q0 x 1 3 a", "301 Q0 x 2 2 a"),
        run_file(tmp_path / "good.run", "301 Q0 x 1 3 a"),
        run_file(tmp_path / "again.run", "301 Q0 y 1 3 a"),
        str(tmp_path / "gone.run"),
    ]
    found = add_runs(campaign.by("Olga"), paths, options=RunOptions(all_or_nothing=False))
    assert [check.verdict for check in found.checks] == ["refused", "warned", "refused", "refused"]
    assert [list(check.counts) for check in found.refused] == [
        ["duplicate", "missing-topics"],
        ["name-taken", "missing-topics"],
        ["unreadable"],
    ]
    assert [run.record.file for run in runs.all_runs(campaign)] == [paths[1]]


def test_where_all_files_are_refused_the_campaign_stays_as_it_was(campaign: Campaign, tmp_path: Path) -> None:
    before = log.head(campaign)
    bad = run_file(tmp_path / "bad.run", "301 Q0 x 1 nan a")
    assert add_runs(campaign.by("Olga"), [bad], options=RunOptions(all_or_nothing=False)).runs == ()
    with pytest.raises(RunsRefused) as error:
        add_runs(campaign.by("Olga"), [bad])
    assert [check.file for check in error.value.checks] == [bad]
    assert log.head(campaign) == before


@pytest.mark.slow
@pytest.mark.data
def test_every_raw_submission_of_clef_is_taken_with_the_repairs_that_it_needs(
    data_folder: Path, tmp_path: Path
) -> None:
    folder = data_folder / "messy-submissions"
    paths = sorted((folder / "runs").iterdir())
    with new_campaign(tmp_path / "clef.db", title="CLEF eHealth", actor="Olga") as clef:
        add_topics(clef.by("Olga"), [str(folder / "topics" / "clef2018_queries_task1_task4.txt")])
        assert len(topics.topic_ids(clef)) == 50
        as_sent = check_runs([str(path) for path in paths], clef, options=RunOptions(all_or_nothing=False))
        refusing = {
            Path(check.file).name: {kind: check.counts[kind] for kind in ("unknown-topic", "duplicate")}
            for check in as_sent.refused
            if check.counts.get("unknown-topic")
        }
        assert refusing == {
            "ub_botswana_IRTask3_run2.res.gz": {"unknown-topic": 6, "duplicate": 36},
            "ub_botswana_IRTask3_run4.res.gz": {"unknown-topic": 6, "duplicate": 40},
        }
        assert {Path(check.file).name: check.counts["duplicate"] for check in as_sent.refused} == {
            "CUNI_en.run1.gz": 105,
            "CUNI_en.run2.gz": 106,
            "UEvoraIRtask1run1.res.gz": 512,
            "terrier_DirichletLM_noqe.out.gz": 106,
            "ub_botswana_IRTask3_run2.res.gz": 36,
            "ub_botswana_IRTask3_run4.res.gz": 40,
        }
        repairs = chosen_repairs(duplicates="first", topics="as-suggested")
        found = add_runs(
            clef.by("Olga"),
            [str(path) for path in paths],
            options=RunOptions(repairs=repairs, all_or_nothing=False),
        )
        assert (len(found.runs), found.refused) == (12, ())
        repaired = {
            stored.record.tag: [(repair.name, repair.lines) for repair in recorded]
            for stored in runs.all_runs(clef)
            if (recorded := stored.repairs)
        }
        assert repaired == {
            "cuni_run1_en": [("duplicates first", 105)],
            "cuni_run2_en": [("duplicates first", 106)],
            "UEvoraIRtask1run1": [("duplicates first", 512)],
            "DirichletLM": [("duplicates first", 106)],
            "COMBSUM": [("duplicates first", 36), ("topics as-suggested", 5_970)],
            "RR": [("duplicates first", 40), ("topics as-suggested", 5_966)],
        }
        sent = sum(len(gzip.decompress(path.read_bytes()).splitlines()) for path in paths)
        assert sum(run.lines for run in found.runs) == sent - 105 - 106 - 512 - 106 - 36 - 40
        assert wrong(clef) == []


def test_topics_by_position_are_those_at_their_places(campaign: Campaign, tmp_path: Path) -> None:
    path = run_file(tmp_path / "a.run", "1 Q0 x 1 3 t", "2 Q0 y 1 3 t", "2 Q0 z 2 2 t", "3 Q0 z 1 3 t")
    assert added(campaign, path, "'1'", "'303'", topics="by-position") == ("topics by-position", 4)
    assert lines_of(campaign, "t") == [("301", ["y", "z"]), ("302", ["z"]), ("303", ["x"])]
