"""Plant faults in a sample of files, and print which of them the tests do not notice.

    .venv/bin/python benchmarks/planted_faults.py [--files N] [--faults M] [--seed S] [--minutes T] [--jobs J] [FILE...]

Files of workbench/ and static/ are drawn by the seed (or named), and of each file some faults: a kind first, then a
place for it. Each fault is planted alone, in a copy of the checkout in a folder for temporary files. Then tests run
until the first one fails. For Python, if --reached-lines names what reached_lines.py has written: the MOST tests that
reach the statement, are quick and reach least besides, then MANY more of them; and then, or without it, the mirrored
test file, the rest of its folder, and WIDER more files, namely those of modules that import this one and those that
mention what it defines and few others mention; all without browsers and what is slow, and then what is slow of the
mirrored file. If --reached-slow names what it has written with --slow, all other normal tests that reach the statement
follow, and MOST of the slow ones. For a script: the files that import it by its address, and then, if --reached names
what reached_scripts.py has written, the MOST tests in a browser that reach the place of the fault and least besides;
without it, tests that mention the script and those of its family of pages. For a number in Python, those that read the
numbers of all files run second; for what no recorded test reaches in web/, those that read what pages catch and say
run last of the quick ones.

A test counts if it passes without the fault, and fails twice if it is slow or in a browser. A stage that takes longer
than --limit runs once more, for ten times as long; if it ends without the fault and not with it, the fault is noticed,
and if it does not end without it either, the outcome is not known, and counted as that.

equivalent_faults.toml lists faults that change nothing, each with the reason; they are drawn, and counted apart.
What survives may still be noticed by tests that did not run: the share that is printed is a lower bound.
"""

from __future__ import annotations

import argparse
import multiprocessing
import random
import subprocess
import sys
import tempfile
import time
import tomllib
from collections import Counter, defaultdict
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path
from typing import NamedTuple

from checkouts import ROOT, TIME_LIMIT, Checkout
from faults_of_javascript import faults_of_javascript
from faults_of_python import Fault, faults_of_python, is_another_program
from reached_lines import Reached as ReachedLines
from reached_scripts import Reached
from tests_of_files import Tests

EQUIVALENT = Path(__file__).with_name("equivalent_faults.toml")
MOST, MANY, LONGER = 40, 200, 10
QUICK = "not slow and not browser"
OF_PAGES = ["tests/web/access/test_unavailable.py", "tests/recorded/test_pages.py"]
"""The tests of what all pages catch and say."""


class Outcome(NamedTuple):
    """What became of a planted fault (`noticed`, `equivalent`, `survived` or `unknown`), and by which test or why."""

    kind: str
    why: str


