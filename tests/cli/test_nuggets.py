"""add, campaign and export nuggets: banks of topics come in from files, are listed, and go out as they came in."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.fixture_types import Fails, Rows, Workbench
from tests.sentences import says
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import nuggets


def bank(topic_id: str, *texts: str, **more: Any) -> dict[str, Any]:
    """A bank of nuggetizer's form; a text that ends with ! is vital."""
    found = [{"text": text, "importance": "vital" if text.endswith("!") else "okay"} for text in texts]
    return {"qid": topic_id, "query": "rivers", "nuggets": found, **more}


def put(name: str, *banks: Any) -> str:
    """A file of these banks; its name."""
    Path(name).write_text("".join(json.dumps(each) + "\n" for each in banks))
    return name


@pytest.fixture
def added(done: Workbench) -> Workbench:
    """The campaign `small` with nuggets of topics 1 and 10."""
    done(f"add nuggets small {put('old.jsonl', bank('10', 'Ten!'), bank('1', 'Deep!', 'Long', 'Cold'))}")
    return done


def test_topics_with_nuggets_are_listed_with_the_newest_version(added: Workbench, rows: Rows) -> None:
    added(f"add nuggets small {put('new.jsonl', bank('1', 'Deep!', 'Wide!'))}")
    found = [list(row.values()) for row in rows("campaign nuggets small")]
    assert [row[:5] for row in found] == [["1", "2", "2", "2", "0"], ["10", "1", "1", "1", "0"]]
    assert list(rows("nuggets small")[0]) == [
        *("topic", "version", "nuggets", "vital", "proposed", "last_change", "by")
    ]


def test_the_nuggets_of_a_topic_are_listed_as_of_any_row(added: Workbench, rows: Rows) -> None:
    first = added("nuggets small 1 --format json").stdout
    before = json.loads(added("nuggets small --format json").stdout)[0]["last_change"]
    put(
        "new.json",
        {
            "query_id": "1",
            "nugget_bank": {
                "How deep?": {
                    "question": "How deep?",
                    "question_id": "q1",
                    "importance": "vital",
                    "answers": [{"answer": "9 m"}, {"answer": "10 m"}],
                    "references": ["d1", {"doc_id": "d2", "offsets": {"start_offset": 3, "end_offset": 9}}],
                    "creator": [
                        {"is_human": True, "assessor_id": "Ann"},
                        {"is_human": False, "llm_model": "m"},
                    ],
                }
            },
        },
    )
    time.sleep(0.005)
    added("add nuggets small new.json")
    assert [list(row.values()) for row in rows("nuggets small 1")] == [
        ["q1", "How deep?", "vital", "9 m; 10 m", "d1; d2 (3 to 9)", "Ann; m", "no"]
    ]
    assert added(f"nuggets small 1 --as-of {before} --format json").stdout == first


def test_what_would_change_is_shown_and_nothing_changed(added: Workbench, state: Callable[[], bytes]) -> None:
    before = state()
    one = bank("1", "Deep!", "Long", "Wide")
    one["nuggets"][1]["importance"] = "vital"
    put("new.jsonl", one, bank("10", "Ten!"), bank("2"))
    assert says(added("add nuggets small new.jsonl --dry-run").stderr, "1 new, 1 changed, 1 gone, 1 same")
    assert state() == before
    assert says(added("add nuggets small new.jsonl").stderr, "1 new, 1 changed, 1 gone, 1 same")


def test_of_many_topics_the_first_are_named(done: Workbench) -> None:
    Path("more.tsv").write_text("".join(f"t{number}\tTopic {number}\n" for number in range(22)))
    done("add topics small more.tsv")
    put("new.jsonl", *(bank(f"t{number}", "x") for number in range(22)))
    said = done("add nuggets small new.jsonl").stderr.splitlines()
    assert len(said) == 22
    assert says("\n".join(said[-2:]), "2 more", "22 new")


