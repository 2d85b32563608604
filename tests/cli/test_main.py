"""The command as a whole: its help, its exit statuses, pipes, and errors without a traceback."""

from __future__ import annotations

import os
import pkgutil
import re
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from tests.cli.commands import leaves
from tests.conftest import skip_or_fail
from tests.fixture_types import Fails, Workbench
from tests.sentences import says
from workbench import cli
from workbench.cli import main
from workbench.cli.main import SHORT
from workbench.scoring.evaluation.compiled import library_path
from workbench.storage.campaign.opening import opening

PROGRAM = [sys.executable, "-m", "workbench"]
HEAVY = ("numpy", "polars", "flask", "rich", "lxml", "sqlite3", "sqlite_utils", "backports.zstd", "waitress")

SCREEN = 50
"""Lines of a terminal."""

OF_OTHER_WORK = {
    *"concurrent.futures csv difflib hashlib json logging lzma pkgutil queue secrets signal tempfile".split(),
    *("workbench.core.atomic_files", "workbench.core.records", "workbench.formats.tables.csv_cells"),
    *("workbench.formats.qrels", "workbench.formats.runs", "workbench.formats.text.columns"),
    *("workbench.formats.text.sources", "workbench.formats.text.writing", "workbench.formats.zscores"),
    *("workbench.scoring.evaluation.reading", "workbench.scoring.evaluation.tabulated"),
}
"""What eval needs for tables, checksums, other kinds of output, several runs, addresses, names that are none and files
that are compressed, and else not.
"""


