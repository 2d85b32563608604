"""Whatever a message advises is tried on a file that caused the message: the command, the option, the measure."""

from __future__ import annotations

import re
import shlex
import subprocess
from pathlib import Path
from typing import NamedTuple

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.at_length import at_length
from tests.sentences import says
from workbench.cli import main
from workbench.core.errors import InputError
from workbench.core.findings import KINDS
from workbench.formats.qrels import read_qrels
from workbench.formats.run_repairs import WAYS, Repairs
from workbench.formats.runs import examine_run, read_run
from workbench.formats.text.commands import COMMANDS, command


class Case(NamedTuple):
    """A file that is refused with the advice, what it is to be, and its rows once the advice was followed."""

    content: str | bytes
    kind: str
    rows: list[tuple[object, ...]]


RUN_ROWS: list[tuple[object, ...]] = [("1", "a", 2.5), ("1", "b", 1.5), ("2", "a", 9.0)]
QRELS_ROWS: list[tuple[object, ...]] = [("1", "a", 2), ("1", "b", 0), ("2", "a", 1)]
RUN = "1 Q0 a 1 2.5 t\n1 Q0 b 2 1.5 t\n2 Q0 a 1 9 t\n"

COMMAND_CASES = {
    "run without tag": Case("1 Q0 a 1 2.5\n1 Q0 b 2 1.5\n2 Q0 a 1 9\n", "run", RUN_ROWS),
    "run of ranks": Case(
        "1 a 1\n1 b 2\n2 a 1\n", "run", [("1", "a", -1.0), ("1", "b", -2.0), ("2", "a", -1.0)]
    ),
    "run of scores": Case("1 a 2.5\n1 b 1.5\n2 a 9\n", "run", RUN_ROWS),
    "qrels of a sample": Case("1 a 2 1 0.1659\n1 b 0 2 1\n2 a 1 0 0.5\n", "qrels", QRELS_ROWS),
    "qrels with strata": Case("1 0 a 5 2\n1 0 b 5 0\n1 0 c 5 -1\n2 0 a 5 1\n", "qrels", QRELS_ROWS),
    "qrels with a remark": Case("1 0 a 2 x\n1 0 b 0 sure\n2 0 a 1 x\n", "qrels", QRELS_ROWS),
    "qrels under names": Case("t d g\n1 a 2\n1 b 0\n2 a 1\n", "qrels", QRELS_ROWS),
    "qrels without zeros": Case("1 a 2\n1 b 0\n2 a 1\n", "qrels", QRELS_ROWS),
    "qrels with repeated lines": Case("1 0 a 2\n1 0 b 0\n1  0 a 2\n2 0 a 1\n2 0 a 1\n", "qrels", QRELS_ROWS),
    "line ends": Case(RUN.replace("\n", "\r"), "run", RUN_ROWS),
    "windows-1252": Case("1 Q0 café 1 2.5 t\n".encode("cp1252"), "run", [("1", "café", 2.5)]),
    "UTF-16": Case(RUN.encode("utf-16"), "run", RUN_ROWS),
    "UTF-32": Case(RUN.encode("utf-32"), "run", RUN_ROWS),
}


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_that_is_advised_makes_what_was_meant_of_the_file(name: str, tmp_path: Path) -> None:
    case = COMMAND_CASES[name]
    path, new = tmp_path / "FILE", tmp_path / "NEWFILE"
    path.write_bytes(case.content if isinstance(case.content, bytes) else case.content.encode())
    read = read_run if case.kind == "run" else read_qrels
    with pytest.raises(InputError) as refused:
        read(path)
    assert command(name) in str(refused.value)
    subprocess.run(command(name), shell=True, check=True, cwd=tmp_path)
    assert read(new).frame.rows() == case.rows


OFFERED = [
    *(option for kind in KINDS.values() for option in kind.repair.split(", ") if option),
    *(f"--{name}-{way}" for name in ("topics", "documents") for way in getattr(WAYS, name)),
    *(
        f"--{name.replace('_', '-')} {way}"
        for name in ("extra_topics", "extra_documents")
        for way in getattr(WAYS, name)
    ),
]
TOPICS = "051\tone\n052\ttwo\n"
REPAIR_CASES = {
    "--bad-lines drop": "topic Q0 document rank score tag\n051 Q0 d1 1 2 t\n",
    "--tags first": "051 Q0 d1 1 2 t\n051 Q0 d2 2 1 u\n",
    "--duplicates first": "051 Q0 d1 1 2 t\n051 Q0 d1 2 1 t\n",
    "--duplicates best-score": "051 Q0 d1 1 1 t\n051 Q0 d1 2 2 t\n",
    "--topics-as-suggested": "51 Q0 d1 1 2 t\n052 Q0 d1 1 2 t\n",
    "--topics-by-position": "1 Q0 d1 1 2 t\n2 Q0 d2 1 2 t\n",
    "--extra-topics drop": "051 Q0 d1 1 2 t\n9 Q0 d1 1 2 t\n",
    "--documents-as-suggested": "051 Q0 D1 1 2 t\n051 Q0 d2 2 1 t\n",
    "--extra-documents drop": "051 Q0 d1 1 2 t\n051 Q0 z9 2 1 t\n",
}


def done(command: str) -> str:
    """What a command prints, whatever its exit status."""
    return CliRunner().invoke(main, command.split(), catch_exceptions=False).output