def test_the_same_nuggets_again_change_nothing(added: Workbench, state: Callable[[], bytes]) -> None:
    before = state()
    put("again.jsonl", {"qid": "2", "query": "", "nuggets": []}, bank("1", "Deep!", "Long", "Cold"))
    assert says(added("add nuggets small old.jsonl").stderr, "2 topics")
    assert state() == before
    assert says(added("add nuggets small again.jsonl").stderr, "0 new")


def test_proposals_join_the_nuggets_of_a_topic_and_are_not_judged(
    added: Workbench, campaign: Campaign, rows: Rows
) -> None:
    put(
        "model.json",
        {
            "query_id": "1",
            "claim_bank": [{"claim": "Deep!"}, {"claim": "Wide", "creator": {"llm_model": "m"}}],
        },
    )
    put("two.jsonl", bank("2", "Two"))
    assert says(added("add nuggets small model.json two.jsonl --proposed").stderr, "2 new", "0 gone")
    found = [(row["text"], row["proposed"], row["made_by"]) for row in rows("nuggets small 1")]
    assert found == [("Deep!", "no", ""), ("Long", "no", ""), ("Cold", "no", ""), ("Wide", "yes", "m")]
    (one, two) = (nuggets.bank_of(campaign, topic_id) for topic_id in ("1", "2"))
    assert one is not None
    assert two is not None
    assert [len(nuggets.judged(each)) for each in (one, two)] == [3, 0]
    exported = added("export nuggets small --form nuggetizer")
    assert [json.loads(line) for line in exported.stdout.splitlines()] == [
        *(bank("2"), bank("10", "Ten!"), bank("1", "Deep!", "Long", "Cold"))
    ]
    assert says(exported.stderr, "2 proposals")


def test_proposals_in_the_bank_are_proposed_once(added: Workbench) -> None:
    put("model.jsonl", bank("1", "Wide"))
    added("add nuggets small model.jsonl --proposed")
    assert says(added("add nuggets small model.jsonl --proposed").stderr)


@pytest.mark.parametrize("form", ["nuggetizer", "v4", "argue"])
def test_what_came_in_goes_out_in_its_form_to_the_last_letter(done: Workbench, form: str) -> None:
    usage = bank("1", "Deep!", trace={"cost": 1.5, "seen": None})
    argue = {"query_id": "1", "nugget_bank": {"Who?": {"question": "Who?", "importance": 2}}, "x": [1, "é"]}
    sent: dict[str, Any] = {
        "nuggetizer": usage,
        "argue": argue,
        "v4": {"banks": {"1": usage, "2": bank("2", "b")}, "v": 4},
    }
    Path("sent.json.gz").write_bytes(gzip.compress(json.dumps(sent[form], ensure_ascii=False).encode()))
    done("add nuggets small sent.json.gz")
    done(f"export nuggets small --form {form} -o out.json")
    assert Path("out.json").read_text() == json.dumps(sent[form], ensure_ascii=False) + "\n"
    again = done(f"add nuggets small out.json --form {'nuggetizer' if form == 'v4' else form}").stderr
    assert says(again)


def test_another_form_has_what_came_in_as_metadata(added: Workbench) -> None:
    lines = added("export nuggets small --form argue").stdout.splitlines()
    (ten, one) = map(json.loads, lines)
    assert ten["metadata"] == {"nuggetizer": bank("10", "Ten!")}
    assert [claim["claim"] for claim in one["claim_bank"].values()] == ["Deep!", "Long", "Cold"]


FORMS = {"nugget_bank": {"Deep?": {"question": "Deep?"}}, "query_id": "1", "topic_id": "2", "rubrics": []}


def test_a_file_of_two_forms_needs_its_form(done: Workbench, fails: Fails, rows: Rows) -> None:
    put("both.json", FORMS)
    assert says(fails("add nuggets small both.json"), "both.json:1", "argue and rubric")
    done("add nuggets small both.json --form argue")
    assert [row["topic"] for row in rows("nuggets small")] == ["1"]
    assert says(fails("add nuggets small both.json --form arge"), "argue")