def shell(command: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a pipe in bash, where $W is the command; a failure anywhere in it shows in the exit status."""
    return subprocess.run(
        ["bash", "-o", "pipefail", "-c", command],
        env={**os.environ, "W": " ".join(PROGRAM), **environment},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


def test_help_loads_none_of_the_heavy_libraries() -> None:
    program = (
        "import sys\n"
        "from workbench.cli import main\n"
        "main(['--help'], standalone_mode=False)\n"
        f"sys.exit(', '.join(name for name in {HEAVY!r} if name in sys.modules) or None)"
    )
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (result.returncode, result.stderr.strip()) == (0, "")
    assert "workbench new robust" in result.stdout


def modules_of(words: list[str], **environment: str) -> set[str]:
    """The modules that a command has imported by its end, in a process of its own."""
    program = (
        "import sys\n"
        "from workbench.cli import main\n"
        f"main({words!r}, standalone_mode=False)\n"
        "print(*sys.modules, file=sys.stderr)"
    )
    result = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=True,
    )
    return set(result.stderr.splitlines()[-1].split())


@pytest.mark.parametrize("compiled", ["on", "off"])
def test_eval_imports_what_it_uses_and_nothing_else(tmp_path: Path, compiled: str) -> None:
    if compiled == "on" and not library_path().exists():
        skip_or_fail("lines.c was not compiled: make setup")
    qrels, run = tmp_path / "qrels.txt", tmp_path / "run.txt"
    qrels.write_text("1 0 d1 1\n1 0 d2 0\n", encoding="utf-8")
    run.write_text("1 Q0 d1 1 2.5 alpha\n1 Q0 d2 2 1.5 alpha\n", encoding="utf-8")
    # Not -c and -m, for which click looks for the nearest long options.
    words = ["eval", "--complete", "--measure", "all_trec", str(qrels), str(run)]
    imported = modules_of(words, WORKBENCH_COMPILED=compiled)
    assert {"click", "numpy", "workbench.cli.evaluating"} <= imported
    others = {*HEAVY, "numpy.ma", "numpy.random", "scipy", "altair", "regex", "typst"} - {"numpy"}
    tables = {"polars", "numpy.ma"}  # polars imports the other one
    assert imported & others == (tables if compiled == "off" else set())
    if compiled == "on":
        assert imported & OF_OTHER_WORK == set()
    rooms = {name.split(".")[1] for name in imported if name.startswith("workbench.")}
    assert rooms == {"cli", "core", "formats", "jobs", "methods", "scoring"}
    commands = {name for name in imported if name.startswith("workbench.cli.")}
    assert commands == {
        f"workbench.cli.{name}"
        for name in ("main", "campaigns", "evaluating", "options", "repair_options", "tables", "workers")
    }


def test_a_command_about_a_campaign_does_not_import_pandas(folder: Path) -> None:
    imported = modules_of(["quota", "small"])
    assert "sqlite_utils" in imported
    assert {name for name in imported if name.partition(".")[0] == "pandas"} == set()


def test_an_export_of_labels_imports_neither_what_scores_nor_what_reads_files_of_runs(folder: Path) -> None:
    imported = modules_of(["export", "qrels", "small", "-o", os.devnull])
    assert "workbench.release.export" in imported
    assert {
        name for name in imported if name.startswith(("workbench.scoring", "workbench.campaign.ingest"))
    } == set()


def test_every_command_of_every_module_can_be_called() -> None:
    modules = [import_module(f"workbench.cli.{module.name}") for module in pkgutil.iter_modules(cli.__path__)]
    written = {
        each for module in modules for each in vars(module).values() if isinstance(each, click.Command)
    }
    found = {command for _, command in leaves()}
    assert [each.name for each in written - found if not isinstance(each, click.Group)] == []
    assert len(found) > 80


def test_alone_it_names_a_few_first_commands(done: Workbench) -> None:
    lines = done().output.splitlines()
    assert [line.split()[:2] for line in lines[1:]] == [
        ["workbench", name] for name in ("demo", "new", "check", "eval")
    ]


@pytest.mark.parametrize("name", SHORT)
def test_a_command_is_also_called_without_its_group_which_no_help_lists(done: Workbench, name: str) -> None:
    short, whole = done(name, "--help").output, done(SHORT[name], name, "--help").output
    assert short.partition("\n\n")[2] == whole.partition("\n\n")[2]
    assert f"  {name} " not in done("--help").output


def test_the_help_of_every_command_fits_on_a_screen() -> None:
    lines = {}
    for name, command in [("", main), *leaves()]:
        context = click.Context(command, info_name=name, terminal_width=100)
        lines[name] = command.get_help(context).count("\n") + 1
    assert {name: count for name, count in lines.items() if count > SCREEN} == {}


WRONG_USAGE = """
nonsense
new
add runs small
pool small
pool small --depth 0
score small --format excel
export runs small
member add small anna --role boss
serve --port 70000
"""


@pytest.mark.parametrize("command", WRONG_USAGE.strip().splitlines())
def test_wrong_usage_ends_with_2(fails: Fails, command: str) -> None:
    fails(command, status=2)


WRONG_INPUT = """
new small
new none/new.db
new other --grades x
new other --relevant-from 2
new other --guidelines missing.txt
add topics small missing.tsv
add runs small alpha.run
add runs small topics.tsv
add qrels small alpha.run
add documents small -
pool small --depth 3 --runs gamma
score missing
score topics.tsv
score ''
score small -m P@0
score small --as-of 1000
export qrels small -o none/qrels.txt
export qrels small -o instance
export runs small --run gamma -o -
export runs small -o topics.tsv/
backup small topics.tsv
member remove small nobody
member add small ' ' --role assessor
user disable nobody
serve missing --no-open
new other --title \udcff
"""


@pytest.mark.parametrize("command", WRONG_INPUT.strip().splitlines())
def test_wrong_input_ends_with_1_the_message_alone_and_nothing_changed(
    fails: Fails, state: Callable[[], bytes], command: str
) -> None:
    before = state()
    said = fails(command)
    assert said.strip()
    assert "Traceback" not in said
    assert state() == before
    assert not Path("instance/other.db").exists()


def test_a_campaign_that_another_process_writes_to_is_a_clear_error(
    workbench: Workbench, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opening, "BUSY_SECONDS", 0.05)
    other = sqlite3.connect(folder / "instance/small.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    result = workbench("member add small anna --role assessor")
    other.execute("ROLLBACK")
    other.close()
    assert result.exit_code == 1
    assert says(result.stderr)


def test_a_real_process_tells_its_statuses_without_a_traceback(folder: Path) -> None:
    told = shell(
        "for words in 'score small' 'score missing' score; do $W $words >/dev/null; echo $?; done; "
        "$W check alpha.run >&-; echo $?"  # output that nobody wants
    )
    assert told.stdout.split() == ["0", "1", "2", "0"]
    assert "Traceback" not in told.stderr


@pytest.mark.slow
def test_a_reader_that_has_had_enough_is_no_error_to_speak_of(done: Workbench) -> None:
    lines = "".join(f"1 0 x{number} 1\n" for number in range(8_000))
    done("add qrels small -", given=lines)
    done("add runs small -", given="".join(f"1 Q0 x{number} 1 {number} long\n" for number in range(8_000)))
    told = shell(
        "for words in 'export qrels' 'export judgments' score 'score --format csv' 'export runs --run long -o -'; "
        "do $W ${words/ -/ small -} $([[ $words == *' -'* ]] || echo small) | head -1 || echo $words failed; done"
    )
    assert (len(told.stdout.splitlines()), "failed" in told.stdout) == (5, False)
    assert not re.search("Traceback|BrokenPipe", told.stderr)


def test_a_closed_pipe_is_no_error_and_hides_none(folder: Path) -> None:
    """What is read after the command began to write, its help and its remarks; and an audit that fails still does."""
    connection = sqlite3.connect("instance/small.db", isolation_level=None)
    connection.execute("UPDATE document SET text = 'another' WHERE document = 'd1'")
    connection.close()
    result = shell(
        "for words in measures --help 'score --help' 'score small' 'export pool small'; do "
        "  $W $words 2>>remarks.txt | true || echo $words ended with an error; "
        "done; $W score small 2>&1 | true || echo remarks; "
        "$W audit small 2>>remarks.txt | true || echo damaged; "
        "$W check topics.tsv | true || echo refused"
    )
    assert result.stdout == "damaged\nrefused\n"
    assert not re.search("Traceback|Broken|ignored", Path("remarks.txt").read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("command", "meant"),
    [
        ("scroe small", "score"),
        ("score small --fromat csv", "format"),
        ("score small --as_of 3", "as-of"),
        ("member lsit small", "list"),
        ("pool small --set dephth=3", "depth"),
        ("plot small topic-scores rum=alpha", "run"),
        ("plot small topicss", "topics"),
        ("score small -m nDGC@10", "nDCG@10"),
    ],
)
def test_a_word_that_is_not_known_is_answered_with_the_nearest_one(
    workbench: Workbench, command: str, meant: str
) -> None:
    result = workbench(command)
    assert result.exit_code in (1, 2)
    assert re.search(rf"(nearest|[Dd]id you mean|there is:)[^\n]*\b{meant}\b", result.stderr), result.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full on this system")
def test_a_full_disk_is_a_clear_error(folder: Path) -> None:
    result = shell(
        "for words in 'export pool small' 'check alpha.run' measures; do $W $words >/dev/full; echo $?; done"
    )
    assert result.stdout.split() == ["1", "1", "1"]
    assert result.stderr.count("No space left on device") == 3
    assert "Traceback" not in result.stderr


def test_what_is_no_text_is_shown_with_twenty_characters_before_and_after_it(fails: Fails) -> None:
    said = fails("new other --grades 0:No,1:Yes --title", f"{'a' * 30}\udcff{'b' * 30}")
    assert says(said, f"'{'a' * 20}\\udcff{'b' * 20}'")


def test_a_file_whose_name_is_no_text_is_refused_with_a_reason(folder: Path) -> None:
    result = shell("printf '1 Q0 d1 1 3 x\\n' > $'\\xff.run' && $W add runs small $'\\xff.run'")
    assert result.returncode == 1
    assert says(result.stderr)
    assert "Traceback" not in result.stderr


def test_results_are_utf_8_whatever_the_locale(folder: Path) -> None:
    Path("q.txt").write_text("ت 0 é 1\n", encoding="utf-8")
    Path("u.run").write_text("ت Q0 é 1 1 话\n", encoding="utf-8")
    command = "$W eval -q -m runid -m AP q.txt u.run --format"
    for form in ("table", "json"):
        result = shell(f"PYTHONIOENCODING=latin-1 {command} {form}")
        assert (result.returncode, result.stderr) == (0, "")
        assert "ت" in result.stdout
        assert "话" in result.stdout


def test_the_campaign_is_the_first_argument_of_every_command_that_has_one() -> None:
    for name, command in leaves():
        words = [each.name for each in command.params if isinstance(each, click.Argument)]
        assert "campaign" not in words[1:], name
        assert "campaigns" not in words[1:], name


@pytest.mark.parametrize(("before", "after"), [(None, "1"), ("4", "4")])
def test_products_of_matrices_have_one_thread_unless_the_environment_says_more(
    monkeypatch: pytest.MonkeyPatch, before: str | None, after: str
) -> None:
    monkeypatch.setenv("OPENBLAS_NUM_THREADS", before or "")
    if before is None:
        monkeypatch.delenv("OPENBLAS_NUM_THREADS")
    CliRunner().invoke(main, [])
    assert os.environ["OPENBLAS_NUM_THREADS"] == after
