"""new, add and check, as somebody types them."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.archives import tarred, zipped
from tests.fixture_types import Fails, Workbench
from tests.log_rows import row
from tests.sentences import says
from workbench.cli import adding_labels
from workbench.core.records import Grade
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.collection import documents, runs
from workbench.storage.campaign.log import log
from workbench.storage.campaign.organising import settings


def test_a_new_campaign_has_the_settings_it_was_given(done: Workbench) -> None:
    Path("rules.txt").write_text("Judge what you see. ✓", encoding="utf-8")
    words = ["--title", "Web", "--grades", "-1:Spam,1:No,2:Yes|A bit, or more", "--relevant-from", "2"]
    done("new web", *words, "--guidelines", "rules.txt")
    with open_campaign("instance/web.db") as campaign:
        found = settings.read(campaign)
    assert found.grades == (Grade(-1, "Spam"), Grade(1, "No"), Grade(2, "Yes", "A bit, or more"))
    assert (found.title, found.relevant_from, found.guidelines) == ("Web", 2, "Judge what you see. ✓")


def test_a_new_campaign_makes_its_instance_and_says_what_comes_next(done: Workbench) -> None:
    result = done("new 'my web'")
    assert (result.stdout, Path("instance/my web.db").is_file()) == ("", True)
    assert "workbench add topics 'my web' FILE" in result.stderr
    assert "add topics there/b.db FILE" in done("new b --instance there").stderr
    assert Path("there/b.db").is_file()


def test_a_campaign_is_filled_step_by_step(done: Workbench) -> None:
    done("new web")
    assert says(done("add topics web topics.tsv").stderr)
    added = done("add documents web documents.jsonl")
    assert says(added.stderr)
    runs_added = done("add runs web alpha.run beta.run --team Glasgow")
    assert runs_added.stderr.endswith("2 runs added (11 lines).\n")
    Path("q.txt").write_text("1 0 d1 1\n7 0 d1 1\n", encoding="utf-8")
    qrels = done("add qrels web q.txt --extra-topics drop --assessor NIST")
    assert says(qrels.stderr, "NIST")
    assert (added.stdout, runs_added.stdout, qrels.stdout) == ("", "", "")


def test_the_field_that_is_the_title_is_chosen_and_the_first_topic_printed_as_assessors_see_it(
    done: Workbench, fails: Fails
) -> None:
    done("new clef")
    Path("q.xml").write_text(
        "<q><query><id>2</id><en>anemia</en><fr>an\u00e9mie</fr></query><query><id>1</id><en>x</en></query></q>",
        encoding="utf-8",
    )
    assert says(fails("add topics clef q.xml --title-field english"), "english")
    assert done("add topics clef q.xml --title-field fr").stderr.endswith(
        "Assessors see topic 1 as:\n  1\n  en: x\n  language: fr\n"
    )


def test_a_topic_is_printed_in_short_and_without_control_characters(done: Workbench) -> None:
    done("new long")
    topic = {"id": "0", "title": "\x1b[31mred", "story": "long " * 100}
    Path("q.jsonl").write_text(json.dumps(topic), encoding="utf-8")
    printed = done("add topics long q.jsonl").stderr
    assert printed.endswith(f"Assessors see topic 0 as:\n   [31mred\n  story: {('long ' * 100)[:93]} …\n")


def test_runs_topics_and_qrels_may_come_from_standard_input(done: Workbench) -> None:
    run = gzip.compress(b"1 Q0 d1 1 3 piped\n")
    assert "1 run added (1 line)." in done("add runs small -", given=run).stderr
    assert says(done("add topics small -", given="4\ttall trees\n").stderr)
    assert "1 judgment imported" in done("add qrels small -", given="4 0 d1 1\n").stderr


def test_runs_with_one_tag_are_named_by_their_files(workbench: Workbench, done: Workbench) -> None:
    for name in ("x", "y"):
        Path(f"{name}.run").write_text(f"1 Q0 {name} 1 3 bm25\n", encoding="utf-8")
    result = workbench("add runs small x.run y.run --all-or-nothing")
    assert says(result.stderr, "bm25")
    done("add runs small x.run y.run --name file --no-pool")
    with open_campaign("instance/small.db") as campaign:
        told = [(run.record.tag, run.record.contributes) for run in runs.all_runs(campaign)]
    assert told[2:] == [("x", False), ("y", False)]


def test_good_files_are_added_beside_a_bad_one_unless_all_or_nothing_is_asked_for(
    fails: Fails, state: Callable[[], bytes]
) -> None:
    for name in ("x", "y"):
        Path(f"{name}.run").write_text(f"1 Q0 {name} 1 3 {name}\n", encoding="utf-8")
    Path("bad.run").write_text("1 Q0 d1 1 3 bad\n1 Q0 d1 2 2 bad\n", encoding="utf-8")
    before, bytes_before = state(), Path("instance/small.db").read_bytes()
    assert says(fails("add runs small x.run y.run bad.run --all-or-nothing"))
    assert state() == before
    assert Path("instance/small.db").read_bytes() == bytes_before
    assert says(fails("add runs small x.run bad.run y.run"), "bad.run:2", "d1")
    with open_campaign("instance/small.db") as campaign:
        assert [run.record.tag for run in runs.all_runs(campaign)] == ["alpha", "beta", "x", "y"]


def test_a_repair_is_chosen_reported_and_recorded(done: Workbench) -> None:
    Path("bad.run").write_text("1 Q0 d1 1 3 bad\n1 Q0 d1 2 4 bad\n", encoding="utf-8")
    assert says(done("add runs small bad.run --duplicates best-score").stderr, "bad.run")
    with open_campaign("instance/small.db") as campaign:
        repairs = {run.run: [repair[:2] for repair in run.repairs] for run in runs.all_runs(campaign)}
    assert repairs == {1: [], 2: [], 3: [("duplicates best-score", 1)]}


def test_check_says_what_add_would_say_and_changes_nothing(
    workbench: Workbench, state: Callable[[], bytes]
) -> None:
    Path("x.run").write_text("01 Q0 d1 1 3 x\n", encoding="utf-8")
    before = state()
    alone = workbench("check x.run")
    assert (alone.exit_code, alone.stdout) == (0, "x.run: fine: run x, 1 topic, 1 line\n")
    checked, added = (
        workbench(*words, "x.run") for words in (["check", "--campaign", "small"], ["add", "runs", "small"])
    )
    assert (checked.exit_code, added.exit_code) == (1, 1)
    assert (checked.stdout, added.stderr.startswith(checked.stderr)) == ("", True)
    assert says(checked.stderr, "x.run:1", "01")
    assert state() == before


def test_the_report_of_a_check_has_a_fixed_form_for_programs(workbench: Workbench) -> None:
    Path("x.run").write_text("01 Q0 d1 0 3 x\n01 Q0 d1 1 2 x\n", encoding="utf-8")
    result = workbench("check alpha.run x.run gone.run --format json")
    fine, x, gone = json.loads(result.stdout)
    assert (result.exit_code, result.stderr) == (1, "")
    assert fine == {"file": "alpha.run", "verdict": "fine", "problems": [], "counts": {}}
    assert (x["verdict"], x["counts"]) == ("refused", {"duplicate": 1, "rank": 1})
    assert says(x["problems"][0].pop("message"), "d1", "01", "line 1")
    assert x["problems"][0] == {"line": 2, "kind": "duplicate"}
    assert (gone["verdict"], gone["counts"]) == ("refused", {"unreadable": 1})


def test_documents_added_after_the_pool_give_it_its_texts(done: Workbench) -> None:
    assert says(done("add documents small documents.jsonl").stderr, "d6")
    Path("more.jsonl").write_text(json.dumps({"id": "d6", "text": "deep"}) + "\n", encoding="utf-8")
    assert done("add documents small more.jsonl").stderr == "1 document seen, 1 text stored.\n"
    with open_campaign("instance/small.db") as campaign:
        assert documents.without_text(campaign) == []


def test_columns_of_documents_are_chosen_or_refused_with_those_that_there_are(
    done: Workbench, fails: Fails
) -> None:
    Path("a.csv").write_text("nr,words,kop,link\nd6,deep ice,Ice,http://x/6\n", encoding="utf-8")
    chosen = "--text-field words --title-field kop --address-field link"
    assert says(fails("add documents small a.csv"))
    assert says(fails(f"add documents small a.csv {chosen} --id-field key"), "nr, words, kop, link")
    assert says(done(f"add documents small a.csv {chosen} --id-field nr").stderr)
    with open_campaign("instance/small.db") as campaign:
        stored = documents.find(campaign, "d6")
        assert settings.read(campaign).document_fields == "link: link"
    assert stored is not None
    assert stored.document[:3] == ("d6", "Ice", "deep ice")
    assert stored.document.fields == {"link": "http://x/6"}


def test_check_without_a_campaign_compares_the_files_with_one_another(workbench: Workbench) -> None:
    Path("copy.run").write_bytes(Path("alpha.run").read_bytes())
    refused = workbench("check alpha.run copy.run --name tag")
    assert (refused.exit_code, "'alpha' is there already" in refused.stderr) == (1, True)
    result = workbench("check alpha.run copy.run --name file")
    assert (result.exit_code, says(result.stdout, "alpha")) == (0, True)


def test_a_command_that_is_interrupted_says_that_nothing_of_it_is_kept(
    workbench: Workbench, state: Callable[[], bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    before = state()
    monkeypatch.setattr("workbench.storage.campaign.collection.runs.put_run", interrupted)
    result = workbench("add runs small -", given="1 Q0 d1 1 9 gamma\n")
    assert (result.exit_code, says(result.stderr.splitlines()[-1])) == (130, True)
    assert state() == before


def judged_by_ann(grade: int) -> None:
    with open_campaign("instance/small.db") as campaign, campaign.write():
        log.append_judgments(campaign, [row("Ann", "1", "d1", grade)])


def test_an_import_lists_the_labels_in_force_that_it_changes(done: Workbench) -> None:
    Path("a.txt").write_text("1 0 d1 2\n", encoding="utf-8")
    Path("b.txt").write_text("1 0 d1 0\n1 0 d2 1\n", encoding="utf-8")
    done("add qrels small a.txt")
    trial = done("add qrels small b.txt --assessor LDC --dry-run").stderr
    assert says(trial, "LDC")
    assert done("export qrels small").stdout == "1 0 d1 2\n"
    told = done("add qrels small - --assessor LDC", given=Path("b.txt").read_bytes()).stderr
    assert told.startswith(
        "This import changes 1 current label:\n  topic 1, document d1: 2 becomes 0\n2 judgments imported"
    )
    assert done("export qrels small").stdout == "1 0 d1 0\n1 0 d2 1\n"
    done("rule small --imports equal")
    assert says(done("add qrels small -", given="1 0 d2 0\n").stderr, "1 becomes 0")


def test_labels_of_a_model_fill_gaps_once_the_rule_says_so(done: Workbench) -> None:
    judged_by_ann(1)
    Path("m.txt").write_text("1 0 d1 0\n1 0 d2 1\n", encoding="utf-8")
    assert says(done("add model-labels small m.txt --form qrels --judge gpt").stderr, "--models gaps")
    assert done("export qrels small").stdout == "1 0 d1 1\n"
    assert done("export qrels small --source model").stdout == "1 0 d1 0\n1 0 d2 1\n"
    rules = done("rule small")
    assert says(rules.stderr)
    assert re.search(r"gaps +no +1  ", rules.stdout)
    assert says(done("rule small --models gaps").stderr)
    assert done("export qrels small").stdout == "1 0 d1 1\n1 0 d2 1\n"
    assert done("export qrels small --source here").stdout == "1 0 d1 1\n"


@pytest.mark.parametrize(("answer", "grade"), [("n\n", 2), ("y\n", 0)])
def test_on_a_terminal_an_import_that_changes_labels_is_made_after_a_question(
    workbench: Workbench, done: Workbench, monkeypatch: pytest.MonkeyPatch, answer: str, grade: int
) -> None:
    Path("a.txt").write_text("1 0 d1 2\n1 0 d2 2\n", encoding="utf-8")
    Path("b.txt").write_text("1 0 d1 0\n1 0 d2 0\n", encoding="utf-8")
    done("add qrels small a.txt")
    monkeypatch.setattr(adding_labels, "MOST_SHOWN", 1)
    monkeypatch.setattr(adding_labels, "sys", SimpleNamespace(stdin=SimpleNamespace(isatty=lambda: True)))
    told = workbench("add qrels small b.txt --assessor LDC", given=answer)
    asked = "  topic 1, document d1: 2 becomes 0\n  and 1 more\nImport these labels? [y/N]: "
    assert told.stderr.startswith(f"This import changes 2 current labels:\n{asked}")
    assert told.exit_code == (grade != 0)
    assert done("export qrels small").stdout == f"1 0 d1 {grade}\n1 0 d2 {grade}\n"


def test_the_report_of_a_check_is_also_written_as_a_page(workbench: Workbench) -> None:
    Path("there").mkdir()
    Path("there/x.run").write_text("1 Q0 d1 1 3 x\n1 Q0 d1 2 2 x\n", encoding="utf-8")
    for against in ("", "--campaign small"):
        checked = workbench(f"check there/x.run {against} --page x.html")
        assert (checked.exit_code, checked.stderr.splitlines()[0]) == (1, "Wrote x.html.")
        page = Path("x.html").read_text(encoding="utf-8")
        assert ("x.run" in page, "Small" in page) == (True, bool(against))
        assert "there" not in page.replace("there is", "")


def test_the_runs_of_archives_are_checked_and_added_each_with_its_report(
    done: Workbench, fails: Fails, workbench: Workbench
) -> None:
    done("new web")
    done("add topics web topics.tsv")
    texts = {name: Path(name).read_bytes() for name in ("alpha.run", "beta.run")}
    bad = texts["beta.run"].replace(b" beta", b" gamma") + b"1 Q0 d9 1 high gamma\n"
    Path("x.zip").write_bytes(zipped({**texts, "gamma.run": bad, "README.md": b"ours"}))
    Path("evil.tgz").write_bytes(tarred({"../alpha.run": b""}, "gz"))
    checked = workbench("check x.zip evil.tgz --campaign web")
    assert says(checked.stdout, "x.zip/alpha.run")
    assert says(checked.stderr, "README.md")
    assert says(checked.stderr, "'../alpha.run'")
    assert says(fails("add runs web x.zip evil.tgz --all-or-nothing"), "Nothing was added")
    assert says(fails("add runs web x.zip evil.tgz --team Delft"), "2 runs added")
    with open_campaign("instance/web.db") as campaign:
        found = [(run.record.tag, run.record.team, run.record.file) for run in runs.all_runs(campaign)]
    assert found == [("alpha", "Delft", "x.zip/alpha.run"), ("beta", "Delft", "x.zip/beta.run")]


@pytest.mark.data
def test_an_archive_of_submissions_as_teams_sent_them_has_the_same_reports_as_its_files(
    workbench: Workbench, data_folder: Path
) -> None:
    files = sorted(path for path in (data_folder / "messy-submissions" / "runs").iterdir())
    Path("x.zip").write_bytes(zipped({path.name: path.read_bytes() for path in files}))
    named = " ".join(f"'{path}'" for path in files)
    plain = json.loads(workbench(f"check {named} --format json").stdout)
    packed = json.loads(workbench("check x.zip --format json").stdout)
    assert [(each["verdict"], each["counts"]) for each in packed] == [
        (each["verdict"], each["counts"]) for each in plain
    ]
    assert [each["file"] for each in packed] == [f"x.zip/{path.name}" for path in files]