@pytest.mark.parametrize(
    ("files", "named"),
    [
        ({"a.jsonl": [bank("1", "x"), bank("7", "x")]}, ["a.jsonl:2", "7"]),
        (
            {"a.jsonl": [bank("1", "x")], "b.jsonl": [bank("2", "x"), bank("1", "y")]},
            ["b.jsonl:2", "a.jsonl"],
        ),
        ({"a.jsonl": [bank("1", "x")], "b.jsonl": [{"qid": "1", "nuggets": [{"text": 3}]}]}, ["b.jsonl:1"]),
        (
            {"a.jsonl": [{"qid": "1", "query": "", "nuggets": [{"text": "x", "importance": "high"}]}]},
            ["a.jsonl:1", "nuggets[0].importance", "high"],
        ),
        ({"a.jsonl": [bank("1", "x" * 1_001), bank("2", "x", "x")]}, ["a.jsonl:1", "a.jsonl:2"]),
        ({"a.jsonl": [bank("1!x", "y")]}, ["1!x"]),
    ],
    ids="unknown two unread field faults question".split(),
)
def test_what_is_wrong_is_refused_with_its_place_and_nothing_is_added(
    fails: Fails, state: Callable[[], bytes], files: dict[str, list[Any]], named: list[str]
) -> None:
    before = state()
    names = " ".join(put(name, *banks) for name, banks in files.items())
    assert says(fails(f"add nuggets small {names}"), *named)
    assert says(fails(f"add nuggets small {names} --dry-run"), *named)
    assert state() == before


HOSTILE = {
    "large": b'{"qid": "1", "query": "' + b"x" * 100_000_000 + b'", "nuggets": []}',
    "many": b'{"qid": "1", "query": "", "nuggets": ['
    + b", ".join(b'{"text": "t%d"}' % number for number in range(200_000))
    + b"]}",
    "deep": b'{"qid": "1", "query": "", "nuggets": [{"text": "x", "trace": '
    + b"[" * 100_000
    + b"]" * 100_000
    + b"}]}",
    "parts": b'{"query_id": "1", "claim_bank": ['
    + b'{"claim": "x", "sub_nuggets": [' * 70
    + b"]}" * 70
    + b"]}",
    "binary": bytes(range(256)),
    "cut": b'{"qid": "1", "query": "", "nugg',
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_file_is_refused(fails: Fails, state: Callable[[], bytes], name: str) -> None:
    before = state()
    Path("bank.json").write_bytes(HOSTILE[name])
    said = fails("add nuggets small bank.json")
    assert says(said, "bank.json")
    assert len(said) < 10_000
    assert state() == before


def test_a_quota_holds_for_nuggets_too(done: Workbench, fails: Fails, state: Callable[[], bytes]) -> None:
    done("quota small 1")
    before = state()
    put("large.jsonl", *(bank(topic_id, "x", trace="y" * 1_000_000) for topic_id in ("1", "2")))
    assert says(fails("add nuggets small large.jsonl"), "1.0 MB")
    assert state() == before


def test_a_topic_or_campaign_without_nuggets_is_told_how_to_add_them(done: Workbench, fails: Fails) -> None:
    assert says(done("nuggets small").stderr, "add nuggets small")
    assert says(done("nuggets small 1").stderr, "add nuggets small")
    assert says(fails("nuggets small 7"), "7")
    assert says(done("export nuggets small --form v4").stderr)


def test_two_who_add_at_once_both_succeed_one_after_the_other(folder: Path, campaign: Campaign) -> None:
    put("a.jsonl", bank("1", "a"))
    put("b.jsonl", bank("1", "b"), bank("2", "b"))
    program = [sys.executable, "-m", "workbench", "add", "nuggets", "small"]
    started = [subprocess.Popen([*program, name], stderr=subprocess.PIPE) for name in ("a.jsonl", "b.jsonl")]
    assert [each.wait() for each in started if each.communicate()] == [0, 0]
    found = nuggets.versions(campaign, "1")
    assert sorted(each.bank.nuggets[0].text for each in found) == ["a", "b"]