@pytest.mark.parametrize("option", OFFERED)
def test_a_repair_that_is_offered_takes_the_file_and_is_not_offered_again(
    option: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("topics.tsv").write_text(TOPICS, encoding="utf-8")
    Path("documents.jsonl").write_text(
        '{"id": "d1", "text": "x"}\n{"id": "d2", "text": "y"}\n', encoding="utf-8"
    )
    Path("a.run").write_text(REPAIR_CASES[option], encoding="utf-8")
    for step in ("new web", "add topics web topics.tsv", "add documents web documents.jsonl --complete"):
        done(step)
    assert option in done("check a.run --campaign web").partition("can repair:")[2]
    repaired = done(f"check a.run --campaign web {option}")
    assert "refused" not in repaired
    assert "can repair" not in repaired
    assert "1 run added" in done(f"add runs web a.run {option}")


def test_files_that_were_mixed_up_are_taken_by_the_command_that_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.run").write_text(RUN, encoding="utf-8")
    Path("a.qrels").write_text("1 0 a 2\n1 0 b 0\n2 0 a 1\n", encoding="utf-8")
    done("new web")
    assert says(done("add runs web a.qrels"))
    assert says(done("add qrels web a.run"))
    assert says(done("eval a.run a.qrels"))
    assert "1 run added" in done("add runs web a.run")
    assert "3 judgments imported" in done("add qrels web a.qrels")
    assert "nDCG" in done("eval a.qrels a.run -m nDCG")


class Advice(NamedTuple):
    """A command, and the one that it advises: before and after the campaign, and what is written for its capitals."""

    command: str
    before: str
    after: str
    given: str = ""


STEP = "--strategy sequential-pps --depth 100 --budget 1"
ADVICE = (
    Advice("new {} --grades 0:No,1:Yes", "add topics", "FILE", "topics.tsv"),
    Advice("runs {}", "add runs", "RUN...", "a.run b.run"),
    Advice("assign double {} --share .1 --seed 1", "assign who", "assigned"),
    Advice("assign double {} --share .1 --seed 1", "pool", "--depth 10"),
    Advice("stop {}", "pool", "--strategy sequential-pps --depth 100 --budget 1000", STEP),
    Advice("assign who {} anybody", "assign who", "assigned"),
    Advice("stop {} --topics", "pool", "--strategy uniform --depth 100 --set whole=10 --budget 10%"),
    Advice("search {} 051 x", "add documents", "FILE... --all", "documents.jsonl --all"),
    Advice("norming reveal {}", "judging norming open", "TOPIC", "051"),
    Advice("add model-labels {} a.qrels --form qrels --judge m", "judging rule", "--models gaps"),
    Advice("stop {} -m P@1 --pairs", "analyse compare", "--all"),
)


@pytest.mark.parametrize("campaign", ["web", "./web.db", "./two words.db", "instance/web.db"])
def test_a_command_that_names_the_campaign_finds_it(
    campaign: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("WORKBENCH_INSTANCE", raising=False)
    Path("instance").mkdir()
    Path("topics.tsv").write_text(TOPICS, encoding="utf-8")
    Path("documents.jsonl").write_text('{"id": "d1", "text": "x"}\n', encoding="utf-8")
    Path("a.run").write_text("051 Q0 d1 1 2 t\n051 Q0 d2 2 1 t\n", encoding="utf-8")
    Path("b.run").write_text("051 Q0 d2 1 2 u\n051 Q0 d1 2 1 u\n", encoding="utf-8")
    Path("a.qrels").write_text("051 0 d1 1\n051 0 d2 0\n", encoding="utf-8")
    for advice in ADVICE:
        words = [campaign if word == "{}" else word for word in advice.command.split()]
        said = " ".join(CliRunner().invoke(main, words, catch_exceptions=False).output.split())
        found = re.search(rf"workbench {advice.before} ('.+?'|[^ ]+?) {re.escape(advice.after)}", said)
        assert found is not None, (advice, said)
        advised = [*advice.before.split(), *shlex.split(found[1]), *(advice.given or advice.after).split()]
        result = CliRunner().invoke(main, advised, catch_exceptions=False)
        assert result.exit_code == 0, (advised, result.output)


def test_whole_grades_with_gains_are_worth_the_fractions(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.run").write_text("1 Q0 a 1 2 t\n1 Q0 b 2 1 t\n", encoding="utf-8")
    Path("a.qrels").write_text("1 0 a 0.5\n1 0 b 1.0\n", encoding="utf-8")
    said = done("eval a.qrels a.run")
    measure = said.rpartition(" ")[2].strip()
    assert measure == "nDCG(gains={1:0.5,2:1})"
    Path("whole.qrels").write_text("1 0 a 1\n1 0 b 2\n", encoding="utf-8")
    scored = done(f"eval whole.qrels a.run -m {measure}").split()[-1]
    assert scored == "0.8597"  # (.5 + 1 / lb 3) / (1 + .5 / lb 3)


LINES = st.lists(
    st.tuples(
        st.sampled_from("12"),
        st.sampled_from("abc"),
        st.sampled_from(["1", "2.5", "x"]),
        st.sampled_from("tu"),
    ),
    min_size=1,
    max_size=9,
)
FILE_REPAIRS = [
    Repairs(bad_lines="drop", tags="first", duplicates=way) for way in ("identical", "first", "best-score")
]


@settings(max_examples=at_length(600, 60))
@given(lines=LINES)
def test_a_repair_changes_no_id_score_or_order_of_what_it_keeps_and_names_the_others(
    lines: list[tuple[str, str, str, str]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("repaired") / "a.run"
    path.write_text("".join(f"{q} Q0 {d} 1 {s} {t}\n" for q, d, s, t in lines), encoding="utf-8")
    for repairs in FILE_REPAIRS:
        run = examine_run(path, repairs=repairs).run
        if run is None:
            continue
        changed = {
            line for done in run.done if done.repair.name != "tags first" for line in done.changed.lines
        }
        kept = [line for place, line in enumerate(lines, start=1) if place not in changed]
        readable = [(q, d, float(s)) for q, d, s, _ in kept if s != "x"]
        assert run.frame.rows() == readable
