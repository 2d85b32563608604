"""How far seven requests walk through the code: files, rooms, calls from file to file, and SQL statements.

    .venv/bin/python benchmarks/walks.py [--before CHECKOUT] [--calls] [--sql]

On a campaign of 2 topics, 2 runs and 8 documents each walk is traced once (sys.setprofile, in its own thread):

    add runs         `workbench add runs CAMPAIGN RUN`
    pool             `workbench pool CAMPAIGN --depth 4`
    list of runs     `workbench campaign runs CAMPAIGN`
    score            `workbench score CAMPAIGN -m nDCG@10`
    eval             `workbench eval -m nDCG@10 QRELS RUN`
    POST a judgment  a grade that the judging page sends, by an assessor who has sent one before
    GET the board    the leaderboard's page after that judgment, by the organiser who opened it before

A file is a module of the package; a room is what is at the top of the package. A call counts where a function of
one file calls a function of another, directly or through libraries; resumed generators and code that runs as a module
is imported do not count. Everything is imported before. With --before the same walks are made in the folder of another
version of the source, with the same libraries; --calls lists which files call which, most calls first, and --sql the
statements in their order, as SQLite's trace has them.
"""

from __future__ import annotations

import argparse
import json
import os
import sqlite3
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from types import CodeType, FrameType
from typing import Any, NamedTuple
from uuid import UUID

HERE = Path(__file__).resolve().parent.parent


class Walk(NamedTuple):
    """The calls from file to file, and the SQL statements."""

    calls: Counter[tuple[str, str]]
    statements: list[str]


Walks = dict[str, Walk]

MOST = {
    "add runs": (65, 40),
    "pool": (84, 80),
    "list of runs": (70, 42),
    "score": (67, 39),
    "eval": (40, 0),
    "POST a judgment": (41, 11),
    "GET the board": (78, 16),
}
"""The most files and statements that each walk may take; tests/test_walks.py holds it to them."""

heard: list[str] = []
"""The SQL statements of all connections of this process."""


def hear(statement: str) -> None:
    """Note a statement; one that adds many rows (`executemany`) counts once, and what SQLite runs inside another one,
    which begins with two dashes or, in a trigger, is that one once more, does not count.
    """
    said = " ".join(statement.split())
    into, values, _ = said.partition(" VALUES (")
    if not said.startswith("--") and not (values and heard and heard[-1].startswith(into + values)):
        heard.append(said)


def listen() -> None:
    """Have every connection that is opened from now on tell its statements."""
    connect = sqlite3.connect

    def connect_and_listen(*args: Any, **options: Any) -> sqlite3.Connection:
        connection = connect(*args, **options)
        connection.set_trace_callback(hear)
        return connection

    sqlite3.connect = connect_and_listen  # type: ignore[assignment]


class Trace:
    """The calls from file to file while it is on; `package` is the folder whose files are followed."""

    def __init__(self, package: Path) -> None:
        self.prefix = f"{package}{os.sep}"
        self.names: dict[CodeType, str] = {}
        self.calls: Counter[tuple[str, str]] = Counter()

    def name(self, code: CodeType) -> str:
        """The module's path below the package; "" for code that is not part of a walk."""
        if code not in self.names:
            is_ours = code.co_filename.startswith(self.prefix) and code.co_name != "<module>"
            self.names[code] = code.co_filename.removeprefix(self.prefix) if is_ours else ""
        return self.names[code]

    def profile(self, frame: FrameType, event: str, _: object) -> None:
        """What `sys.setprofile` calls."""
        there = self.name(frame.f_code) if event == "call" and is_begun(frame) else ""
        if there:
            caller = frame.f_back
            while caller is not None and not self.name(caller.f_code):
                caller = caller.f_back
            self.calls[self.name(caller.f_code) if caller else "", there] += 1

    @contextmanager
    def on(self) -> Iterator[None]:
        """Trace what the block does in this thread."""
        sys.setprofile(self.profile)
        try:
            yield
        finally:
            sys.setprofile(None)


def is_begun(frame: FrameType) -> bool:
    """Whether the call begins the function: a generator is called again for each of its values (RESUME's argument)."""
    return frame.f_code.co_code[frame.f_lasti + 1] == 0


