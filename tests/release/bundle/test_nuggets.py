"""Nuggets come out of a bundle in all their versions, and name no one; the audit looks at each."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.found_wrong import wrong
from tests.judged_pairs import judge_as
from tests.release.bundle.test_importing import changed
from tests.sentences import refused, says
from workbench.core.errors import InputError
from workbench.formats.answers.bank_forms import read_banks
from workbench.formats.answers.banks import Bank, Creator, Nugget, Reference
from workbench.formats.answers.banks_written import banks_text
from workbench.formats.text.content import Content
from workbench.release.bundle.importing import import_bundle
from workbench.release.bundle.judging_arrangements import arrangement_rows
from workbench.release.bundle.writing import save_bundle
from workbench.storage.campaign import Campaign, open_campaign
from workbench.storage.campaign.collection import nuggets, topics
from workbench.storage.campaign.log.log import append_event

V4 = '{"format_version": "v4", "banks": {"2": {"query": "hills", "qid": "2", "nuggets": [{"text": "Green."}]}}}\n'


@pytest.fixture
def with_banks(small: Campaign) -> Campaign:
    """`small` with a bank of topic 1 in two versions, by people, and one of topic 2 from a model's file."""
    ann = Nugget(
        "Deep.", "n1", creators=(Creator("Ann", is_human=True),), references=(Reference("d1", (0, 4)),)
    )
    olga = Nugget("Cold.", "n2", creators=(Creator("Olga", is_human=True),), proposed=True)
    read = read_banks(Content("v4.json", V4.encode()))
    judge_as(small, "Ann", "1", "d1", 1)
    with small.write():
        nuggets.put(small.by("Olga"), Bank("1", (ann,), "argue", given={"written": {"by": "Ann"}}))
        nuggets.put(small.by("Olga"), Bank("1", (ann, olga), "argue", given={"written": {"by": "Ann"}}))
        nuggets.put(small.by("Olga"), read.banks[0], file="v4.json", container=read.container)
    return small


def test_every_version_of_a_bank_comes_out_of_a_bundle_without_who_made_it(
    with_banks: Campaign, tmp_path: Path
) -> None:
    path = save_bundle(with_banks, tmp_path / "small.zip").path
    import_bundle(path, tmp_path / "again.db", actor="Olga")
    with open_campaign(tmp_path / "again.db") as again:
        assert wrong(again) == []
        first, second = (each.bank for each in nuggets.versions(again, "1"))
        assert [each.nugget_id for each in second.nuggets] == ["n1", "n2"]
        assert [each.creators[0].name for each in second.nuggets] == ["assessor-1", "maker-1"]
        assert [each.proposed for each in second.nuggets] == [False, True]
        assert first.nuggets == second.nuggets[:1]
        assert first.nuggets[0].references == (Reference("d1", (0, 4)),)
        assert (first.given, first.form) == (None, "argue")
        assert banks_text(nuggets.bank_file(again, ["2"]), "v4") == V4


def test_the_rows_of_a_bundle_hold_neither_names_nor_files(with_banks: Campaign) -> None:
    written = "".join(arrangement_rows(with_banks, {"Ann": "assessor-1"}))
    assert not any(name in written for name in ("Ann", "Olga", "v4.json"))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("topic", "7"),
        ("bank", {"form": "", "nuggets": [{"text": 3}]}),
        ("bank", {"form": "", "nuggets": [{"text": "x" * 1_001}]}),
        ("bank", {"form": "", "nuggets": [{"text": "x", "creators": [{"name": 9, "is_human": True}]}]}),
        ("bank", {"form": "", "given": "[" * 100_000}),
        ("bank", [1]),
        ("people", ["\ud800"]),
        ("file", "secret.json"),
        ("container", "[1]"),
        ("container", '{"banks": null}'),
    ],
    ids="topic number long person deep list half file container banks".split(),
)
def test_a_bundle_that_says_what_no_bank_may_be_is_refused(
    with_banks: Campaign, tmp_path: Path, name: str, value: Any
) -> None:
    def other(data: bytes) -> bytes:
        rows = [json.loads(line) for line in data.splitlines()]
        (rows[-1])[name] = value
        return "".join(json.dumps(row) + "\n" for row in rows).encode()

    path = save_bundle(with_banks, tmp_path / "small.zip").path
    with refused(InputError, "arrangements.jsonl"):
        import_bundle(changed(path, "arrangements.jsonl", other), tmp_path / "again.db", actor="Olga")
    assert not (tmp_path / "again.db").exists()


def test_the_audit_finds_nuggets_of_no_topic_and_those_that_cannot_be(with_banks: Campaign) -> None:
    broken = {"people": [], "file": ""}
    with with_banks.write():
        nuggets.put(with_banks.by("Olga"), Bank("7", (Nugget("Early."),), ""))
        topics.put(
            with_banks.by("Olga"), [topics.named(with_banks, "1").topic._replace(topic_id="7")], files=[]
        )
        for bank in ({"form": "", "nuggets": [{"text": 3}]}, {"form": "", "nuggets": [{"text": "x"}] * 2}):
            append_event(with_banks.by("Olga"), nuggets.NUGGETS, {"topic": "2", "bank": bank, **broken})
    ((question, found),) = wrong(with_banks)
    assert says(question)
    assert says("\n".join(found), "'7'", "'2'")
