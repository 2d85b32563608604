"""Every command that writes, killed at many moments: nothing at all or everything, and the same command succeeds then.

A command of the registry is either in READING, and then changes no byte, or has its scenario in WRITING.
"""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

import click
import pyotp
import pytest

from tests.at_length import at_length
from tests.conftest import write_run
from tests.fixture_types import JudgeAs
from tests.killing import NOBODY, Commands, Done
from tests.made_answers import answer
from workbench.cli.main import SHORT, main
from workbench.people.accounts import open_accounts
from workbench.people.accounts.second_factor import new_secret, set_second_factor
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.people import members

MOMENTS = at_length(9, 3)
"""How many acts on the disk a command is killed before, when it has more; but see `moments`."""

ROOM = (3_000, 60_000)
"""Bytes that a file may have on a full disk."""

FOUND_AGAIN = {"near_duplicate", "compared"}
"""Tables that follow from others; what is missing in them is found by the next command that adds texts or pools."""

ACCOUNTS = "instance/accounts.db"
NO_ACCOUNTS = "a file of accounts in which there are none, which is made by whatever opens one"
LONG = 1000
"""Acts of a command that takes too long to be killed as often (the demo)."""

PASSWORD = "the river is deep and cold"
TIME = re.compile(r"[0-9]{8}T[0-9]{6,12}Z")


class Scenario(NamedTuple):
    """A command as it is called, what is called before it, and whether it writes several files, each by itself."""

    words: str
    first: tuple[str, ...] = ()
    apart: bool = False


AssertSound = Callable[[Path, Path], None]
StartOf = Callable[[Scenario], Path]

ADD_ANNA = f"user add dora --password '{PASSWORD}'"

