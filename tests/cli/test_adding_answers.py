"""Runs of answers become runs of a campaign, and come out as they were sent."""

from __future__ import annotations

import gzip
import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.fixture_types import Fails, Rows, Workbench
from tests.log_rows import tampering
from tests.made_answers import GRAZERS, REEFS, YEARS, answer
from tests.sentences import refused, says
from workbench.campaign.content_changes import runs_named
from workbench.core.errors import DamagedCampaign
from workbench.formats.answers.reading import Answer
from workbench.release.export import export_run
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import runs, sent_answers
from workbench.storage.campaign.log import log

ARABIC = "تتعافى الشعاب ببطء"


def ranked(campaign: Campaign, tag: str) -> dict[str, list[tuple[str, float]]]:
    """The documents of a run with their scores, by topic."""
    return {
        topic_id: list(zip(documents, scores, strict=True))
        for topic_id, documents, scores in export_run(campaign, tag).rankings
    }


def said(campaign: Campaign, tag: str, topic_id: str) -> list[Answer]:
    (run,) = runs_named(campaign, [tag])
    sent = runs.answers_of(campaign, run, topic_id)
    return [sent_answers.read(campaign, each, run.record.form) for each in sent]


@pytest.fixture
def best(folder: Path) -> bytes:
    """The file of the run best: topic 1 in Arabic, 2, and 10 without a citation."""
    lines = [answer("1", (ARABIC, [1, 0])), answer("2"), answer("10", ("No source.", []), cites=())]
    (folder / "best.jsonl").write_text("".join(lines), encoding="utf-8")
    return (folder / "best.jsonl").read_bytes()


def test_the_ranking_is_what_an_answer_cites_in_the_order_of_its_references(
    done: Workbench, campaign: Campaign, rows: Rows, best: bytes
) -> None:
    added = done("add answers small best.jsonl --team Glasgow").stderr
    assert added.endswith("1 run added (4 sentences).\n")
    assert ranked(campaign, "best") == {topic: [(REEFS, 2.0), (YEARS, 1.0)] for topic in ("1", "2")}
    (row,) = [each for each in rows("runs small") if each["run"] == "best"]
    assert [row[name] for name in ("team", "form", "topics", "lines")] == ["Glasgow", "rag26", "3", "4"]
    assert says(done("runs small").stdout, "rag26", "Glasgow")
    done("pool small --depth 1 --runs best")
    assert {f"1 {REEFS}", f"2 {REEFS}"} <= set(done("export pool small").stdout.splitlines())


def test_documents_that_references_lack_follow_in_the_order_of_their_first_citations(
    done: Workbench, campaign: Campaign, folder: Path
) -> None:
    segments = [f"47601789-65d8-4706-9bde-fc89fccfdf14_{number}" for number in (1, 2, 3)]
    record: dict[str, Any] = {
        "metadata": {"team_id": "uni", "run_id": "time", "topic_id": "1"},
        "references": segments[2:],
        "responses": [
            {"text": "A.", "citations": {segments[0]: 0.2, segments[1]: 0.9}},
            {"text": "B.", "citations": [segments[2]]},
        ],
    }
    (folder / "time.jsonl").write_text(json.dumps(record) + "\n")
    done("add answers small time.jsonl --form ragtime25")
    assert [each for each, _ in ranked(campaign, "time")["1"]] == [segments[2], segments[1], segments[0]]


def test_topics_that_are_numbers_in_the_file_are_ids(
    done: Workbench, campaign: Campaign, folder: Path
) -> None:
    record = {"metadata": {"team_id": "uni", "run_id": "pub", "topic_id": 1}}
    sentences = [{"text": "A.", "citations": ["77", "123"]}]
    Path("pub.jsonl").write_text(json.dumps({**record, "responses": sentences}) + "\n")
    done("add answers small pub.jsonl --form biogen25-b")
    assert ranked(campaign, "pub") == {"1": [("77", 2.0), ("123", 1.0)]}
    assert len(said(campaign, "pub", "1")) == 1


def test_the_team_is_the_one_that_the_file_names_unless_it_is_said(
    done: Workbench, campaign: Campaign, best: bytes
) -> None:
    done("add answers small best.jsonl")
    assert runs_named(campaign, ["best"])[0].record.team == "uni"


