"""Each file that was sent is added whole or not at all, and its report says which."""

from __future__ import annotations

import bz2
import gzip
import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.images import png, png_bomb
from tests.judged_pairs import judge_as
from tests.pdfs import encrypted, pdf
from tests.sentences import refused, says
from workbench.campaign import uploads
from workbench.campaign.ingest import add_qrels
from workbench.campaign.ingest.senders import Sender
from workbench.campaign.uploads import Report, Sent, UploadOptions, receive
from workbench.core.errors import CampaignUnavailable, InputError, Problem, UnknownName
from workbench.core.records import Topic
from workbench.formats.run_repairs import Repairs
from workbench.formats.text.addresses import clean_name
from workbench.formats.topics.fields import FieldChoice
from workbench.jobs.processes import Cancelled, JobFailed, Work
from workbench.storage.campaign import Campaign, create_campaign
from workbench.storage.campaign.collection import documents, nuggets, pools, runs, topics
from workbench.storage.campaign.grades import judgments
from workbench.storage.campaign.organising import settings
from workbench.storage.campaign.people import members

Send = Callable[..., list[Report]]

GOOD = "1 Q0 d1 1 2.5 {tag}\n2 Q0 d2 1 2.5 {tag}\n10 Q0 d3 1 2.5 {tag}\n"


@pytest.fixture
def send(small: Campaign, tmp_path: Path) -> Send:
    """Send files by their names and contents, and get the reports."""

    def send_all(
        kind: str, files: dict[str, str | bytes], expanded: int = 10_000, **options: object
    ) -> list[Report]:
        sent = []
        for number, (name, content) in enumerate(files.items()):
            path = tmp_path / str(number)
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
            sent.append(Sent(path, name))
        chosen = UploadOptions(**options)  # type: ignore[arg-type]
        return list(receive(small.by("Olga"), kind, sent, options=chosen, expanded=expanded))

    return send_all


def tags(campaign: Campaign) -> list[str]:
    return [run.record.tag for run in runs.all_runs(campaign)]


def test_good_files_are_added_beside_bad_ones(small: Campaign, send: Send) -> None:
    bad = "1 Q0 d1 1 2.5 delta\n1 Q0 d2 2 high delta\n"
    first, second, third = send(
        "runs",
        {
            "a.run": GOOD.format(tag="gamma"),
            "b.run": bad,
            "c.run": GOOD.format(tag="eps").replace("2.5", "3"),
        },
    )
    assert (first.added, second.added, third.added) == (True, False, True)
    assert first.sentence == "added: run gamma, 3 topics, 3 lines"
    assert [(problem.file, problem.line) for problem in second.problems] == [("b.run", 2)]
    assert tags(small) == ["alpha", "beta", "gamma", "eps"]


def test_a_check_adds_nothing(small: Campaign, send: Send) -> None:
    (report,) = send("runs", {"a.run": GOOD.format(tag="gamma")}, only_check=True)
    assert (report.added, report.problems) == (False, ())
    assert report.sentence == "good, not added: run gamma, 3 topics, 3 lines"
    assert tags(small) == ["alpha", "beta"]


def test_what_is_wished_for_runs_is_recorded(small: Campaign, send: Send) -> None:
    send("runs", {"late.run": GOOD.format(tag="gamma")}, team="Glasgow", contributes=False, name="file")
    record = runs.all_runs(small)[-1].record
    assert (record.tag, record.team, record.contributes) == ("late", "Glasgow", False)


def test_fields_of_topics_are_taken_for_what_the_sender_says(small: Campaign, send: Send) -> None:
    text = '{"id": "1", "en": "frozen rivers", "fr": "fleuves gelés"}'
    (bad,) = send("topics", {"t.jsonl": text}, fields=FieldChoice(title="de"))
    assert says("\n".join([problem.message for problem in bad.problems]))
    (good,) = send("topics", {"t.jsonl": text}, fields=FieldChoice(title="fr"))
    assert good.added
    stored = topics.find(small, "1")
    assert stored is not None
    assert stored.topic == Topic("1", "fleuves gelés", fields={"en": "frozen rivers", "language": "fr"})


