"""`workbench member rename`, `hide` and `forget` on the command line."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.cli.commands import leaves
from tests.fixture_types import Fails, JudgeAs, Workbench
from tests.sentences import says
from workbench.core.records import Rationale
from workbench.people.accounts import open_accounts, security_log
from workbench.people.accounts.sessions import begin_session
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.opening import opening

PASSWORD = "correct horse of the river"
QUOTE = (Rationale("text", 0, 3, "The"),)


@pytest.fixture
def instance(done: Workbench, folder: Path, judging_as: JudgeAs) -> Path:
    """Ona organises, Annabella and Bernhardine judge; all three have accounts."""
    for name, role in (("Ona", "organiser"), ("Annabella", "assessor"), ("Bernhardine", "assessor")):
        done("user add", name, given=f"{PASSWORD}\n{PASSWORD}\n")
        done("member add small", name, "--role", role)
    with open_campaign(folder / "instance" / "small.db") as campaign:
        judging_as(campaign, "Annabella", "1", "d1", 2, comment="as a friend of mine said", rationales=QUOTE)
        judging_as(campaign, "Bernhardine", "1", "d1", 0, comment="hardly")
    return folder / "instance"


def printed(done: Workbench, *words: str) -> str:
    return done(*words).stdout


def test_what_would_be_erased_is_said_and_nothing_changes(done: Workbench, instance: Path) -> None:
    before = {path.name: path.read_bytes() for path in instance.glob("*.db")}
    said = done("member forget annabella")
    assert says("\n".join(said.stdout.splitlines()))
    assert says(said.stderr)
    assert {path.name: path.read_bytes() for path in instance.glob("*.db")} == before


def test_a_forgotten_person_is_gone_and_labels_scores_and_the_audit_are_not(
    done: Workbench, instance: Path
) -> None:
    results = (("export", "qrels", "small"), ("score", "small", "-m", "AP", "--format", "csv"))
    before = [printed(done, *words) for words in results]
    assert " fails " not in printed(done, "audit", "small")
    done("member forget Annabella --comments --yes")
    assert [printed(done, *words) for words in results] == before
    assert " fails " not in printed(done, "audit", "small")
    assert b"Annabella" not in (instance / "small.db").read_bytes()
    assert b"as a friend of mine said" not in (instance / "small.db").read_bytes()
    assert "Annabella" not in printed(done, "member", "list", "small") + printed(done, "user", "list")
    judgments = printed(done, "export", "judgments", "small")
    told = [text in judgments for text in ("Annabella", "Erased person", "hardly")]
    assert told == [False, True, True]
    with open_accounts(instance) as accounts:
        assert [row.act for row in security_log.acts(accounts)][-1] == security_log.ACCOUNT_ERASED


def test_sessions_of_a_forgotten_person_are_gone_and_those_of_others_stay(
    done: Workbench, instance: Path
) -> None:
    now = datetime.now(UTC)
    with open_accounts(instance) as accounts:
        for name in ("Annabella", "Bernhardine"):
            begin_session(accounts.by("", "192.0.2.1").at(now), name, local="", browser="Firefox")
    done("member forget Annabella --yes")
    with open_accounts(instance) as accounts:
        rows = accounts.db.execute("SELECT name FROM session").fetchall()
        assert rows == [("Bernhardine",)]


def test_the_only_organiser_is_not_forgotten_in_any_campaign(
    done: Workbench, fails: Fails, instance: Path
) -> None:
    shutil.copy(instance / "small.db", instance / "another.db")
    done("member add small Annabella --role organiser")
    assert says(fails("member forget Ona --yes"))
    assert "Ona" in printed(done, "member", "list", "small")


def test_an_unknown_person_is_refused_with_the_nearest_name(fails: Fails, instance: Path) -> None:
    assert "did you mean Annabella?" in fails("member forget Anabella --yes")


def test_a_person_is_renamed_and_hidden_and_shown_again(done: Workbench, instance: Path) -> None:
    done("member rename small Annabella 'Anna Berg'")
    assert "Anna Berg" in printed(done, "member", "list", "small")
    done("member hide small 'Anna Berg'")
    listed = printed(done, "member", "list", "small")
    assert ("Anna" in listed, "Person " in listed) == (False, True)
    done("member hide small Annabella --undo")
    assert "Annabella" in printed(done, "member", "list", "small")


def test_no_command_that_takes_a_campaign_alone_prints_an_id(workbench: Workbench, instance: Path) -> None:
    with open_campaign(instance / "small.db") as campaign:
        ids = [id_ for (id_,) in campaign.db.execute("SELECT id FROM person").fetchall()]
    assert len(ids) >= 4
    printed_something = 0
    for words, _ in leaves():
        if words.split()[0] in ("serve", "demo", "new", "simulate"):
            continue
        result = workbench(words, "small")
        output = result.output
        printed_something += result.exit_code == 0 and bool(output)
        assert not [id_ for id_ in ids if id_ in output], words
    assert printed_something > 20


def test_a_campaign_whose_former_pages_are_held_by_others_is_named(
    done: Workbench, instance: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opening, "BUSY_SECONDS", 0.05)
    with closing(sqlite3.connect(instance / "small.db", isolation_level=None)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM judgment").fetchall()
        said = done("member forget Annabella --yes").stderr.splitlines()
    assert says("\n".join(said))


def test_campaigns_outside_of_the_instance_are_searched_if_they_are_named(
    done: Workbench, instance: Path, folder: Path
) -> None:
    shutil.copy(instance / "small.db", folder / "away.db")
    here = printed(done, "member", "forget", "Annabella").splitlines()
    both = printed(done, "member", "forget", "Annabella", "--campaign", "away.db").splitlines()
    assert both == [*here[:3], *(line.replace("small: ", "away: ") for line in here[:3]), *here[3:]]
