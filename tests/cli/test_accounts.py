"""Accounts on the command line, and the record of what happened to them."""

from __future__ import annotations

import getpass
import json
from datetime import UTC, datetime
from pathlib import Path

import pyotp
from click.testing import Result

from tests.fixture_types import Fails, Workbench
from tests.sentences import says
from workbench.people.accounts import check_password, open_accounts, security_log
from workbench.people.accounts.second_factor import has_second_factor, new_secret, set_second_factor

PASSWORD = "correct horse"


def added(done: Workbench, name: str) -> Result:
    return done("user add", name, given=f"{PASSWORD}\n{PASSWORD}\n")


def test_a_password_is_asked_for_twice_and_never_shown(done: Workbench) -> None:
    result = done("user add anna", given=f"{PASSWORD}\nother horse\n{PASSWORD}\n{PASSWORD}\n")
    assert ("do not match" in result.output, PASSWORD in result.output) == (True, False)
    with open_accounts(Path("instance")) as accounts:
        assert check_password(accounts, "anna", PASSWORD) is not None
        assert check_password(accounts, "anna", "wrong horse") is None


def test_a_second_factor_is_removed_for_a_user_who_lost_the_device(done: Workbench) -> None:
    added(done, "anna")
    assert "no second factor" in done("user second-factor anna").stderr
    secret, now = new_secret(), datetime.now(UTC)
    with open_accounts(Path("instance")) as accounts:
        set_second_factor(accounts.by("anna", "").at(now), "anna", secret, pyotp.TOTP(secret).at(now))
    assert says(done("user second-factor anna").stderr)
    assert says(done("user second-factor anna --remove").stderr)
    with open_accounts(Path("instance")) as accounts:
        assert not has_second_factor(accounts, "anna")
        assert security_log.acts(accounts)[-1].act == "second factor removed"


def test_a_short_password_a_name_that_is_taken_and_no_answer_are_refused(
    workbench: Workbench, done: Workbench
) -> None:
    assert workbench("user add anna", given="").exit_code == 1
    assert "at least 12 characters" in workbench("user add anna", given="short\nshort\n").stderr
    assert done("user list").stdout == ""
    added(done, "anna")
    result = workbench("user add Anna", given=f"{PASSWORD}\n{PASSWORD}\n")
    assert (result.exit_code, says(result.stderr)) == (1, True)


def test_a_new_password_replaces_the_old_one_and_is_asked_for_nobody_else(
    done: Workbench, fails: Fails
) -> None:
    added(done, "anna")
    done("user password anna", given="another horse\nanother horse\n")
    with open_accounts(Path("instance")) as accounts:
        assert check_password(accounts, "anna", PASSWORD) is None
        assert check_password(accounts, "anna", "another horse") is not None
    assert fails("user password 'anna mey'").endswith("workbench user add 'anna mey'\n")


def test_accounts_are_listed_with_who_is_disabled_and_who_may_make_campaigns(done: Workbench) -> None:
    assert says(done("user list").stderr)
    done("user add anna --organiser", given=f"{PASSWORD}\n{PASSWORD}\n")
    added(done, "ben")
    assert says(done("user disable ben").stderr)
    heads = "account,disabled,may_create_campaigns\n"
    assert done("user list --format csv").stdout == f"{heads}anna,no,yes\nben,yes,no\n"
    for command in ("enable ben", "allow ben", "forbid anna"):
        done(f"user {command}")
    assert done("user list --format csv").stdout == f"{heads}anna,no,no\nben,no,yes\n"
    assert says(done("user sign-out ben").stderr)
    acts = json.loads(done("user log BEN --last 2 --format json").stdout)
    assert [act["act"] for act in acts] == ["may make campaigns", "signed out everywhere"]


def test_the_record_cannot_forge_a_line_on_a_terminal(done: Workbench) -> None:
    with open_accounts(Path("instance")) as accounts:
        security_log.record(accounts.by("anna", "10.0.0.1\n\x1b[2K"), security_log.SIGNED_OUT, "anna")
    (_, line) = done("user log").stdout.splitlines()
    assert line.split()[1:] == ["signed", "out", "anna", "anna", "10.0.0.1\ufffd\ufffd[2K"]


def test_the_accounts_go_back_to_a_copy_and_what_it_has_different_is_reported(
    done: Workbench, fails: Fails
) -> None:
    added(done, "anna")
    added(done, "ben maier")
    done("member invite small --role assessor")
    assert says(done("user backup copy.db").stderr)
    assert says(fails("user backup copy.db"))
    done("user disable 'ben maier'")
    assert says(done("user restore copy.db").stderr)
    (aside,) = Path("instance").glob("accounts.before-restore.*Z.db")
    aside.unlink()  # the next one may have the same second in its name
    assert "accounts restored" in done("user log --last 1").stdout
    Path("instance/accounts.db").write_bytes(b"no database " * 500)
    assert says(done("user restore copy.db").stderr.splitlines()[-1])


def test_tables_beside_the_workbenchs_own_fail_the_audit(done: Workbench, fails: Fails) -> None:
    added(done, "anna")
    assert says(done("user audit").stdout)
    with open_accounts(Path("instance")) as accounts:
        accounts.db.execute("CREATE TABLE notes (text)")
    assert "are missing ('notes')" in fails("user audit")


def test_the_record_is_shown_whole_or_of_one_account(done: Workbench) -> None:
    assert says(done("user log").stderr)
    assert done("user log --format csv").stdout == "time,act,account,actor,address,details\n"
    added(done, "anna")
    added(done, "ben")
    rows = [line.split(",")[1:5] for line in done("user log --format csv").stdout.splitlines()[1:]]
    by = getpass.getuser()
    assert rows == [["account made", name, by, "terminal"] for name in ("anna", "ben")]
    (last,) = done("user log --last 1 --format csv").stdout.splitlines()[1:]
    assert last.split(",")[2] == "ben"
    (own,) = done("user log ANNA --format csv").stdout.splitlines()[1:]
    assert own.split(",")[2] == "anna"
    nobody = done("user log 'no one'")
    assert (nobody.stdout, says(nobody.stderr, "no one")) == ("", True)