def test_topics_say_what_is_new_and_what_changed(small: Campaign, send: Send) -> None:
    (report,) = send("topics", {"t.tsv": "1\tfrozen rivers\n2\tcold lakes\n3\tdry land\n"})
    assert report.sentence == "added: 1 topic new, 1 topic changed, 1 topic as before"
    assert topics.topic_ids(small) == ["1", "10", "2", "3"]


def test_a_pdf_and_an_image_are_documents(small: Campaign, send: Send) -> None:
    reports = send("documents", {"paper.pdf": pdf("Ice."), "river.png": png()})
    assert [report.sentence for report in reports] == ["added: 1 document, 1 text new"] * 2
    paper, river = (documents.find(small, name) for name in ("paper", "river"))
    assert paper and river
    assert (paper.document.text, river.document.text[:22]) == ("Ice.", '<img src="data:image/p')


def test_a_collection_is_complete_with_its_last_file_and_only_when_none_was_refused(
    small: Campaign, send: Send
) -> None:
    good = {f"{name}.jsonl": f'{{"id": "{name}", "text": "Text."}}\n' for name in "xyz"}
    send("documents", {"bad.jsonl": "{", **good}, complete=True)
    assert not settings.read(small).documents_complete
    send("documents", good, complete=True)
    assert settings.read(small).documents_complete


def test_a_campaign_that_another_process_writes_is_distinguished_from_a_bad_file(
    small: Campaign, send: Send, monkeypatch: pytest.MonkeyPatch
) -> None:
    def busy(*_: object, **__: object) -> None:
        raise CampaignUnavailable("small.db: busy")

    monkeypatch.setattr(uploads, "add_runs", busy)
    (report,) = send("runs", {"a.run": GOOD.format(tag="gamma")})
    assert (report.added, says(str(report.problems[0]))) == (False, True)


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress])
def test_a_file_that_expands_beyond_the_limit_is_not_read(
    small: Campaign, send: Send, pack: Callable[[bytes], bytes]
) -> None:
    bomb = pack(b" " * 30_000_000)
    (report,) = send("runs", {"bomb.gz": bomb}, expanded=20_000_000)
    assert not report.added
    assert says(report.problems[0].message)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"PK\x03\x04\0\0 a.txt",
        encrypted(pdf("ice"), "secret"),
        png_bomb(30_000, 30_000),
        b"PAR1" + b"\0" * 100,
        gzip.compress(b"PAR1" + b"\0" * 100, mtime=0),
        gzip.compress(b"1 Q0 d1 1 2.5 t\n" * 99, mtime=0)[:-9],
    ],
)
def test_what_cannot_be_read_is_refused_with_the_reason(send: Send, content: bytes) -> None:
    (report,) = send("documents", {"x": content})
    assert not report.added
    assert report.problems[0].file == "x"
    assert says(report.problems[0].message)


def test_of_each_kind_of_problem_the_first_are_listed_and_the_others_counted(send: Send) -> None:
    lines = "".join(f"1 Q0 d{number} 1 high gamma\n" for number in range(40))
    (report,) = send("runs", {"a.run": lines + "1 Q0\n"})
    assert says(report.sentence)
    assert [problem.line for problem in report.problems] == [41, 1, 2, 3, None]
    assert report.problems[-1].message == "and 37 more of these, at lines 4, 5, 6, 7, 8, …"


def test_problems_beyond_those_that_an_error_holds_are_counted_too(
    send: Send, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        problems = [Problem("a.jsonl", line, "no id") for line in range(1, 31)]
        raise InputError(problems, more=7)

    monkeypatch.setitem(uploads.KINDS, "documents", broken)
    (report,) = send("documents", {"a.jsonl": "{}"})
    assert ([problem.line for problem in report.problems], report.more) == ([*range(1, 26)], 30 - 25 + 7)


def test_a_repair_that_was_chosen_takes_the_file_and_stands_in_the_report(
    small: Campaign, send: Send
) -> None:
    twice = "1 Q0 d1 1 3 gamma\n1 Q0 d1 2 2 gamma\n"
    (report,) = send("runs", {"a.run": twice}, repairs=Repairs(duplicates="first"))
    ((number, (repair,)),) = [(run.run, run.repairs) for run in runs.all_runs(small) if run.repairs]
    assert (number, repair[:2]) == (3, ("duplicates first", 1))
    said = repair[2]
    assert says(report.sentence, said)
    assert report.check is not None
    assert said not in [warning.message for warning in report.warnings]


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ("runs/bm25.run", "bm25.run"),
        ("..\\..\\windows\\win.ini", "win.ini"),
        ("/etc/passwd", "passwd"),
        ("../..", "file"),
        ("-", "file"),
        (None, "file"),
        ("a\0b\nc\u202e.run", "abc.run"),
        ("検索.run", "検索.run"),
        ("x" * 500 + ".run.gz", "x" * 40 + "…" + "x" * 73 + ".run.gz"),
        ("irds:cranfield", "irds_cranfield"),
    ],
)
def test_a_name_is_shown_without_folders_and_tricks(given: str | None, name: str) -> None:
    assert clean_name(given) == name


