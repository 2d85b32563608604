"""Labels of models by command: what is said of the judge is kept, and they leave as they came."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from tests.fixture_types import Fails, Workbench
from tests.sentences import says
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.models import judges

LABELS = "add model-labels small l.txt --form qrels --judge gpt"


def given(text: str = "1 0 d1 2\n1 0 d2 0\n") -> None:
    Path("l.txt").write_text(text, encoding="utf-8")


def test_all_that_is_said_of_a_judge_is_kept(done: Workbench, campaign: Campaign) -> None:
    given()
    Path("p.txt").write_text("Is {document} about {topic}? ✓\n", encoding="utf-8")
    said = "--model some-7b --provider here --family some --prompt p.txt --scale 2,0,1 --narrative --cut 300"
    told = done(LABELS, *said.split(), "--parameters", '{"temperature": 0, "stop": ["a"]}').stderr
    assert says(told, "2 answers", "gpt")
    judge = judges.judge_named(campaign, "gpt")
    assert (judge.model, judge.provider, judge.family, judge.cut) == ("some-7b", "here", "some", "300")
    assert (judge.prompt, judge.scale, judge.narrative) == (
        "Is {document} about {topic}? ✓\n",
        (0, 1, 2),
        True,
    )
    assert judge.parameters == {"temperature": 0, "stop": ["a"]}
    assert says(done(LABELS).stderr, "0 answers", "2 answers already present")
    assert len(judges.versions(campaign, "gpt")) == 1


def test_a_dry_run_changes_nothing(done: Workbench, state: Callable[[], bytes]) -> None:
    given()
    before = state()
    assert says(done(f"{LABELS} --dry-run").stderr, "2 answers")
    assert state() == before


def test_labels_are_exported_with_all_answers_or_as_qrels_of_one_judge(done: Workbench, fails: Fails) -> None:
    given()
    done(LABELS)
    done("add model-labels small l.txt --form qrels --judge bert")
    first = [json.loads(line) for line in done("export model-labels small --judge gpt").stdout.splitlines()]
    assert [next(iter(each)) for each in first] == ["judge", "batch", "batch"]
    assert done("export model-labels small --judge gpt --format qrels").stdout == "1 0 d1 2\n1 0 d2 0\n"
    assert says(fails("export model-labels small --format qrels", status=2))
    assert says(fails("export model-labels small --judge gtp"), "gpt")
    done("export model-labels small -o all.jsonl")
    done("new again --grades 0:No,1:Yes,2:Very")
    assert says(done("add model-labels again all.jsonl --form workbench").stderr, "4 answers")
    assert done("export model-labels again").stdout == Path("all.jsonl").read_text(encoding="utf-8")
    assert says(done("audit again").stderr)


def test_exports_say_which_layers_count(done: Workbench) -> None:
    given()
    done(LABELS)
    assert says(done("export qrels small").stderr, "gpt")
    assert says(done("export qrels small --source model").stderr, "gpt")
    done("rule small --models gaps")
    Path("i.txt").write_text("2 0 d1 2\n", encoding="utf-8")
    done("add qrels small i.txt")
    assert says(done("export qrels small").stderr, "gpt", "imported")
    assert says(done("export scores small").stderr, "gpt", "imported")


def test_a_judge_that_cannot_be_is_refused(fails: Fails, state: Callable[[], bytes]) -> None:
    given()
    before = state()
    for words in (
        "--form qrels",
        "--form workbench --judge gpt",
        "--form qrels --judge gpt --scale 0,a",
        "--form qrels --judge gpt --parameters [1]",
        "--form qrels --judge gpt --parameters NaN",
        "--form trec --judge gpt",
    ):
        assert says(fails(f"add model-labels small l.txt {words}", status=2))
    assert says(fails("add model-labels small l.txt --form qrels --judge gpt --question other"), "other")
    assert says(fails("add model-labels small l.txt --form umbrela --judge gpt"), "--against")
    assert state() == before
    assert says(fails("add model-labels small l.txt gone.txt --form qrels --judge gpt"), "gone.txt")


def test_a_campaign_that_forbids_them_says_how_they_are_allowed(done: Workbench, fails: Fails) -> None:
    given()
    assert says(done("rule small --models forbidden").stderr)
    assert says(fails(LABELS), "judging rule small")