def test_what_was_sent_comes_out_byte_for_byte(done: Workbench, folder: Path, best: bytes) -> None:
    sent = best.replace(b"\n", b"\r\n").replace(b"{", b"  {", 1) + b"\n"
    Path("best.jsonl.gz").write_bytes(gzip.compress(sent))
    done("add answers small best.jsonl.gz")
    done("export runs small -o out")
    assert Path("out/best.jsonl").read_bytes() == sent[:-1]
    assert sorted(path.name for path in Path("out").iterdir()) == ["alpha.run", "best.jsonl", "beta.run"]
    assert done("export runs small --run best -o -").stdout_bytes == sent[:-1]


def test_records_of_one_array_come_out_one_after_the_other_and_can_be_added_again(
    done: Workbench, campaign: Campaign, folder: Path
) -> None:
    records = [json.loads(answer(topic)) for topic in ("1", "2")]
    Path("all.json").write_text(json.dumps(records, indent=2))
    done("add answers small all.json")
    Path("again.jsonl").write_text(done("export runs small --run best -o -").stdout)
    done("add answers small again.jsonl --name file")
    assert ranked(campaign, "again") == ranked(campaign, "best")


def test_an_answer_is_read_sentence_by_sentence(done: Workbench, campaign: Campaign, best: bytes) -> None:
    done("add answers small best.jsonl")
    (found,) = said(campaign, "best", "1")
    assert [(each.text, [cited.document_id for cited in each.citations]) for each in found.sentences] == [
        (ARABIC, [YEARS, REEFS])
    ]
    assert said(campaign, "alpha", "1") == []


def test_a_run_of_answers_can_be_piped_in_and_runs_of_both_kinds_added_together(
    done: Workbench, campaign: Campaign, best: bytes
) -> None:
    done("add answers small -", given=best)
    Path("other.jsonl").write_text(answer("1", run="other"))
    Path("gamma.run").write_text("1 Q0 d1 1 2 gamma\n")
    assert done("add runs small other.jsonl gamma.run").stderr.endswith(
        "2 runs added (1 line, 2 sentences).\n"
    )
    forms = {run.record.tag: run.record.form for run in runs.all_runs(campaign)}
    assert forms == {"alpha": "", "beta": "", "best": "rag26", "other": "rag26", "gamma": ""}


def test_a_fault_is_said_with_line_and_field_and_nothing_is_added(
    fails: Fails, campaign: Campaign, best: bytes
) -> None:
    before = len(runs.all_runs(campaign))
    Path("bad.jsonl").write_text(answer("1") + answer("7") + answer("2", ("A.", [5])))
    assert says(
        fails("add answers small bad.jsonl best.jsonl --all-or-nothing"),
        "bad.jsonl:3",
        "answer[0].citations",
        "'7'",
    )
    assert says(fails("add answers small alpha.run"), "alpha.run:1")
    assert len(runs.all_runs(campaign)) == before


def test_a_dry_run_says_what_adding_would_and_changes_no_byte(
    done: Workbench, fails: Fails, campaign: Campaign, best: bytes
) -> None:
    done("add answers small best.jsonl")
    Path("bad.jsonl").write_text(answer("1", ("A.", [5]), run="bad"))
    Path("new.jsonl").write_text(answer("1"))
    before, content = log.head(campaign), campaign.path.read_bytes()
    told = fails("add answers small bad.jsonl new.jsonl --replaces --dry-run")
    assert says("\n".join(told.splitlines()[-2:]), "bad.jsonl")
    assert all(each in told for each in ("Warning: new.jsonl:1", "bad.jsonl:1", "best.replaced.1"))
    assert (log.head(campaign), campaign.path.read_bytes()) == (before, content)
    assert told.replace("would be ", "") == fails("add answers small bad.jsonl new.jsonl --replaces")
    assert [len(said(campaign, "best", topic)) for topic in ("1", "2")] == [1, 0]


def test_a_dry_run_of_runs_says_what_would_be_repaired(done: Workbench, campaign: Campaign) -> None:
    Path("twice.run").write_text("1 Q0 d1 1 2 twice\n1 Q0 d1 2 1 twice\n")
    assert says(done("add runs small twice.run --duplicates first --dry-run").stderr, "twice.run")
    assert "twice" not in [run.record.tag for run in runs.all_runs(campaign)]


def test_ids_that_are_no_text_are_refused(fails: Fails, folder: Path) -> None:
    half = json.dumps(
        {**json.loads(answer("1")), "references": ["\ud800"], "answer": [{"text": "A", "citations": [0]}]}
    )
    Path("half.jsonl").write_text(
        half + "\n" + answer("1", run="\udfff").encode("ascii", "backslashreplace").decode()
    )
    assert says(fails("add answers small half.jsonl --form rag26"), "half.jsonl:1", "'\\ud800'")