WRITING = [
    Scenario("demo --no-open", apart=True),
    Scenario("demo --no-open --fresh", ("demo --no-open",), apart=True),
    Scenario("demo --no-open --tour", ("demo --no-open",), apart=True),
    Scenario("demo --no-open --answers", ("demo --no-open",), apart=True),
    Scenario("new robust --title Robust"),
    Scenario("add topics small more.tsv"),
    Scenario("add documents small documents.jsonl --all"),
    Scenario("add documents small changed.jsonl --changed --judge-again"),
    Scenario("add runs small gamma.run"),
    Scenario("add answers small best.jsonl"),
    Scenario("add nuggets small nuggets.jsonl"),
    Scenario("add outcomes small of-runs.csv"),
    Scenario("add qrels small qrels.txt --yes"),
    Scenario("add sample small sample.txt --yes"),
    Scenario("add run-costs small costs.csv"),
    Scenario("add run-costs small times.csv --times"),
    Scenario("add model-labels small qrels.txt --form qrels --judge gpt"),
    Scenario(
        "export model-labels small -o out.txt", ("add model-labels small qrels.txt --form qrels --judge gpt",)
    ),
    Scenario("set small title Rivers"),
    Scenario("set small grades '0:No,1:Partly,2:Highly' --map 0=0,1=2,2=1 --yes"),
    Scenario("question small readable --title Readable? --grades 0:Hard,1:Easy"),
    Scenario("question small parts --title Parts? --answered labels"),
    Scenario("withdraw small --topics 1 2 --reason empty"),
    Scenario("member rename small anna Berg"),
    Scenario("member hide small anna"),
    Scenario("member forget anna --comments --yes", apart=True),
    Scenario("withdraw small --topics 1 --restore", ("withdraw small --topics 1 2",)),
    Scenario("correct small beta --team Delft --priority 2"),
    Scenario("submissions small --open --runs-per-team 3 --field Method*=method.automatic"),
    Scenario(
        "add runs small messy.run --duplicates first --topics-as-suggested --extra-documents drop --bad-lines drop"
    ),
    Scenario("pool small --depth 3"),
    Scenario("pool small --retire 1 --reason wrong"),
    Scenario("pool-files gamma.run beta-again.run --depth 3 -o out.txt"),
    Scenario("interleave gamma.run beta-again.run -o out.txt"),
    Scenario("search small 1 text --any --add d5"),
    Scenario("round small --open 2"),
    Scenario("changed-ids small ids.csv", ("round small --open 2",)),
    Scenario("repeats small --share 0.1"),
    Scenario("norming open small 2"),
    Scenario("norming reveal small", ("norming open small 2",)),
    Scenario("norming close small", ("norming open small 2", "norming reveal small")),
    Scenario("rule small owner"),
    Scenario("judge-by-model small --judge jay --model m --replay", apart=True),
    *(
        Scenario(f"export {kind} small -o out.txt")
        for kind in ("qrels", "pool", "judgments", "rationales", "hours", "scores", "topic-scores", "latex")
    ),
    Scenario("export sample small -o out.txt", ("pool small --strategy uniform --depth 3 --set percent=50",)),
    Scenario("export nuggets small --form argue -o out.txt", ("add nuggets small nuggets.jsonl",)),
    Scenario(
        "export judged-answers small --form rag24 -o out.txt",
        ("add answers small best.jsonl", "question small support --about citations"),
    ),
    Scenario(
        "export grades small --question better -o out.txt", ("question small better --about document-pairs",)
    ),
    Scenario("export runs small -o runs", apart=True),
    Scenario("export beir small -o beir", apart=True),
    Scenario("plot small topics -o topics.svg"),
    Scenario("report small --format html -o sheets", apart=True),
    Scenario("bundle small --runs -o again.zip"),
    Scenario("import-bundle again small.zip"),
    Scenario("backup small copy.db"),
    Scenario("restore small backup.db"),
    Scenario("quota small 500"),
    Scenario("restore another backup.db"),
    Scenario(ADD_ANNA),
    Scenario(f"{ADD_ANNA} --instance elsewhere", ("new ./elsewhere.db",)),
    Scenario(f"user password anna --password '{PASSWORD} too'"),
    Scenario("user reset anna"),
    Scenario("user sign-out anna"),
    Scenario("user backup copy-of-accounts.db"),
    Scenario("user restore accounts-backup.db"),
    Scenario("user second-factor ben --remove"),
    Scenario("user allow anna"),
    Scenario("user forbid anna", ("user allow anna",)),
    Scenario("user disable anna"),
    Scenario("user enable anna", ("user disable anna",)),
    Scenario(
        "member add small emil --role assessor", apart=True
    ),  # in the campaign, then in the security log
    Scenario("member export small anna -o anna.json"),
    Scenario("member search small ben"),
    Scenario("member invite small --role assessor"),
    Scenario("member invite small --list people.csv --role assessor"),
    Scenario("member token small anna"),
    Scenario("member remove small ben", apart=True),
    Scenario("assign who small claimed --lease 45"),
    Scenario("assign give small anna 1"),
    Scenario("assign take small 1", ("assign give small anna 1",)),
    Scenario(
        "assign hand-over small cleo --to dora",
        (
            "member add small dora --role assessor",
            "assign give small cleo 1",
            "assign give small cleo 2 --part second",
            "assign again small 1 d1 --by cleo",
        ),
    ),
    Scenario("assign spread small"),
    Scenario("assign close small 1 --reason done"),
    Scenario("assign import small assignments.jsonl"),
    Scenario("assign reopen small 1", ("assign close small 1",)),
    Scenario(
        "assign double small --share 0.5 --seed 7", ("assign who small assigned", "assign spread small")
    ),
    Scenario("assign again small 1 d1 --by cleo --take-back", ("assign again small 1 d1 --by cleo",)),
    Scenario("codes small --draw"),
    Scenario("overrule small 1 d1 1 --from 0 --reason 'in part'"),
    Scenario("warnings small conflicts --restore", ("warnings small conflicts --dismiss known",)),
    Scenario(
        "webhooks small --add https://a.example/", ("webhooks small --add https://b.example/",), apart=True
    ),
    Scenario("broken small d1 --repaired", ("broken small d1 --reason 'cut off'",)),
]

READING = (
    """
check gamma.run --campaign small|figures|topics small|runs small|search small 1 text|round small|score small
compare small alpha beta -m AP|reuse small|certain small|stop small|assessors small|norming show small
agreement small|judge-quality small|judges --campaign small|corrected small|probe small -o -|conflicts small
eval qrels.txt gamma.run|costs small|latency times.csv|freshness small
simulate qrels.txt gamma.run
simulate qrels.txt gamma.run + small|simulate small --strategy hedge|measures|strategies|audit small|user log
user audit|user list|member list small|member tokens small|assign export small|assign list small
broken small|warnings small|steps small|nuggets small 1|eval-answers assigned.jsonl
add answers small best.jsonl --dry-run
judges qrels.txt --truth qrels.txt --layout qrels|codes small|battles battles.csv|clicks clicks.csv|ab clicks.csv
boards small|interleaving lists.csv --lists lists.jsonl
""".strip()
    .replace("\n", "|")
    .split("|")
)