def module(*names: str) -> Any:
    """The first of these modules that this version of the source has: rooms were moved."""
    for name in names[:-1]:
        try:
            return import_module(name)
        except ModuleNotFoundError:
            continue
    return import_module(names[-1])


def part(package: str, name: str) -> Any:
    """A module of a package, whichever of its folders it is in."""
    for found in walk_packages(import_module(package).__path__, f"{package}."):
        if found.name.rpartition(".")[2] == name:
            return import_module(found.name)
    sys.exit(f"{package} has no module {name}")


def traced(package: Path, work: Callable[[], object]) -> Walk:
    """What one walk calls and asks."""
    trace = Trace(package)
    heard.clear()
    with trace.on():
        work()
    return Walk(trace.calls, heard.copy())


def command(*words: str) -> None:
    """One command of the command line, in this process; what it prints is lost."""
    with Path(os.devnull).open("w") as lost, redirect_stdout(lost), redirect_stderr(lost):
        import_module("workbench.cli").main.main(words, standalone_mode=False)


def write_files(folder: Path) -> None:
    """Topics, documents, two runs and qrels."""
    documents = [f"d{number}" for number in range(1, 9)]
    texts = [{"id": name, "title": name, "text": f"The text of {name}."} for name in documents]
    (folder / "topics.tsv").write_text("1\tfirst topic\n2\tsecond topic\n")
    (folder / "documents.jsonl").write_text("".join(f"{json.dumps(text)}\n" for text in texts))
    for tag, step in (("one", 1), ("two", -1)):
        lines = [
            f"{topic} Q0 {name} {rank} {9 - rank} {tag}\n"
            for topic in "12"
            for rank, name in enumerate(documents[::step], start=1)
        ]
        (folder / f"{tag}.run").write_text("".join(lines))
    (folder / "qrels.txt").write_text("".join(f"{topic} 0 d{topic} 1\n" for topic in "12"))


def client_of(app: Any, token: str) -> Any:
    client = app.test_client()
    with client.session_transaction() as session:
        session.update(token=token)
    return client


def walks(package: Path, folder: Path) -> Walks:
    """All walks of the version of the source in `package`."""
    write_files(folder)
    campaign = str(folder / "toy.db")
    run, qrels = str(folder / "two.run"), str(folder / "qrels.txt")
    command("new", campaign)
    for what, name in (("topics", "topics.tsv"), ("documents", "documents.jsonl"), ("runs", "one.run")):
        command("add", what, campaign, str(folder / name))
    found = {"add runs": traced(package, lambda: command("add", "runs", campaign, run))}
    found["pool"] = traced(package, lambda: command("pool", campaign, "--depth", "4"))
    found["list of runs"] = traced(package, lambda: command("runs", campaign))
    command("add", "qrels", campaign, qrels)
    found["score"] = traced(package, lambda: command("score", campaign, "-m", "nDCG@10"))
    found["eval"] = traced(package, lambda: command("eval", "-m", "nDCG@10", qrels, run))
    return {**found, **walks_of_the_server(package, folder)}


def walks_of_the_server(package: Path, folder: Path) -> Walks:
    """A judgment and the board after it."""
    accounts = module("workbench.people.accounts", "workbench.accounts")
    stored = module("workbench.storage.campaign", "workbench.campaign")
    members, settings, topics = (part(stored.__name__, name) for name in ("members", "settings", "topics"))
    tokens = {}
    with stored.open_campaign(folder / "toy.db") as campaign, accounts.open_accounts(folder) as people:
        for name, role in (("ann", "assessor"), ("olga", "organiser")):
            accounts.add_account(people, name, "a long password")
            with campaign.write():
                members.put(campaign.by("benchmark"), name, role)
            tokens[name] = accounts.begin_session(people, name)
        hashes = dict(campaign.db.conn.execute("SELECT document, text_hash FROM document").fetchall())
        shown = {"topic_version": topics.find(campaign, "1").version}
        shown["guideline_version"] = settings.read(campaign).guideline_version
    app = module("workbench.web.app", "workbench.web").create_app(folder)
    try:
        return walks_of_clients(package, app, tokens, hashes, shown)
    finally:
        app.extensions["workbench_connections"].close()


