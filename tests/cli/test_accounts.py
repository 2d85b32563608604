"""Accounts on the command line, and the record of what happened to them."""

from __future__ import annotations

import getpass
import json
from datetime import UTC, datetime
from pathlib import Path

import pyotp
from click.testing import Result

from tests.fixture_types import Workbench
from tests.sentences import says
from workbench.people.accounts import check_password, open_accounts, security_log
from workbench.people.accounts.second_factor import has_second_factor, new_secret, set_second_factor

PASSWORD = "correct horse"


def added(done: Workbench, name: str) -> Result:
    return done("user", "add", name, given=f"{PASSWORD}\n{PASSWORD}\n")


def test_a_password_is_asked_for_and_never_shown(done: Workbench) -> None:
    result = added(done, "anna")
    assert PASSWORD not in result.output
    with open_accounts(Path("instance")) as accounts:
        assert check_password(accounts, "anna", PASSWORD) is not None
        assert check_password(accounts, "anna", "wrong horse") is None


def test_a_second_factor_is_removed_for_a_user_who_lost_the_device(done: Workbench) -> None:
    added(done, "anna")
    assert "no second factor" in done("user", "second-factor", "anna").stderr
    secret, now = new_secret(), datetime.now(UTC)
    with open_accounts(Path("instance")) as accounts:
        set_second_factor(accounts.by("anna", "").at(now), "anna", secret, pyotp.TOTP(secret).at(now))
    assert says(done("user", "second-factor", "anna").stderr)
    assert says(done("user", "second-factor", "anna", "--remove").stderr)
    with open_accounts(Path("instance")) as accounts:
        assert not has_second_factor(accounts, "anna")
        assert security_log.acts(accounts)[-1].act == "second factor removed"


def test_two_passwords_that_differ_are_asked_for_again(done: Workbench) -> None:
    result = done("user", "add", "anna", given=f"{PASSWORD}\nother horse\n{PASSWORD}\n{PASSWORD}\n")
    assert "do not match" in result.output


def test_nobody_answering_means_no_account(workbench: Workbench, done: Workbench) -> None:
    assert workbench("user", "add", "anna", given="").exit_code == 1
    assert done("user", "list").stdout == ""


def test_a_short_password_or_a_name_that_is_taken_is_refused(workbench: Workbench, done: Workbench) -> None:
    assert "at least 12 characters" in workbench("user", "add", "anna", given="short\nshort\n").stderr
    added(done, "anna")
    result = workbench("user", "add", "Anna", given=f"{PASSWORD}\n{PASSWORD}\n")
    assert (result.exit_code, says(result.stderr)) == (1, True)


def test_accounts_are_listed_disabled_and_enabled(done: Workbench) -> None:
    assert says(done("user", "list").stderr)
    added(done, "anna")
    added(done, "ben")
    assert says(done("user", "disable", "ben").stderr)
    heads = "account,disabled,may_create_campaigns\n"
    assert done("user", "list", "--format", "csv").stdout == f"{heads}anna,no,no\nben,yes,no\n"
    done("user", "enable", "ben")
    assert done("user", "list", "--format", "csv").stdout == f"{heads}anna,no,no\nben,no,no\n"


def test_a_new_password_replaces_the_old_one(done: Workbench) -> None:
    added(done, "anna")
    done("user", "password", "anna", given="another horse\nanother horse\n")
    with open_accounts(Path("instance")) as accounts:
        assert check_password(accounts, "anna", PASSWORD) is None
        assert check_password(accounts, "anna", "another horse") is not None


def test_nobody_types_a_password_for_an_account_that_does_not_exist(workbench: Workbench) -> None:
    refused = workbench("user", "password", "anna")
    assert refused.exit_code == 1
    assert says(refused.output)
    assert workbench("user", "password", "anna mey").output.endswith("workbench user add 'anna mey'\n")