KILLED_HALF_WAY = """
import os, signal
from pathlib import Path
from workbench.release.bundle.importing import import_bundle

def kill(number, of, step):
    if step == "Adding the judgments":
        os.kill(os.getpid(), signal.SIGKILL)

import_bundle("small.zip", Path("again.db"), actor="Olga", on_step=kill)
"""

WAYS = tuple(
    """
demo --no-open|new robust|add topics|add documents small documents|add runs small gamma|add answers
add nuggets|add qrels|set small title|pool small --depth|pool-files|norming open|export qrels|export runs|plot|report
bundle|import-bundle|backup|restore|user add|user reset|user backup|user restore|member add|member export
member forget|member invite small --list|assign import
""".strip()
    .replace("\n", "|")
    .split("|")
)
"""Commands that write in all ways there are: a campaign, accounts, both, one file, or several."""

ONE_WAY_EACH = at_length(WRITING, [each for each in WRITING if each.words.startswith(WAYS)])
"""What is killed at more moments, and tried without room on the disk and without the right to write."""

ELSEWHERE = {
    "serve": "test_a_server_killed_again_and_again_under_load_has_every_judgment_it_acknowledged_once",
    "mcp": "test_whatever_an_assistant_calls_nothing_is_judged_and_nothing_sent_but_what_only_reads",
}
"""Commands that run until they are stopped, and the test that kills them."""


def words_of(command: str) -> list[str]:
    return [word.strip("'") for word in re.findall(r"'[^']*'|\S+", command)]