def walks_of_clients(
    package: Path, app: Any, tokens: dict[str, str], hashes: dict[str, str], shown: dict[str, int]
) -> Walks:
    """The judgment of an assessor and the board of an organiser, each after one of the same kind."""
    assessor, organiser = client_of(app, tokens["ann"]), client_of(app, tokens["olga"])
    page = assessor.get("/c/toy/").get_data(as_text=True)
    token = page.partition('name="csrf-token" content="')[2].partition('"')[0]
    told = assessor.get("/c/toy/api/document?topic=1&document=d1").get_json()
    named = {"log": told["log"]} if "log" in told else {}  # older versions take no log

    def judge(number: int) -> None:
        sent: dict[str, Any] = {
            "uuid": str(UUID(int=number)), "topic_id": "1", "document_id": f"d{number}", "pool": 1,
            "text_hash": hashes[f"d{number}"], "kind": "grade", **shown, **named,
            "grade": 1, "replaces": None, "client_at": "2026-03-01T12:00:00.000Z", "active_seconds": 1.5, "comment": "",
            "input": "key", "same_as": None, "rationales": [],
        }  # fmt: skip
        answer = assessor.post("/c/toy/api/judgments", json=sent, headers={"X-CSRFToken": token})
        if answer.status_code not in (200, 201):
            sys.exit(f"the judgment was not stored: {answer.status_code} {answer.get_data(as_text=True)}")

    def board() -> None:
        answer = organiser.get("/c/toy/board")
        if answer.status_code != 200:
            sys.exit(f"the board was not shown: {answer.status_code}")

    judge(1)
    board()
    return {"POST a judgment": traced(package, lambda: judge(2)), "GET the board": traced(package, board)}


def import_all(package: Path) -> None:
    """Import every module but those that run as programs."""
    for each in walk_packages([str(package)], "workbench."):
        if not each.name.endswith("__main__"):
            import_module(each.name)


def run_in(source: Path) -> Walks:
    """The walks of the version in `source`, in a process of its own."""
    command = [sys.executable, __file__, "--only", str(source)]
    environment = {**os.environ, "PYTHONPATH": str(source), "PYTHONHASHSEED": "0"}
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, env=environment)
    return {
        name: Walk(Counter({(caller, callee): number for caller, callee, number in calls}), statements)
        for name, (calls, statements) in json.loads(done.stdout).items()
    }


def figures(walk: Walk) -> tuple[int, int, int, int]:
    """Files, rooms, calls from one file to another, and SQL statements."""
    files = {callee for _, callee in walk.calls}
    rooms = {name.partition("/")[0].removesuffix(".py") for name in files}
    calls = sum(n for (caller, callee), n in walk.calls.items() if caller != callee)
    return len(files), len(rooms), calls, len(walk.statements)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--before", type=Path, help="the folder of another version of the source")
    parser.add_argument("--calls", action="store_true", help="list the calls from file to file")
    parser.add_argument("--sql", action="store_true", help="list the SQL statements")
    parser.add_argument("--only", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.only:
        package = given.only / "workbench"
        listen()
        import_all(package)
        with tempfile.TemporaryDirectory() as folder:
            found = walks(package, Path(folder))
        print(
            json.dumps(
                {
                    name: [[[*pair, n] for pair, n in walk.calls.items()], walk.statements]
                    for name, walk in found.items()
                }
            )
        )
        return
    columns = {"now": run_in(HERE)}
    if given.before:
        columns = {"before": run_in(given.before.resolve()), **columns}
    print(f"{'files / rooms / calls / SQL':28}" + "".join(f"{name:>20}" for name in columns))
    for walk in columns["now"]:
        cells = [" / ".join(f"{number:,}" for number in figures(found[walk])) for found in columns.values()]
        print(f"{walk:28}" + "".join(f"{cell:>20}" for cell in cells))
    for name, walked in columns["now"].items():
        for (caller, callee), number in walked.calls.most_common() if given.calls else ():
            if caller != callee:
                print(f"{name}: {number:,}  {caller or '(outside)'} -> {callee}")
        for statement in walked.statements if given.sql else ():
            print(f"{name}: {statement}")


if __name__ == "__main__":
    main()