class Planter:
    """Plants faults in a copy of the checkout, and says what became of them."""

    def __init__(
        self,
        checkout: Checkout,
        limit: float,
        reached: Reached | None,
        lines: ReachedLines | None,
        slow: ReachedLines | None,
    ) -> None:
        self.checkout, self.limit = checkout, limit
        self.reached, self.lines, self.slow = reached, lines, slow
        self.tests = Tests()
        self.listed = tomllib.loads(EQUIVALENT.read_text(encoding="utf-8"))["fault"]
        self.passing: set[str] = set()
        """Tests that have passed without a fault."""

    def plant(self, name: str, fault: Fault) -> Outcome:
        """What becomes of one fault in one file."""
        source = self.checkout.source(name)
        if reason := self._equivalent(name, source, fault):
            return Outcome("equivalent", reason)
        unknown = ""
        for stage, choice in self._stages(name, source, fault):
            outcome = self._after(stage, choice, name, fault.planted(source))
            if outcome.kind == "noticed":
                return outcome
            unknown = unknown or outcome.why
        return Outcome("unknown", unknown) if unknown else Outcome("survived", "")

    def _stages(self, name: str, source: str, fault: Fault) -> list[tuple[list[str], str]]:
        """Tests to run one after the other, each with pytest's choice among them."""
        if name.endswith(".py"):
            stages = self._stages_of_python(name, source, fault)
        elif self.reached is None:
            stages = [(stage, "") for stage in (self.tests.importing(name), *self.tests.stages(name))]
        else:
            most = self.reached.by(name, source, fault.start)[:MOST]
            stages = [(stage, "") for stage in (self.tests.importing(name), most)]
        return [(tests, choice) for tests, choice in stages if tests]

    def _stages_of_python(self, name: str, source: str, fault: Fault) -> list[tuple[list[str], str]]:
        found = self.lines.by(name, source, fault.start) if self.lines else []
        pages = OF_PAGES if name.startswith("workbench/web/") and not found else []
        quick = [found[:MOST], found[MOST : MOST + MANY], *self.tests.stages(name), pages]
        stages = [*((tests, QUICK) for tests in quick), (self.tests.mirrored(name), "slow and not browser")]
        if self.slow:
            slow = self.slow.by(name, source, fault.start)[:MOST]
            stages += [(found[MOST + MANY :], QUICK), (slow, "slow or browser")]
        return stages

    def _after(self, stage: list[str], choice: str, name: str, planted: str) -> Outcome:
        """What a stage of tests says of a fault."""
        while failed := self._with_fault(name, planted, stage, choice, self.limit):
            if failed == TIME_LIMIT:
                return self._in_the_long_run(stage, name, planted, choice)
            if "::" not in failed:
                without = self.checkout.first_failure(stage, choice, self.limit)
                return Outcome("unknown", failed) if without else Outcome("noticed", failed)
            if self._passes(failed, choice) and self._fails_again(failed, name, planted, choice):
                return Outcome("noticed", failed)
        return Outcome("survived", "")

    def _in_the_long_run(self, stage: list[str], name: str, planted: str, choice: str) -> Outcome:
        """What a stage says that takes too long, with more time for it."""
        failed = self._with_fault(name, planted, stage, choice, LONGER * self.limit)
        if failed is None:
            return Outcome("survived", "")
        if failed == TIME_LIMIT:
            without = self.checkout.first_failure(stage, choice, LONGER * self.limit)
            return Outcome("unknown" if without else "noticed", TIME_LIMIT)
        if "::" in failed and self._passes(failed, choice):
            return Outcome("noticed", failed)
        return Outcome("unknown", f"{TIME_LIMIT}, then {failed}")

    def _with_fault(self, name: str, planted: str, tests: list[str], choice: str, limit: float) -> str | None:
        self.checkout.write(name, planted)
        failed = self.checkout.first_failure(tests, choice, limit)
        self.checkout.write(name, self.checkout.source(name))
        return failed

    def _passes(self, test: str, choice: str) -> bool:
        """Whether a test passes without the fault; one that does not is not run again."""
        if test in self.passing:
            return True
        if self.checkout.first_failure([test], choice, LONGER * self.limit) is None:
            self.passing.add(test)
            return True
        self.checkout.broken.add(test)
        return False

    def _fails_again(self, test: str, name: str, planted: str, choice: str) -> bool:
        """Whether a test fails with the fault a second time; a browser may fail by itself on a busy machine."""
        if choice == QUICK:
            return True
        if self._with_fault(name, planted, [test], choice, LONGER * self.limit):
            return True
        self.checkout.broken.add(test)
        return False

    def _equivalent(self, name: str, source: str, fault: Fault) -> str:
        """Why this fault changes nothing, if that is listed."""
        here = (name, *shown(source, fault), one_line(fault.text))
        for one in self.listed:
            if (one["file"], one["line"], one["before"], one["after"]) == here:
                return str(one["reason"])
        return ""


def shown(source: str, fault: Fault) -> tuple[str, str]:
    """The line that a fault begins in, and the text that it replaces, on one line."""
    start, end = source.rfind("\n", 0, fault.start) + 1, source.find("\n", fault.start)
    return source[start:end].strip(), one_line(source[fault.start : fault.end])


def one_line(text: str) -> str:
    return " ".join(text.split())


def faults_of(name: str) -> list[Fault]:
    """All faults for a file."""
    source = (ROOT / name).read_text(encoding="utf-8")
    return faults_of_javascript(source) if name.endswith(".js") else faults_of_python(source)


def drawn(name: str, number: int, seed: int) -> list[Fault]:
    """Faults of a file: of each a kind is drawn first, so that the frequent ones are not all there is."""
    chance = random.Random(f"{seed} {name}")
    by_kind: defaultdict[str, list[Fault]] = defaultdict(list)
    for fault in faults_of(name):
        by_kind[fault.kind].append(fault)
    found: list[Fault] = []
    while by_kind and len(found) < number:
        kind = chance.choice(sorted(by_kind))
        fault = by_kind[kind].pop(chance.randrange(len(by_kind[kind])))
        if not by_kind[kind]:
            del by_kind[kind]
        if is_valid(name, fault):
            found.append(fault)
    return found


def is_valid(name: str, fault: Fault) -> bool:
    """Whether the file with the fault can be read, and is another program."""
    source = (ROOT / name).read_text(encoding="utf-8")
    if name.endswith(".py"):
        return is_another_program(source, fault.planted(source))
    checked = subprocess.run(
        ["node", "--input-type=module", "--check", "-"],
        input=fault.planted(source), text=True, capture_output=True, check=False,
    )  # fmt: skip
    return checked.returncode == 0