def registered(group: click.Group = main, before: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    for name, command in group.commands.items():
        if isinstance(command, click.Group):
            yield from registered(command, (*before, name))
        else:
            yield (*before, name)


def test_every_command_is_killed_or_only_reads() -> None:
    called = [words_of(command) for command in [*(each.words for each in WRITING), *READING, *ELSEWHERE]]
    in_short = (name[1:] if name[0] in SHORT.values() else name for name in registered())
    assert [
        " ".join(name) for name in in_short if not any(tuple(words[: len(name)]) == name for words in called)
    ] == []


@pytest.mark.slow
def test_an_import_that_is_killed_half_way_leaves_nothing_and_succeeds_the_second_time(
    small_file: Path, tmp_path: Path
) -> None:
    from tests.stories import Program

    program = Program(tmp_path)
    shutil.copyfile(small_file, tmp_path / "small.db")
    program.run("bundle", "./small.db", "--runs", "-o", "small.zip")
    killed = subprocess.run(
        [sys.executable, "-c", KILLED_HALF_WAY], cwd=tmp_path, check=False, capture_output=True
    )
    assert killed.returncode == -signal.SIGKILL
    assert not (tmp_path / "again.db").exists()
    program.run("import-bundle", "./again.db", "small.zip")
    assert {path.name for path in tmp_path.iterdir()} == {"again.db", "small.db", "small.zip"}


@pytest.fixture(scope="module")
def commands() -> Iterator[Commands]:
    started = Commands()
    yield started
    started.end()


@pytest.fixture(scope="module")
def assert_sound(commands: Commands) -> AssertSound:
    """Audits a campaign; one with the bytes of another that was sound is sound."""
    known: set[tuple[str, ...]] = set()

    def check(folder: Path, path: Path) -> None:
        files = [path.with_name(path.name + end) for end in ("", "-wal", "-journal")]
        seen = tuple(sha256(file.read_bytes() if file.exists() else b"").hexdigest() for file in files)
        if seen not in known:
            assert_done(commands.run(folder, ["audit", str(path)]))
            known.add(seen)

    return check


@pytest.fixture(scope="module")
def start(
    small_file: Path, commands: Commands, judging_as: JudgeAs, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """A folder with a campaign, accounts, backups of both from before the last change, a bundle, and files to add."""
    folder = tmp_path_factory.mktemp("start") / "folder"
    (folder / "instance").mkdir(parents=True)
    path = folder / "instance" / "small.db"
    shutil.copyfile(small_file, path)
    (folder / "more.tsv").write_text("11\tgreen hills\n")
    (folder / "documents.jsonl").write_text(json.dumps({"id": "d6", "text": "It flows."}) + "\n")
    (folder / "ids.csv").write_text("old,new\nd1,e1\nd2,e2\n")
    dated = {"id": "d1", "text": "It flows.", "date": "2026-01-01"}
    (folder / "dated.jsonl").write_text(json.dumps(dated) + "\n")
    (folder / "changed.jsonl").write_text(json.dumps({"id": "d1", "text": "It has dried up."}) + "\n")
    write_run(folder / "gamma.run", "gamma", {"1": "d3 d1", "2": "d5 d1 d3"})
    (folder / "best.jsonl").write_text(answer("1") + answer("2"))
    write_run(folder / "beta-again.run", "beta", {"1": "d3 d1"})
    messy = "01 Q0 d3 1 2 messy\n01 Q0 d3 2 1 messy\n02 Q0 d5 1 2 messy\n02 Q0 nowhere 2 1 messy\n02 Q0\n"
    (folder / "messy.run").write_text(messy)
    (folder / "costs.csv").write_text("run,query_time_ms\nalpha,12\nbeta,7\n")
    (folder / "times.csv").write_text("run,ms\nalpha,12\nalpha,7\n")
    (folder / "runs.csv").write_text("file,team,priority\ngamma.run,Delft,1\n")
    (folder / "clicks.csv").write_text("topic,user,run,shown,clicked\n1,u,a,d1 d2,d2\n1,v,b,d2 d1,\n")
    (folder / "of-runs.csv").write_text("topic,user,run,shown,clicked\n1,u,alpha,d1 d2,d2\n")
    (folder / "lists.csv").write_text("list_id,user,clicked\nx,u,d1\n")
    sides = {
        "list_id": "x",
        "topic_id": "1",
        "runs": ["a", "b"],
        "seed": 1,
        "documents": ["d1"],
        "teams": ["a"],
    }
    (folder / "lists.jsonl").write_text(json.dumps(sides))
    (folder / "qrels.txt").write_text("1 0 d2 1\n2 0 d5 2\n")
    nugget = {"text": "It flows.", "importance": "vital", "assignment": "support"}
    (folder / "assigned.jsonl").write_text(
        json.dumps({"qid": "1", "run_id": "alpha", "nuggets": [nugget]}) + "\n"
    )
    head = "battle_id,topic_id,left_run,right_run,winner\n"
    (folder / "battles.csv").write_text(head + "b,1,alpha,beta,left\nc,1,beta,alpha,left\n")
    banks = [{"qid": topic, "query": "", "nuggets": [{"text": "It flows."}]} for topic in ("1", "2")]
    (folder / "nuggets.jsonl").write_text("".join(json.dumps(bank) + "\n" for bank in banks))
    (folder / "sample.txt").write_text("1 0 d2 1 1\n1 0 d3 2 -1\n1 0 d4 2 0\n2 0 d5 1 2\n")
    (folder / "people.csv").write_text("name,role,topics\ndora,,1\nfinn,observer,\n")
    (folder / "assignments.jsonl").write_text('{"account": "anna", "topics": ["1", "2"]}\n')
    with open_campaign(path) as campaign:
        with campaign.write():
            for name in ("anna", "ben"):
                members.put(campaign.by("Olga"), name, "assessor")
        for name, grade in (("anna", 2), ("ben", 0)):
            judging_as(campaign, name, "1", "d1", grade)
    for command in (
        f"user add anna --password '{PASSWORD}'",
        f"user add ben --password '{PASSWORD}'",
        "bundle small --runs -o small.zip",
        "backup small backup.db",
        "user backup accounts-backup.db",
        "member add small cleo --role organiser",
        "user allow ben",
    ):
        assert_done(commands.run(folder, words_of(command)))
    with open_accounts(folder / "instance") as accounts:
        secret, now = new_secret(), datetime.now(UTC)
        set_second_factor(accounts.at(now), "ben", secret, pyotp.TOTP(secret).at(now))
    return folder


@pytest.fixture(scope="module")
def start_of(commands: Commands, start: Path, tmp_path_factory: pytest.TempPathFactory) -> StartOf:
    """The folder in which a scenario begins: `start` after what is called first, which is called once for all tests."""
    made: dict[tuple[str, ...], Path] = {(): start}

    def make(scenario: Scenario) -> Path:
        if scenario.first not in made:
            folder = copy_of(start, tmp_path_factory.mktemp("after"))
            for command in scenario.first:
                assert_done(commands.run(folder, words_of(command)))
            made[scenario.first] = folder
        return made[scenario.first]

    return make


def assert_done(done: Done) -> Done:
    assert done.status == 0, done.said
    return done


def copy_of(start: Path, place: Path) -> Path:
    shutil.rmtree(place, ignore_errors=True)
    return Path(shutil.copytree(start, place / "folder"))


def state(folder: Path, scratch: Path) -> dict[str, Any]:
    """What is in a folder, by names without their time: how many rows the tables of a database have, else the bytes.

    Drafts are left out, and second names of a file. Databases are read as copies, so that reading changes nothing.
    """
    shutil.rmtree(scratch, ignore_errors=True)
    shutil.copytree(folder, scratch)
    seen: set[int] = set()
    found: dict[str, Any] = {}
    for path in sorted(folder.rglob("*"), key=lambda path: ("before-restore" in path.name, path)):
        name = path.relative_to(folder).as_posix()
        if path.is_dir() or ".workbench-draft/" in name or name.endswith(("-wal", "-shm", "-journal")):
            continue
        if path.stat().st_ino not in seen and (told := content(scratch / name)) != NO_ACCOUNTS:
            found[TIME.sub("TIME", name)] = told
        seen.add(path.stat().st_ino)
    return found


def content(path: Path) -> Any:
    head = path.read_bytes()
    if not head.startswith(b"SQLite format 3\0"):
        return NO_ACCOUNTS if not head and path.name == "accounts.db" else head
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA quick_check").fetchone() == ("ok",)
        tables = connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
        rows = {
            table: connection.execute(f"SELECT count(*) FROM [{table}]").fetchone()[0]
            for (table,) in tables.fetchall()
            if table not in FOUND_AGAIN
        }
    return rows if rows.get("account", len(rows)) else NO_ACCOUNTS


def moments(acts: list[str], way: bool) -> list[int]:
    """Places among the acts to be killed at: names and commits before single rows, always the last two of these.

    A command that writes in a way that another has gets these two alone.
    """
    told = [
        place
        for place, act in enumerate(acts)
        if not act.startswith("sql") or act.startswith(("sql COMMIT", "sql BEGIN"))
    ]
    if not way:
        return told[-2:]
    rows = sorted(set(range(len(acts))) - set(told))
    number = MOMENTS if len(acts) < LONG else 5
    return sorted({*spread(told, number - 3), *told[-2:], *spread(rows, 2)})


def spread(places: list[int], number: int) -> list[int]:
    if len(places) <= number:
        return places
    if number == 1:
        return [places[len(places) // 2]]
    return [places[round(step * (len(places) - 1) / (number - 1))] for step in range(number)]


@pytest.mark.slow
@pytest.mark.parametrize("scenario", WRITING, ids=[scenario.words for scenario in WRITING])
def test_a_command_that_is_killed_did_nothing_or_all_and_succeeds_the_next_time(
    scenario: Scenario, commands: Commands, start_of: StartOf, assert_sound: AssertSound, tmp_path: Path
) -> None:
    begun = copy_of(start_of(scenario), tmp_path / "begun")
    whole = copy_of(begun, tmp_path / "whole")
    done = assert_done(commands.run(whole, words_of(scenario.words)))
    before, after = state(begun, tmp_path / "read"), state(whole, tmp_path / "read")
    assert before != after or "--fresh" in scenario.words
    chance = random.Random(scenario.words)
    way = scenario in ONE_WAY_EACH
    by_time = [{"after": chance.uniform(0.001, 0.1)}] if way else []
    for kill in [*({"kill_at": place} for place in moments(done.acts, way)), *by_time]:
        folder = copy_of(begun, tmp_path / "killed")
        killed = commands.run(folder, words_of(scenario.words), **kill)
        said = f"killed {kill}, before {done.acts[kill['kill_at']] if 'kill_at' in kill else 'whatever'}"
        assert killed.status < 0 or "after" in kill, said
        found = state(folder, tmp_path / "read")
        if scenario.apart:
            for name, told in found.items():
                assert told in (before.get(name), after.get(name)), f"{said}: {name}"
        else:
            assert found in (before, after), said
        for database in [*(folder / "instance").glob("*.db"), *folder.glob("again.db")]:
            if database.name != "accounts.db" and "before-restore" not in database.name:
                assert_sound(folder, database)
        again = commands.run(folder, words_of(scenario.words))
        assert again.status == 0 or (found != before and again.status == 1), f"{said}: {again.said}"
        assert "Traceback" not in again.said
        if found == before:
            assert state(folder, tmp_path / "read") == after, said
        if before.get(ACCOUNTS) != after.get(ACCOUNTS):
            assert_done(commands.run(folder, ["user", "audit"]))
        if any(
            (folder.parent / "temporary").iterdir()
        ):  # goes when a command makes something there, as an audit does
            assert_done(commands.run(folder, ["audit", "small"]))
        assert left_over(folder.parent) == [], said


@pytest.mark.slow
@pytest.mark.parametrize("scenario", ONE_WAY_EACH, ids=[scenario.words for scenario in ONE_WAY_EACH])
def test_a_command_on_a_full_disk_says_so_and_did_nothing_or_all(
    scenario: Scenario, commands: Commands, start_of: StartOf, assert_sound: AssertSound, tmp_path: Path
) -> None:
    begun = copy_of(start_of(scenario), tmp_path / "begun")
    before = state(begun, tmp_path / "read")
    for largest in ROOM:
        folder = copy_of(begun, tmp_path / "full")
        done = commands.run(folder, words_of(scenario.words), largest=largest)
        assert "Traceback" not in done.said, f"{largest} bytes: {done.said}"
        if done.status != 0:
            assert done.status == 1
            assert re.search("disk is full|is the disk full|File too large", done.said), (
                f"{largest} bytes: {done.said}"
            )
            if not scenario.apart:
                assert state(folder, tmp_path / "read") == before, largest
        assert_sound(folder, folder / "instance" / "small.db")
        again = commands.run(folder, words_of(scenario.words))
        assert again.status == 0 or (done.status == 0 and again.status == 1), f"{largest} bytes: {again.said}"
        # A write-ahead log that there was no room to fold in is folded in by the next command.
        assert left_over(folder.parent) == [], largest


@pytest.mark.slow
@pytest.mark.parametrize("scenario", ONE_WAY_EACH, ids=[scenario.words for scenario in ONE_WAY_EACH])
def test_a_command_that_may_not_write_says_so_and_changes_nothing(
    scenario: Scenario, commands: Commands, start_of: StartOf, read_only: Path, tmp_path: Path
) -> None:
    begun = copy_of(start_of(scenario), read_only / "begun")
    before = state(begun, tmp_path / "read")
    let_write(begun, False)
    done = commands.run(begun, words_of(scenario.words), user=NOBODY if os.geteuid() == 0 else None)
    assert done.status == 1, done.said
    assert "Traceback" not in done.said
    assert re.search("read-only|ermission denied|may not|cannot be", done.said), done.said
    let_write(begun, True)
    assert state(begun, tmp_path / "read") == before


@pytest.fixture
def read_only() -> Iterator[Path]:
    """A folder that every user can look into."""
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        yield Path(name)


def let_write(folder: Path, allowed: bool) -> None:
    for path in (folder, *folder.rglob("*")):
        path.chmod((0o755 if allowed else 0o555) if path.is_dir() else (0o644 if allowed else 0o444))


def left_over(folder: Path) -> list[str]:
    return [
        str(path.relative_to(folder))
        for path in folder.rglob("*")
        if path.name.endswith((".workbench-draft", "-wal", "-shm", "-journal", ".tmp", ".part"))
        or (path.is_file() and path.stat().st_nlink > 1)
        or (path.parent.name == "temporary" and path.is_file())
    ]


@pytest.mark.slow
def test_commands_that_only_read_change_nothing(commands: Commands, start: Path, tmp_path: Path) -> None:
    folder = copy_of(start, tmp_path / "place")
    assert_done(commands.run(folder, words_of("add documents small dated.jsonl --changed")))
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    for command in READING:
        assert_done(commands.run(folder, words_of(command)))
        after = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
        assert after == before, command
