"""One archive holds all that a campaign publishes; imported anywhere it gives the same numbers."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import zipfile
from importlib.metadata import version
from pathlib import Path

import pytest

from tests.at_length import at_length
from tests.fixture_types import JudgeAs
from tests.log_rows import row as log_row
from tests.sentences import says
from workbench.campaign.ingest import add_qrels, add_runs, add_topics
from workbench.campaign.new_campaign import new_campaign
from workbench.campaign.pools.making import add_pool
from workbench.core.records import Grade, Rationale
from workbench.release.bundle.importing import import_bundle
from workbench.release.bundle.writing import BundleOptions, write_bundle
from workbench.release.export import export_qrels
from workbench.scoring.board import score_campaign
from workbench.scoring.board.past_boards import topic_scores_of
from workbench.storage.campaign import Campaign, open_campaign
from workbench.storage.campaign.assigning import assignments
from workbench.storage.campaign.grades.adjudications import disputes
from workbench.storage.campaign.grades.label_rules import LABEL_RULES
from workbench.storage.campaign.log import log
from workbench.storage.campaign.organising import settings

EVERYTHING = BundleOptions(runs=True, comments=True)


def bundled(campaign: Campaign, options: BundleOptions = BundleOptions(), as_of: int | None = None) -> bytes:  # noqa: B008
    stream = io.BytesIO()
    write_bundle(campaign.at(as_of), stream, options=options)
    return stream.getvalue()


def files_of(data: bytes) -> dict[str, str]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name.partition("/")[2]: archive.read(name).decode() for name in archive.namelist()}


@pytest.fixture
def judged(small: Campaign, judging_as: JudgeAs) -> Campaign:
    """`small` with two assessors, a change of mind, a conflict, a special grade and a note."""
    judging_as(small, "Zoë Zimmer", "1", "d1", 1, comment="as Zoë sees it")
    judging_as(small, "anna@example.org", "1", "d1", 2)
    judging_as(small, "Zoë Zimmer", "1", "d2", -2)
    judging_as(small, "anna@example.org", "2", "d1", None)
    judging_as(small, "anna@example.org", "2", "d2", 1)
    judging_as(small, "anna@example.org", "2", "d2", 0)
    return small


def test_the_same_row_of_the_log_gives_the_same_bytes_whatever_happens_later(
    judged: Campaign, judging_as: JudgeAs
) -> None:
    first, seq = bundled(judged, EVERYTHING), log.head(judged).seq
    assert bundled(judged, EVERYTHING) == first
    judging_as(judged, "third", "2", "d5", 1)
    assert bundled(judged, EVERYTHING) != first
    assert bundled(judged, EVERYTHING, as_of=seq) == first


def test_names_are_sorted_times_fixed_and_the_checksums_are_those_of_the_files(judged: Campaign) -> None:
    data = bundled(judged, EVERYTHING)
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        names = archive.namelist()
        assert {entry.date_time for entry in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}
        folder = f"small-{log.head(judged).seq}/"
        assert names[:-1] == sorted(names[:-1])
        assert names[-1] == f"{folder}SHA256SUMS"
        assert all(name.startswith(folder) for name in names)
        told = dict(reversed(line.split("  ")) for line in archive.read(names[-1]).decode().splitlines())
        assert told == {
            name.removeprefix(folder): hashlib.sha256(archive.read(name)).hexdigest() for name in names[:-1]
        }


def test_it_holds_everything_there_is_to_publish_and_the_runs_only_when_asked(judged: Campaign) -> None:
    without, with_runs = files_of(bundled(judged)), files_of(bundled(judged, EVERYTHING))
    assert {
        *("README.md", "DATASHEET.md", "CITATION.cff", "SHA256SUMS", "guidelines.md", "settings.json"),
        *("versions.json", "topics.jsonl", "qrels.txt", "qrels-with-special.txt", "pool.jsonl", "pools.json"),
        *("judgments.jsonl", "arrangements.jsonl", "runs.csv", "runs.jsonl"),
        *("scores/board.csv", "scores/board.tex", "scores/topics.csv"),
    } == without.keys()
    assert with_runs.keys() - without.keys() == {"runs/001-alpha.run", "runs/002-beta.run"}
    assert with_runs["runs/001-alpha.run"].splitlines()[0] == "1 Q0 d1 1 100.0 alpha"
    assert json.loads(with_runs["runs.jsonl"].splitlines()[1])["path"] == "runs/002-beta.run"
    assert json.loads(without["runs.jsonl"].splitlines()[1])["path"] is None
    told = json.loads(without["versions.json"])
    assert list(told) == ["workbench", "python", "numpy", "polars", "scipy"]
    assert told["numpy"] == version("numpy")


def test_special_grades_stand_apart_and_scores_by_topic_are_those_of_the_engine(judged: Campaign) -> None:
    files = files_of(bundled(judged))
    assert files["qrels.txt"] == "1 0 d1 2\n2 0 d2 0\n"
    assert files["qrels-with-special.txt"] == "1 0 d1 2\n1 0 d2 -2\n2 0 d2 0\n"
    assert "Special grades (-2 Spam)" in files["README.md"]
    assert "on 1 pair their grades differ" in files["README.md"]
    rows = list(csv.DictReader(io.StringIO(files_of(bundled(judged))["scores/topics.csv"])))
    found = topic_scores_of(judged, "AP")
    told = {
        (tag, topic_id): float(found.values[topic, run])
        for run, tag in enumerate(found.tags)
        for topic, topic_id in enumerate(found.topic_ids)
    }
    assert {(row["run"], row["topic_id"]): float(row["AP"]) for row in rows} == told


def test_no_name_of_an_assessor_is_anywhere_in_a_bundle_and_pseudonyms_never_change(
    judged: Campaign, judging_as: JudgeAs
) -> None:
    kept = (Rationale("text", 0, 3, "The"),)
    judging_as(judged, "Zoë Zimmer", "1", "d1", 1, rationales=kept)
    before = files_of(bundled(judged))
    assert all("Zimmer" not in text and "anna" not in text and "Olga" not in text for text in before.values())
    rows = [json.loads(line) for line in before["judgments.jsonl"].splitlines()]
    told = ["assessor-1", "assessor-2", "assessor-1", "assessor-2", "assessor-2", "assessor-2", "assessor-1"]
    assert [row["assessor"] for row in rows] == told
    assert not {"hash", "uuid", "received_at", "client_at", "source", "comment"} & rows[0].keys()
    assert (rows[0]["day"], rows[-1]["rationales"]) == ("2026-03-01", [["text", 0, 3]])
    judging_as(judged, "Aaron", "2", "d5", 1)
    after = files_of(bundled(judged))["judgments.jsonl"]
    assert after.startswith(before["judgments.jsonl"])
    assert json.loads(after.splitlines()[-1])["assessor"] == "assessor-3"


def test_comments_and_names_are_included_on_request(judged: Campaign) -> None:
    files = files_of(bundled(judged, BundleOptions(comments=True, names="names")))
    row = json.loads(files["judgments.jsonl"].splitlines()[0])
    assert (row["assessor"], row["comment"]) == ("Zoë Zimmer", "as Zoë sees it")
    assert says(files["README.md"])


def same_numbers(one: Campaign, other: Campaign) -> bool:
    return [row[:3] for row in score_campaign(one).rows] == [
        row[:3] for row in score_campaign(other).rows
    ] and export_qrels(one, special=True).qrels == export_qrels(other, special=True).qrels


def test_imported_into_an_empty_installation_it_gives_the_same_numbers(
    judged: Campaign, tmp_path: Path
) -> None:
    (tmp_path / "release.zip").write_bytes(bundled(judged, EVERYTHING))
    target = tmp_path / "again.db"
    restored = import_bundle(tmp_path / "release.zip", target, actor="Olga")
    assert restored == (3, 2, 7, 6, (), True)
    with open_campaign(target) as again:
        assert same_numbers(judged, again)
        for topic_id in ("1", "2", "10"):
            unlike = disputes(judged, topic_id)
            assert [each[:2] for each in disputes(again, topic_id)] == [each[:2] for each in unlike]
        again_bundled = files_of(bundled(again, EVERYTHING))
    first = files_of(bundled(judged, EVERYTHING))
    for name in ("qrels.txt", "topics.jsonl", "pool.jsonl", "scores/topics.csv", "guidelines.md"):
        assert again_bundled[name] == first[name]


@pytest.mark.parametrize("rule", ["owner", "most lenient", "Dawid-Skene"])
def test_the_rule_of_labels_goes_along_with_what_it_looks_at(
    judged: Campaign, tmp_path: Path, rule: str
) -> None:
    with judged.write():
        assignments.put(judged.by("Olga"), [], [("1", "whole", "Zoë Zimmer"), ("2", "whole", "Nobody yet")])
        assignments.put(judged.by("Olga"), [], [("1", "second", "anna@example.org")])
        settings.change(judged.by("Olga"), {"label_rule": rule})
        log.append_judgments(judged, [log_row("Olga", "1", "d1", None, kind="adjudication")])
    release, target = tmp_path / "release.zip", tmp_path / "again.db"
    release.write_bytes(bundled(judged, EVERYTHING))
    told = files_of(release.read_bytes())
    assert "Zoë" not in told["settings.json"]
    assert LABEL_RULES[rule].says.split(";")[0] in told["DATASHEET.md"]
    assert import_bundle(release, target, actor="Olga").same_scores
    with open_campaign(target) as again:
        assert settings.read(again).label_rule == rule
        assert same_numbers(judged, again)


def test_the_ordinary_commands_give_the_same_numbers_too(judged: Campaign, tmp_path: Path) -> None:
    for name, text in files_of(bundled(judged, EVERYTHING)).items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    with new_campaign(tmp_path / "by-hand.db", title="By hand", actor="Olga") as again:
        add_topics(again.by("Olga"), [str(tmp_path / "topics.jsonl")])
        add_runs(again.by("Olga"), [str(path) for path in sorted((tmp_path / "runs").iterdir())])
        add_pool(again.by("Olga"), depth=2)
        add_qrels(again.by("Olga"), [str(tmp_path / "qrels-with-special.txt")])
        assert same_numbers(judged, again)


@pytest.mark.data
@pytest.mark.slow
def test_robust_2003_comes_out_of_its_bundle_digit_for_digit(data_folder: Path, tmp_path: Path) -> None:
    robust = data_folder / "robust03"
    lines = (robust / "qrels.txt").read_text().splitlines(keepends=True)[: at_length(128_796, 10_000)]
    (tmp_path / "qrels.txt").write_text("".join(lines))
    grades = [Grade(0, "Not relevant"), Grade(1, "Relevant"), Grade(2, "Highly relevant")]
    with new_campaign(tmp_path / "robust.db", title="Robust", grades=grades, actor="Olga") as campaign:
        add_runs(campaign.by("Olga"), [str(path) for path in sorted((robust / "runs").iterdir())])
        add_qrels(campaign.by("Olga"), [str(tmp_path / "qrels.txt")])
        (tmp_path / "release.zip").write_bytes(bundled(campaign, EVERYTHING))
        restored = import_bundle(tmp_path / "release.zip", tmp_path / "again.db", actor="Olga")
        assert (restored.runs, restored.judgments, restored.same_scores) == (17, len(lines), True)
        with open_campaign(tmp_path / "again.db") as again:
            assert same_numbers(campaign, again)