def test_answers_that_were_sent_before_under_another_tag_are_said(
    done: Workbench, campaign: Campaign, best: bytes
) -> None:
    done("add answers small best.jsonl")
    Path("again.jsonl").write_bytes(best.replace(b'"best"', b'"again"'))
    Path("other.jsonl").write_bytes(best.replace(b'"best"', b'"other"').replace(b"No source.", b"None."))
    day = log.rows_of_events(campaign, [runs_named(campaign, ["best"])[0].seq])
    (added,) = (at[:10] for at, *_ in day.values())
    found = done("check again.jsonl other.jsonl --campaign small").stdout.replace(added, "DAY")
    assert says(found, "again.jsonl", "'best'", "DAY")
    done("add answers small again.jsonl other.jsonl")
    again, other = runs_named(campaign, ["again", "other"])
    assert ["'best'" in str(warned.warnings[-1]) for warned in (again, other)] == [True, False]


def test_a_run_is_replaced_withdrawn_restored_and_corrected_as_others_are(
    done: Workbench, fails: Fails, campaign: Campaign, best: bytes
) -> None:
    done("add answers small best.jsonl")
    assert says(fails("add answers small best.jsonl"), "best")
    Path("new.jsonl").write_text(answer("1", cites=(GRAZERS, YEARS)))
    done("add answers small new.jsonl --replaces")
    assert ranked(campaign, "best")["1"][0] == (GRAZERS, 2.0)
    assert [len(said(campaign, tag, "2")) for tag in ("best", "best.replaced.1")] == [0, 1]
    done("correct small best --tag first --team Oslo")
    done("withdraw small first --reason late")
    assert "first.jsonl" not in done("export runs small -o out").stderr
    done("withdraw small first --restore")
    done("export runs small -o out")
    assert Path("out/first.jsonl").read_text() == answer("1", cites=(GRAZERS, YEARS))


def test_a_bundle_holds_the_answers_and_gives_the_same_campaign(
    done: Workbench, rows: Rows, best: bytes
) -> None:
    done("add answers small best.jsonl")
    done("correct small best --tag first --team ''")
    done("bundle small --runs -o small.zip")
    assert says(done("import-bundle again small.zip").stderr, "again")
    done("export runs again -o out")
    assert Path("out/first.jsonl").read_bytes() == best
    kept = ("run", "team", "form", "lines", "topics", "sha256")
    assert [[row[name] for name in kept] for row in rows("runs again")] == [
        [row[name] for name in kept] for row in rows("runs small")
    ]


def test_the_audit_notices_a_changed_answer_and_nothing_changed_is_written(
    done: Workbench, workbench: Workbench, fails: Fails, folder: Path, best: bytes
) -> None:
    done("add answers small best.jsonl")
    done("audit small")
    for change in ("record = substr(record, 1, 9)", "topic = '2'", "place = 9 WHERE place = 1"):
        shutil.copy(folder / "instance" / "small.db", "changed.db")
        with tampering(folder / "changed.db") as connection:
            connection.execute(f"UPDATE answer SET {change}")
        found = workbench("audit ./changed.db")
        assert found.exit_code == 1
        assert "'best'" in found.stdout
        assert says(fails("export runs ./changed.db --run best -o -"), "changed.db")


def test_a_record_that_is_no_answer_any_more_is_damage(campaign: Campaign) -> None:
    with refused(DamagedCampaign, "'1'"):
        sent_answers.read(campaign, sent_answers.SentAnswer("1", "{"), "rag26")
    with refused(DamagedCampaign, "rag99"):
        sent_answers.read(campaign, sent_answers.SentAnswer("1", "{}"), "rag99")


def test_which_form_is_taken_is_a_setting(done: Workbench, fails: Fails, best: bytes) -> None:
    done("set small answer-form none")
    assert says(fails("add runs small best.jsonl"), "best.jsonl")
    done("set small answer-form rag25")
    assert says(fails("add answers small best.jsonl"), "metadata.type")
    done("set small answer-form rag26")
    done("add runs small best.jsonl")


@pytest.mark.slow
def test_ten_thousand_answers_are_added_and_come_out(done: Workbench, rows: Rows) -> None:
    lines = [
        answer(
            str(number), (f"{number} {ARABIC}", [0, 1]), cites=(f"shard_1_{number}", f"shard_2_{number % 97}")
        )
        for number in range(10_000)
    ]
    Path("large.jsonl").write_text("".join(lines), encoding="utf-8")
    done("new large")
    done("add answers large large.jsonl")
    assert [(row["topics"], row["lines"]) for row in rows("runs large")] == [("10000", "20000")]
    assert done("export runs large --run best -o -").stdout == "".join(lines)