def files(seed: int, ending: str) -> list[str]:
    """The files that faults may be planted in, in an order drawn by the seed."""
    paths = [*(ROOT / "workbench").rglob("*.py"), *(ROOT / "static").rglob("*.js")]
    names = sorted(str(path.relative_to(ROOT)) for path in paths if path.name.endswith(ending))
    random.Random(seed).shuffle(names)
    return names


def report(name: str, source: str, fault: Fault, outcome: Outcome) -> None:
    line, before = shown(source, fault)
    number = source.count("\n", 0, fault.start) + 1
    print(f"{outcome.kind:10} {name}:{number} [{fault.kind}] {outcome.why}")
    if outcome.kind in ("survived", "unknown"):
        print(
            f"           line:   {line}\n           before: {before}\n           after:  {one_line(fault.text)}"
        )
    sys.stdout.flush()


class Work:
    """What a process of its own works with: one copy of the checkout."""

    planter: Planter

    @classmethod
    def begin(
        cls, folder: str, limit: float, reached: str | None, lines: str | None, slow: str | None
    ) -> None:
        copy = Path(tempfile.mkdtemp(dir=folder), "project")
        copy.mkdir()
        cls.planter = Planter(
            Checkout(copy),
            limit,
            Reached(Path(reached)) if reached else None,
            ReachedLines(Path(lines)) if lines else None,
            ReachedLines(Path(slow)) if slow else None,
        )

    @classmethod
    def plant(cls, name: str, fault: Fault, until: float) -> tuple[Outcome, set[str]] | None:
        """What becomes of a fault, and tests that fail without one; None where it is too late to begin."""
        if time.time() > until:
            return None
        return cls.planter.plant(name, fault), cls.planter.checkout.broken


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument(
        "files_named", metavar="FILE", nargs="*", help="files to plant in, in place of a sample"
    )
    parser.add_argument("--files", type=int, default=50, help="how many files (50)")
    parser.add_argument("--faults", type=int, default=2, help="how many faults of each (2)")
    parser.add_argument("--seed", type=int, default=1, help="which sample (1)")
    parser.add_argument("--minutes", type=float, default=60, help="begin no fault after so many minutes (60)")
    parser.add_argument("--limit", type=float, default=120, help="seconds for each stage of tests (120)")
    parser.add_argument("--jobs", type=int, default=1, help="how many faults at once (1)")
    parser.add_argument("--ending", default="", help="only files that end so, such as .js")
    parser.add_argument("--reached", help="the folder that reached_scripts.py has written")
    parser.add_argument("--reached-lines", help="the folder that reached_lines.py has written")
    parser.add_argument("--reached-slow", help="the folder that reached_lines.py has written with --slow")
    asked = parser.parse_args()
    sample = sampled(asked.files_named or files(asked.seed, asked.ending), asked)
    began = time.time()
    counts, broken = Counter[str](), set[str]()
    with (
        tempfile.TemporaryDirectory(prefix="planted-faults-") as folder,
        ProcessPoolExecutor(
            asked.jobs,
            multiprocessing.get_context("spawn"),
            Work.begin,
            (folder, asked.limit, asked.reached, asked.reached_lines, asked.reached_slow),
        ) as pool,
    ):
        until = began + 60 * asked.minutes
        planted = {pool.submit(Work.plant, one[0], one[2], until): one for one in sample}
        for future in as_completed(planted):
            if (done := future.result()) is not None:
                report(*planted[future], done[0])
                counts[done[0].kind] += 1
                broken |= done[1]
    summary(counts, broken, len(sample), time.time() - began)


def sampled(names: list[str], asked: argparse.Namespace) -> list[tuple[str, str, Fault]]:
    """Faults of the first files that one can be planted in, each with the file's name and text."""
    found: list[tuple[str, str, Fault]] = []
    used = 0
    for name in names:
        faults = drawn(name, asked.faults, asked.seed) if used < asked.files else []
        used += bool(faults)
        found += [(name, (ROOT / name).read_text(encoding="utf-8"), fault) for fault in faults]
    return found


def summary(counts: Counter[str], broken: set[str], drawn: int, seconds: float) -> None:
    changing = counts["noticed"] + counts["survived"]
    print(
        f"{drawn} faults drawn, {counts.total()} planted: {counts['noticed']} noticed, {counts['equivalent']} change "
        f"nothing, {counts['survived']} survived, {counts['unknown']} unknown: "
        f"{counts['noticed'] / max(1, changing):.1%} noticed of those that change anything ({seconds / 60:.0f} minutes)"
    )
    if broken:
        print("Tests that fail without a fault:", *sorted(broken), sep="\n  ")


if __name__ == "__main__":
    main()
