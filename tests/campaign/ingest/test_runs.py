"""Runs go into a campaign all or not at all, checked against its topics, documents and other runs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import write_run as written_run
from tests.found_wrong import wrong
from tests.sentences import refused, says
from workbench.campaign.content_changes import withdraw_topics
from workbench.campaign.ingest import RunOptions, add_documents, add_runs, add_topics, check_runs
from workbench.campaign.ingest import runs as ingest_runs
from workbench.campaign.ingest.numbering import PackedRuns, pack_runs
from workbench.campaign.ingest.senders import Sender
from workbench.core.errors import InputError
from workbench.formats.run_repairs import Repairs
from workbench.formats.runs import run_text
from workbench.release.export import export_run
from workbench.storage.campaign import Campaign, open_campaign
from workbench.storage.campaign.collection import runs, topics
from workbench.storage.campaign.log import log
from workbench.storage.campaign.people import members


def text_file(path: Path, text: str) -> str:
    path.write_text(text, encoding="utf-8")
    return str(path)


def tags(campaign: Campaign) -> list[str]:
    return [run.record.tag for run in runs.all_runs(campaign)]


def checksums(campaign: Campaign) -> dict[str, str]:
    return {run.record.tag: run.record.rankings_sha256 for run in runs.all_runs(campaign)}


def refusal(campaign: Campaign, files: list[str], name: str = "tag") -> str:
    """The message with which files are refused, by `add_runs` and by `check_runs`; nothing has changed then."""
    before = log.head(campaign)
    with pytest.raises(InputError) as checked:
        check_runs(files, campaign, options=RunOptions(name=name))
    with pytest.raises(InputError) as added:
        add_runs(campaign.by("Olga"), files, options=RunOptions(name=name))
    assert str(added.value) == str(checked.value)
    assert log.head(campaign) == before
    return str(added.value)


def messages(campaign: Campaign, files: list[str]) -> list[str]:
    """The warnings on files that are taken; `check_runs` gives the same."""
    checked = check_runs(files, campaign)
    added = add_runs(campaign.by("Olga"), files)
    assert added.warnings == checked.warnings
    assert added.topics_taken == checked.topics_taken
    assert added.runs == checked.runs
    return [warning.message for warning in added.warnings]


def test_a_bad_third_file_leaves_the_campaign_as_it_was(small: Campaign, tmp_path: Path) -> None:
    good = [written_run(tmp_path / f"{tag}.run", tag, {"1": "d1"}) for tag in ("gamma", "delta")]
    bad = text_file(tmp_path / "bad.run", "1 Q0 d1 1 nan bad\n")
    assert refusal(small, [*good, bad]).startswith(f"{bad}:1: score 'nan'")
    assert tags(small) == ["alpha", "beta"]


def test_a_withdrawn_topic_may_be_missing_from_a_run(small: Campaign, tmp_path: Path) -> None:
    withdraw_topics(small.by("Olga"), ["1"])
    path = written_run(tmp_path / "c.run", "c", {"2": "d1"})
    assert messages(small, [path]) == ["nothing for 1 of 2 topics: 10; they will score 0"]


def test_documents_outside_a_list_are_refused(small: Campaign, small_file: Path, tmp_path: Path) -> None:
    add_documents(small.by("Olga"), [str(small_file.with_name("documents.jsonl"))], complete=True)
    path = written_run(tmp_path / "c.run", "c", {"1": "d1 MARCO_d2 d3"})
    assert says(refusal(small, [path]))


def test_a_later_run_may_bring_more_topics_until_topics_are_given(empty: Campaign, tmp_path: Path) -> None:
    add_runs(empty.by("Olga"), [written_run(tmp_path / "a.run", "a", {"1": "d1"})])
    assert says("\n".join(messages(empty, [written_run(tmp_path / "b.run", "b", {"01": "d1"})])))
    assert topics.topic_ids(empty) == ["01", "1"]


def test_two_runs_with_one_tag_are_refused_unless_named_by_file(empty: Campaign, tmp_path: Path) -> None:
    files = [written_run(tmp_path / f"{name}.run", "bm25", {"1": f"d1 {name}"}) for name in ("x", "y")]
    assert says(refusal(empty, files))
    add_runs(empty.by("Olga"), files[:1])
    assert "is there already" in refusal(empty, files[1:])
    add_runs(empty.by("Olga"), files, options=RunOptions(name="file"))
    assert tags(empty) == ["bm25", "x", "y"]
    assert says(refusal(empty, files, name="file").splitlines()[0])


@pytest.mark.parametrize("tag", ["=cmd|'/C'!A0", "@x", "-1+2", "../x", ".", "a/b", "雪", "a,b"])
def test_a_run_written_again_has_the_same_checksum_in_another_campaign(
    small: Campaign, empty: Campaign, tmp_path: Path, tag: str
) -> None:
    lines = [
        f"1 Q0 d{n} 1 {score} {tag}\n" for n, score in enumerate(["1e-320", "-0.0", "0", "inf", "0.1", "7"])
    ]
    add_runs(small.by("Olga"), [text_file(tmp_path / "odd.run", "# a header\n" + "".join(lines))])
    run = export_run(small, tag)
    text_file(tmp_path / "again.run", "".join(run_text("again.run", run.header, run.rankings, run.tag)))
    add_runs(empty.by("Olga"), [str(tmp_path / "again.run")])
    assert checksums(empty)[tag] == checksums(small)[tag]
    assert runs.all_runs(empty)[0].record.header == "# a header"


def test_standard_input_has_no_name_to_call_a_run_by(
    empty: Campaign, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    path = text_file(tmp_path / "a.run", "1 Q0 d1 1 9 a\n")
    with Path(path).open(encoding="utf-8") as stream:
        monkeypatch.setattr("sys.stdin", stream)
        with refused(InputError):
            add_runs(empty.by("Olga"), ["-"], options=RunOptions(name="file"))


@pytest.mark.data
def test_runs_that_count_topics_by_position_are_refused(empty: Campaign, data_folder: Path) -> None:
    add_topics(empty.by("Olga"), [str(data_folder / "cranfield/trec-xml/cran.qry.xml")])
    run = str(data_folder / "cranfield/runs/teamC-bm25.txt.gz")
    assert says(refusal(empty, [run]))


@pytest.mark.data
def test_the_run_with_wrong_topic_ids_is_refused_by_topics_and_noticed_beside_other_runs(
    empty: Campaign, data_folder: Path, tmp_path: Path
) -> None:
    wrong = str(data_folder / "cranfield/runs-bad/wrong-topic-ids.txt")
    add_runs(empty.by("Olga"), [str(data_folder / "cranfield/runs/teamC-bm25.txt.gz")])
    warnings = check_runs([wrong], empty).warnings
    assert any("'001' would be '1'" in warning.message for warning in warnings)
    numbered = "".join(f"{number}\ttopic {number}\n" for number in range(1, 226))
    add_topics(empty.by("Olga"), [text_file(tmp_path / "t.tsv", numbered)])
    assert says(refusal(empty, [wrong]), "001", "1")


@pytest.fixture
def meanwhile(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[], object]], None]:
    """Have something happen once, while the lines of a run are ordered and numbered."""

    def arrange(happens: Callable[[], object]) -> None:
        waiting = [happens]

        def interrupted(*given: Any) -> PackedRuns:
            if waiting:
                waiting.pop()()
            return pack_runs(*given)

        monkeypatch.setattr(ingest_runs, "pack_runs", interrupted)

    return arrange


def test_others_write_while_a_run_is_checked_and_ordered(
    empty: Campaign, tmp_path: Path, meanwhile: Callable[[Callable[[], object]], None]
) -> None:
    def write() -> None:
        with open_campaign(empty.path, patience=0) as other, other.write():
            members.put(other.by("Olga"), "Ben", "assessor")

    meanwhile(write)
    add_runs(empty.by("Olga"), [written_run(tmp_path / "alpha.run", "alpha", {"1": "d1 d2"})])
    assert (tags(empty), members.all_members(empty)["Ben"]) == (["alpha"], "assessor")


def test_a_run_is_checked_again_when_another_was_added_meanwhile(
    empty: Campaign, tmp_path: Path, meanwhile: Callable[[Callable[[], object]], None]
) -> None:
    first = written_run(tmp_path / "one.run", "alpha", {"1": "d1 d2"})
    same_tag = written_run(tmp_path / "two.run", "alpha", {"1": "d3"})
    with open_campaign(empty.path, patience=0) as other:
        meanwhile(lambda: add_runs(other.by("Olga"), [first]))
        with pytest.raises(InputError, match="a run named 'alpha' is there already"):
            add_runs(empty.by("Olga"), [same_tag])
    assert tags(empty) == ["alpha"]


def test_documents_are_numbered_again_when_another_run_brought_some_meanwhile(
    empty: Campaign, tmp_path: Path, meanwhile: Callable[[Callable[[], object]], None]
) -> None:
    alpha, beta = (
        written_run(tmp_path / f"{tag}.run", tag, {"1": ids})
        for tag, ids in (("alpha", "d3 d1"), ("beta", "d2 d1"))
    )
    with open_campaign(empty.path, patience=0) as other:
        meanwhile(lambda: add_runs(other.by("Olga"), [alpha]))
        add_runs(empty.by("Olga"), [beta])
    assert runs.vocabulary(empty, "1") == ["d1", "d3", "d2"]
    assert wrong(empty) == []


def test_a_run_that_is_there_is_said_whatever_the_file_and_the_tag_are_called(
    empty: Campaign, tmp_path: Path
) -> None:
    files = [written_run(tmp_path / f"{tag}.run", tag, {"1": "d1 d2"}) for tag in ("a", "b")]
    (expected,) = [warning.message for warning in check_runs(files).warnings]
    assert says(expected.replace(f"{tmp_path}/", ""), "'a' (a.run)")
    assert messages(empty, files) == [expected]
    stored = runs.all_runs(empty)[0].seq
    day = log.rows_of_events(empty, [stored])[stored][0][:10]
    third = [written_run(tmp_path / "c.run", "c", {"1": "d1 d2"})]
    found = check_runs(third, empty, options=RunOptions(senders={third[0]: Sender("Delft")})).warnings
    assert says("\n".join(each.message for each in found).replace(day, "DAY"), "'b', added on DAY")
    add_runs(empty, third, team="Delft")
    last = [written_run(tmp_path / "d.run", "c", {"1": "d1 d2"})]
    again = RunOptions(senders={last[0]: Sender("Delft", replaces=True)})
    same = check_runs(last, empty, options=again).warnings[-1].message
    assert says(same.replace(day, "DAY"), "'c' of team Delft")


@pytest.mark.parametrize(
    ("scores", "is_same"),
    [
        ({"1": {"d1": 0.9, "d2": 0.4}, "2": {"d3": 7, "d1": -1}}, True),
        ({"2": {"d1": 0, "d3": 1e9}, "1": {"d2": 1, "d1": 2}}, True),
        ({"1": {"d1": 0.4, "d2": 0.9}, "2": {"d3": 7, "d1": -1}}, False),
        ({"1": {"d1": 0.9, "d2": 0.4}, "2": {"d3": 7, "d1": -1, "d4": -2}}, False),
        ({"1": {"d1": 0.9, "d2": 0.4}}, False),
        ({"1": {"d1": 0.9, "d2": 0.4}, "10": {"d3": 7, "d1": -1}}, False),
    ],
)
def test_a_run_in_the_order_of_another_is_said_whatever_its_scores(
    small: Campaign, tmp_path: Path, scores: dict[str, dict[str, float]], is_same: bool
) -> None:
    stored, other = tmp_path / "a.run", tmp_path / "b.run"
    add_runs(small.by("Olga"), [written_run(stored, "a", {"1": "d1 d2", "2": "d3 d1"})])
    rows = (f"{topic} Q0 {one} 1 {score} b\n" for topic, of in scores.items() for one, score in of.items())
    other.write_text("".join(rows))
    found = [each.message for each in check_runs([str(other)], small).warnings if "'a'" in each.message]
    assert len(found) == is_same
    assert not is_same or says(found[0].split(" added on ")[0], "'a'")


@pytest.mark.data
def test_two_files_of_a_shared_task_that_are_the_same_run_are_said(data_folder: Path) -> None:
    folder = data_folder / "messy-submissions" / "runs"
    files = [str(folder / name) for name in ("CUNI_en.run2.gz", "terrier_DirichletLM_noqe.out.gz")]
    found = check_runs(files, options=RunOptions(repairs=Repairs(duplicates="first"))).checks[1].warnings
    assert says("\n".join(each.message for each in found if each.kind == "same-rankings"), "CUNI_en.run2.gz")