def test_a_sample_is_a_pool_with_judgments_of_the_assessor_that_is_named(small: Campaign, send: Send) -> None:
    text = "1 0 d1 1 2\n1 0 d5 2 1\n1 0 d6 2 -1\n"
    (checked,) = send("samples", {"s.txt": text}, only_check=True)
    assert (checked.added, pools.all_pools(small)[1:]) == (False, [])
    assert checked.sentence.startswith(
        "good, not added: Pool 2 would be the sample: 3 candidates, 2 of them drawn"
    )
    (report,) = send("samples", {"s.txt": text}, assessor="NIST")
    assert report.sentence.endswith("1 of them new. 2 judgments of NIST.")
    assert says(report.warnings[0].message)
    assert {(row.assessor, row.source) for row in judgments.log(small)} == {("NIST", "s.txt")}


def test_a_sample_that_would_change_labels_is_refused_with_the_command_that_asks(
    small: Campaign, send: Send, tmp_path: Path
) -> None:
    (tmp_path / "ldc.txt").write_text("1 0 d1 0\n")
    add_qrels(small.by("Olga"), [str(tmp_path / "ldc.txt")], assessor="LDC")
    (report,) = send("samples", {"s.txt": "1 0 d1 1 2\n"}, assessor="NIST")
    (problem,) = report.problems
    assert says(problem.message)
    assert (report.added, len(pools.all_pools(small))) == (False, 1)


def test_a_sample_under_the_name_of_an_assessor_from_here_is_refused(small: Campaign, send: Send) -> None:
    judge_as(small, "anna", "1", "d1", 1)
    (report,) = send("samples", {"s.txt": "1 0 d1 1 2\n"}, assessor="anna")
    assert says(report.problems[0].message)


def test_a_sample_that_makes_the_pool_much_larger_is_refused_with_the_command_that_asks(
    small: Campaign, send: Send
) -> None:
    text = "".join(f"1 0 e{number} 1 0\n" for number in range(600))
    (report,) = send("samples", {"s.txt": text}, expanded=100_000)
    assert says(report.problems[0].message)
    assert "workbench add sample small FILE" in report.problems[0].message
    assert len(pools.all_pools(small)) == 1


DEEP, COLD = {"text": "It is deep.", "importance": "vital"}, {"text": "النهر بارد.", "importance": "okay"}


def bank_of(*found: dict[str, str]) -> str:
    return json.dumps({"qid": "1", "query": "", "nuggets": found})


def nuggets_of(campaign: Campaign, topic_id: str) -> list[tuple[str, bool]]:
    bank = nuggets.bank_of(campaign, topic_id)
    return [(each.text, each.proposed) for each in bank.nuggets] if bank else []


def test_nuggets_are_shown_before_they_replace_those_of_their_topics(small: Campaign, send: Send) -> None:
    send("nuggets", {"a.jsonl": bank_of(DEEP, COLD)})
    assert nuggets_of(small, "1") == [("It is deep.", False), ("النهر بارد.", False)]
    (checked,) = send("nuggets", {"b.jsonl.gz": gzip.compress(bank_of(DEEP).encode())}, only_check=True)
    assert says(checked.sentence, "0 new, 0 changed, 1 gone, 1 same")
    assert says(checked.warnings[0].message)
    assert (checked.added, len(nuggets_of(small, "1"))) == (False, 2)
    (report,) = send("nuggets", {"b.jsonl": bank_of(DEEP)})
    assert report.added
    assert nuggets_of(small, "1") == [("It is deep.", False)]
    (again,) = send("nuggets", {"b.jsonl": bank_of(DEEP)})
    assert says(again.sentence)
    assert again.warnings == ()


