"""Archives of runs that were sent: a report for each file in them, and nothing of one that cannot be trusted."""

from __future__ import annotations

import gzip
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.archives import tarred, zipped
from tests.sentences import says
from workbench.campaign.ingest.senders import Sender
from workbench.campaign.submission_rules import Rules, change_rules
from workbench.campaign.uploads import Report, Sent, UploadOptions, receive
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import runs
from workbench.storage.campaign.log.log import head

NOW = datetime(2026, 5, 4, tzinfo=UTC)


def run_of(tag: str, score: float = 2.5) -> bytes:
    return f"1 Q0 d1 1 {score} {tag}\n2 Q0 d2 1 {score} {tag}\n10 Q0 d3 1 {score} {tag}\n".encode()


def send(campaign: Campaign, folder: Path, files: dict[str, bytes], **options: object) -> list[Report]:
    sent = []
    for number, (name, content) in enumerate(files.items()):
        sent.append(Sent(folder / str(number), name))
        sent[-1].path.write_bytes(content)
    chosen = UploadOptions(**options)  # type: ignore[arg-type]
    return list(receive(campaign.by("Olga"), "runs", sent, options=chosen, expanded=1_000_000))


def tags(campaign: Campaign) -> list[str]:
    return [run.record.tag for run in runs.all_runs(campaign)]


def test_each_file_of_an_archive_has_its_report_and_the_files_behind_it_theirs(
    small: Campaign, tmp_path: Path
) -> None:
    packed = {
        "runs/c.run": run_of("c"),
        "runs/bad.run": run_of("bad").replace(b"2.5", b"high", 1),
        "runs/e.run.gz": gzip.compress(run_of("e", 1.5)),
        "README": b"Our runs.",
    }
    reports = send(small, tmp_path, {"x.zip": zipped(packed), "f.run": run_of("f", 0.5)}, team="Delft")
    assert [(report.file, report.added) for report in reports] == [
        ("x.zip/runs/c.run", True),
        ("x.zip/runs/bad.run", False),
        ("x.zip/runs/e.run.gz", True),
        ("f.run", True),
    ]
    assert reports[1].problems[0].line == 1
    assert says(reports[0].warnings[0].message, "README")
    assert {warning.kind for warning in reports[2].warnings} == {"same-rankings"}
    record = runs.all_runs(small)[-2].record
    assert (record.tag, record.team, record.file) == ("e", "Delft", "x.zip/runs/e.run.gz")


def test_a_run_of_an_archive_can_be_named_by_its_file_and_told_whose_it_is_by_a_table(
    small: Campaign, tmp_path: Path
) -> None:
    senders = {"x.tgz": Sender("Delft")}
    packed = tarred({"a.run": run_of("t"), "b.run": run_of("t", 1.5)}, "gz")
    reports = send(small, tmp_path, {"x.tgz": packed}, name="file", senders=senders)
    assert [report.added for report in reports] == [True, True]
    found = [run.record for run in runs.all_runs(small)[-2:]]
    assert [(each.tag, each.team) for each in found] == [("a", "Delft"), ("b", "Delft")]


def test_an_archive_with_a_way_out_adds_nothing_and_the_next_file_is_added(
    small: Campaign, tmp_path: Path
) -> None:
    evil = zipped({"c.run": run_of("c"), "../d.run": run_of("d")})
    refused, added = send(small, tmp_path, {"x.zip": evil, "e.run": run_of("e")})
    assert says(refused.problems[0].message, "../d.run")
    assert (refused.file, refused.added, added.added) == ("x.zip", False, True)
    assert tags(small) == ["alpha", "beta", "e"]
    assert {path.name for path in tmp_path.iterdir() if "small.db" not in path.name} == {"0", "0-files", "1"}


@pytest.mark.parametrize(
    "bomb",
    [
        zipped({"a.run": bytes(2_000_000)}),
        tarred({"a.run": bytes(2_000_000)}, "xz"),
        zipped({"a.run.gz": gzip.compress(bytes(2_000_000))}),
    ],
    ids=["zip", "tar.xz", "gzip in zip"],
)
def test_a_bomb_is_refused_by_the_limit_of_the_server(small: Campaign, tmp_path: Path, bomb: bytes) -> None:
    before = head(small)
    (report,) = send(small, tmp_path, {"x.zip": bomb})
    assert says(report.problems[0].message)
    assert head(small) == before


def test_archives_of_one_request_count_together(small: Campaign, tmp_path: Path) -> None:
    line = b"\n" * 400_000
    files = {f"{tag}.zip": zipped({f"{tag}.run": run_of(tag) + line}) for tag in "cde"}
    reports = send(small, tmp_path, files)
    assert [report.added for report in reports] == [True, True, False]
    assert says(reports[2].problems[0].message)


def test_a_teams_archive_has_as_many_runs_as_the_rules_allow(small: Campaign, tmp_path: Path) -> None:
    change_rules(small.by("Olga"), Rules(is_open=True, deadline=None, limit=2))
    sender = Sender("Delft", received=NOW)
    packed = zipped({f"{tag}.run": run_of(tag, place) for place, tag in enumerate("cdef")})
    reports = send(small, tmp_path, {"x.zip": packed}, sender=sender, for_team=True)
    assert [report.added for report in reports] == [True, True, False, False]
    assert says(reports[2].problems[0].message)


def test_a_team_hears_of_its_own_run_that_is_there_and_not_of_another_teams(
    small: Campaign, tmp_path: Path
) -> None:
    change_rules(small.by("Olga"), Rules(is_open=True))
    of_delft, of_athens = (Sender(team, received=NOW) for team in ("Delft", "Athens"))
    assert send(small, tmp_path, {"c.run": run_of("c")}, sender=of_delft, for_team=True)[0].added
    (other,) = send(small, tmp_path, {"d.run": run_of("d")}, sender=of_athens, for_team=True)
    (own,) = send(small, tmp_path, {"e.run": run_of("e")}, sender=of_athens, for_team=True)
    assert (other.added, other.warnings) == (True, ())
    assert [warning.message.count("'d' of team Athens") for warning in own.warnings] == [1]
    stored = runs.all_runs(small)[-1]
    assert [warning.message.count("of team") for warning in stored.warnings] == [1, 1]