def test_who_may_make_campaigns_is_said_when_the_account_is_made_or_later(done: Workbench) -> None:
    done("user", "add", "anna", "--organiser", given=f"{PASSWORD}\n{PASSWORD}\n")
    added(done, "ben")
    done("user", "allow", "ben")
    done("user", "forbid", "anna")
    assert [line.split() for line in done("user", "list").stdout.splitlines()] == [
        ["Account", "Disabled", "May", "create", "campaigns"],
        ["anna", "no", "no"],
        ["ben", "no", "yes"],
    ]
    assert says(done("user", "sign-out", "ben").stderr)
    acts = json.loads(done("user", "log", "BEN", "--last", "2", "--format", "json").stdout)
    assert [act["act"] for act in acts] == ["may make campaigns", "signed out everywhere"]


def test_the_record_cannot_forge_a_line_on_a_terminal(done: Workbench) -> None:
    with open_accounts(Path("instance")) as accounts:
        security_log.record(accounts.by("anna", "10.0.0.1\n\x1b[2K"), security_log.SIGNED_OUT, "anna")
    (_, line) = done("user", "log").stdout.splitlines()
    assert line.split()[1:] == ["signed", "out", "anna", "anna", "10.0.0.1\ufffd\ufffd[2K"]


def test_the_accounts_are_copied_into_a_new_file(done: Workbench, workbench: Workbench) -> None:
    added(done, "anna")
    assert says(done("user", "backup", "copy.db").stderr)
    assert Path("copy.db").stat().st_size > 0
    assert says(workbench("user", "backup", "copy.db").stderr)


def test_the_accounts_go_back_to_a_copy_and_what_it_has_different_is_reported(done: Workbench) -> None:
    added(done, "anna")
    added(done, "ben maier")
    done("member", "invite", "small", "--role", "assessor")
    done("user", "backup", "copy.db")
    done("user", "disable", "ben maier")
    told = done("user", "restore", "copy.db").stderr.splitlines()
    (_aside,) = Path("instance").glob("accounts.before-restore.*Z.db")
    assert says("\n".join(told))
    assert "accounts restored" in done("user", "log", "--last", "1").stdout


def test_tables_beside_the_workbenchs_own_fail_the_audit(done: Workbench, workbench: Workbench) -> None:
    added(done, "anna")
    assert says(done("user", "audit").stdout)
    with open_accounts(Path("instance")) as accounts:
        accounts.db.execute("CREATE TABLE notes (text)")
    beside = workbench("user", "audit")
    assert (beside.exit_code, "are missing ('notes')" in beside.stderr) == (1, True)


def test_accounts_that_cannot_be_read_are_put_aside_and_nothing_is_said_of_what_was_different(
    done: Workbench,
) -> None:
    added(done, "anna")
    done("user", "backup", "copy.db")
    Path("instance/accounts.db").write_bytes(b"no database " * 500)
    told = done("user", "restore", "copy.db").stderr.splitlines()
    assert says(told[-1])


def test_the_record_is_shown_whole_or_of_one_account(done: Workbench, workbench: Workbench) -> None:
    assert says(done("user", "log").stderr)
    assert done("user", "log", "--format", "csv").stdout == "time,act,account,actor,address,details\n"
    added(done, "anna")
    added(done, "ben")
    rows = [line.split(",")[1:5] for line in done("user", "log", "--format", "csv").stdout.splitlines()[1:]]
    by = getpass.getuser()
    assert rows == [["account made", name, by, "terminal"] for name in ("anna", "ben")]
    (last,) = done("user", "log", "--last", "1", "--format", "csv").stdout.splitlines()[1:]
    assert last.split(",")[2] == "ben"
    (own,) = done("user", "log", "ANNA", "--format", "csv").stdout.splitlines()[1:]
    assert own.split(",")[2] == "anna"
    nobody = done("user", "log", "no one")
    assert (nobody.stdout, says(nobody.stderr, "no one")) == ("", True)