def test_nuggets_that_are_only_proposed_join_those_of_their_topic(small: Campaign, send: Send) -> None:
    send("nuggets", {"a.jsonl": bank_of(DEEP)})
    (report,) = send("nuggets", {"model.jsonl": bank_of(COLD)}, proposed=True)
    assert says(report.sentence, "1 new, 0 changed, 0 gone, 1 same")
    assert report.warnings == ()
    assert nuggets_of(small, "1") == [("It is deep.", False), ("النهر بارد.", True)]


def test_a_file_of_nuggets_has_its_topic_in_the_name_it_was_sent_by(small: Campaign, send: Send) -> None:
    (good, other) = send(
        "nuggets", {"nuggets_2.json": '{"How deep?": {"9 m": []}}', "nuggets_9.json": '{"Why?": {"x": []}}'}
    )
    assert (good.added, other.added) == (True, False)
    assert nuggets_of(small, "2") == [("How deep?", False)]
    assert other.problems[0].file == "nuggets_9.json"
    assert says(other.problems[0].message)


@pytest.mark.parametrize("content", [b"", b"PAR1", b"{", b'{"qid": "1"}', gzip.compress(b" " * 100_000)])
def test_what_holds_no_nuggets_adds_nothing(small: Campaign, send: Send, content: bytes) -> None:
    (report,) = send("nuggets", {"a.jsonl": content})
    assert (report.added, nuggets_of(small, "1")) == (False, [])
    assert report.problems[0].file == "a.jsonl"
    assert says(report.problems[0].message)


def test_runs_are_named_in_the_ways_there_are(send: Send) -> None:
    with refused(UnknownName, "colour"):
        send("runs", {"a.run": GOOD.format(tag="gamma")}, name="colour")
    with refused(UnknownName, "sounds"):
        send("sounds", {"a.run": GOOD.format(tag="gamma")})


def test_after_a_check_that_was_stopped_nothing_more_is_read_and_the_way_out_is_said(
    small: Campaign, tmp_path: Path
) -> None:
    sent = [Sent(tmp_path / name, name) for name in ("a.run", "b.run")]
    message = "it died"

    def reports(fails: Callable[[Work], object]) -> list[Report]:
        return list(receive(small.by("Olga"), "runs", sent, expanded=100, run=fails))

    def stopped(work: Work) -> object:
        raise JobFailed(message)

    def stopped_late(work: Work) -> object:
        with small.write():
            members.put(small.by("Olga"), "anna", "assessor", team="")
        raise JobFailed(message)

    def cancelled(work: Work) -> object:
        raise Cancelled

    found = reports(stopped)
    assert [(report.file, report.added, report.sentence) for report in found] == [
        ("a.run", False, "not added"),
        ("b.run", False, "not added"),
    ]
    assert says("\n".join(str(problem) for report in found for problem in report.problems), message)
    assert says(reports(stopped_late)[0].problems[0].message)
    with pytest.raises(Cancelled):
        reports(cancelled)


def test_topics_that_come_from_a_run_are_counted(tmp_path: Path) -> None:
    (path := tmp_path / "a.run").write_text(GOOD.format(tag="gamma"), encoding="utf-8")
    with create_campaign(tmp_path / "empty.db") as campaign:
        (report,) = receive(campaign.by("Olga"), "runs", [Sent(path, "a.run")], expanded=10_000)
    assert report.sentence == "added: run gamma, 3 topics, 3 lines; 3 topic ids taken from it"


@pytest.mark.parametrize(
    "content",
    [
        f"# {'c' * 1_000_001}\n{GOOD.format(tag='t')}",
        GOOD.format(tag="t" * 1_000_001),
        f"1 Q0 {'d' * 501} 1 2.5 t\n",
    ],
    ids=["comment", "tag", "id"],
)
def test_a_run_with_an_endless_comment_tag_or_id_is_refused_with_a_sentence(
    small: Campaign, send: Send, content: str
) -> None:
    sender = Sender("Delft", received=datetime(2027, 3, 1, tzinfo=UTC))
    (report,) = send("runs", {"a.run": content}, expanded=10_000_000, sender=sender, for_team=True)
    assert not report.added
    assert says(report.problems[0].message)
    assert all(len(problem.message) < 500 for problem in report.problems)
