"""Plant faults in a sample of files, and print which of them the tests do not notice.

    nice .venv/bin/python benchmarks/planted_faults.py [--files N] [--faults M] [--seed S] [--minutes T] [FILE...]

Files of workbench/ and static/ are drawn by the seed (or named), and of each file some faults: a kind first, then a
place for it. Each fault is planted alone, in a copy of the checkout in a folder for temporary files. Then tests run
until the first one fails: the mirrored test file, the rest of its folder, and WIDER more files, namely those of modules
that import this one and those that mention what it defines and few others mention; each stage for --limit seconds at
most. A test that fails without the fault as well notices nothing. Tests of Python run without browsers and what is
slow; those of scripts in a browser, with what is slow.

equivalent_faults.toml lists faults that change nothing, each with the reason; they are drawn, and counted apart.
What survives may still be noticed by tests that did not run: the share that is printed is a lower bound.
"""

from __future__ import annotations

import argparse
import ast
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from collections import Counter, defaultdict
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from faults_of_javascript import faults_of_javascript
from faults_of_python import Fault, faults_of_python, is_another_program

ROOT = Path(__file__).resolve().parent.parent
EQUIVALENT = Path(__file__).with_name("equivalent_faults.toml")
WIDER, TOO_LITTLE = 15, 0.05
NO_TESTS, PASSED, TIME_LIMIT = 5, 0, "time limit"
FAILURE = re.compile(r"^(?:FAILED|ERROR) (\S+?\.py(?:::.+?)?)(?: - .*)?$", re.MULTILINE)


class Outcome(NamedTuple):
    """What became of a planted fault: `noticed`, `equivalent` or `survived`, and by which test or why."""

    kind: str
    why: str


class Checkout:
    """A copy of the checkout in which faults are planted and tests run."""

    def __init__(self, folder: Path, limit: float) -> None:
        self.folder, self.limit = folder, limit
        listed = subprocess.run(
            ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
            cwd=ROOT, capture_output=True, text=True, check=True,
        )  # fmt: skip
        for name in filter(None, listed.stdout.split("\0")):
            if (ROOT / name).is_file():
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / name, folder / name)
        self.broken: set[str] = set()
        """Tests that fail without any fault."""
        self._moment = int(time.time()) + 10_000

    def write(self, name: str, source: str) -> None:
        """Write a file with a time of its own, so that no compiled file of before is taken for it."""
        self._moment += 10
        (self.folder / name).write_text(source, encoding="utf-8")
        os.utime(self.folder / name, (self._moment, self._moment))

    def first_failure(self, tests: list[str], choice: str) -> str | None:
        """The first test that fails, "time limit" where none did until then, or None."""
        without = [f"--deselect={test}" for test in sorted(self.broken)]
        command = [
            sys.executable,
            "-m",
            "pytest",
            "-x",
            "-q",
            "-p",
            "no:cacheprovider",
            "--no-header",
            "--tb=no",
        ]
        environment = os.environ | {
            "PYTHONPATH": str(self.folder),
            "WORKBENCH_TEST_DATA": os.environ.get(
                "WORKBENCH_TEST_DATA", str(ROOT.parent / "shared" / "data")
            ),
        }
        where = f"--basetemp={self.folder.parent / 'temporary'}"
        try:
            done = subprocess.run(
                [*command, where, "-m", choice, *without, *tests],
                cwd=self.folder, env=environment, capture_output=True, text=True, timeout=self.limit, check=False,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            return TIME_LIMIT
        if done.returncode in (PASSED, NO_TESTS):
            return None
        failed = FAILURE.search(done.stdout)
        return failed[1] if failed else f"pytest ended with {done.returncode}"


class Tests:
    """Which tests belong to a file."""

    def __init__(self) -> None:
        self.texts = {
            str(path.relative_to(ROOT)): path.read_text(encoding="utf-8")
            for path in sorted((ROOT / "tests").rglob("test_*.py"))
        }

    @cached_property
    def importers(self) -> dict[str, set[str]]:
        """Files of the package that import from a module, by the module's name."""
        found: defaultdict[str, set[str]] = defaultdict(set)
        for path in sorted((ROOT / "workbench").rglob("*.py")):
            name = str(path.relative_to(ROOT))
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.ImportFrom) and node.module:
                    found[node.module].add(name)
                    for alias in node.names:
                        found[f"{node.module}.{alias.name}"].add(name)
        return found

    def stages(self, name: str) -> list[list[str]]:
        """Test files of a file: the mirrored ones, the rest of their folder, and wider ones; each only once."""
        family, *parts = Path(name).with_suffix("").parts
        folder = Path("tests", *(["web"] if family == "static" else []), *parts[:-1])
        while not any(Path(test).parent == folder for test in self.texts) and len(folder.parts) > 1:
            folder = folder.parent
        mirrored = [test for test in self.texts if self._mirrors(test, folder, parts[-1])]
        beside = [test for test in self.texts if Path(test).parent == folder]
        wider = self._of_module(name) if family == "workbench" else self._of_script(name)
        if family == "static":
            beside = []
        stages, seen = [], set[str]()
        for stage in (mirrored, beside, wider[:WIDER]):
            fresh = [test for test in stage if test not in seen]
            seen.update(fresh)
            if fresh:
                stages.append(fresh)
        return stages

    @staticmethod
    def _mirrors(test: str, folder: Path, stem: str) -> bool:
        path = Path(test)
        return path.parent == folder and (
            path.stem == f"test_{stem}" or path.stem.startswith(f"test_{stem}_")
        )

    def _of_script(self, name: str) -> list[str]:
        """Tests in a browser: first those that mention the file, then those of its family of pages."""
        browsers = [test for test in self.texts if "_in_the_browser" in test]
        return sorted(
            browsers,
            key=lambda test: (
                Path(name).name not in self.texts[test],
                Path(name).parts[1] not in Path(test).parts,
                test,
            ),
        )

    def _of_module(self, name: str) -> list[str]:
        """Tests of the modules that import this one, and those that mention most of what it defines."""
        module = ".".join(Path(name).with_suffix("").parts).removesuffix(".__init__")
        tree = ast.parse((ROOT / name).read_text(encoding="utf-8"))
        defined = {node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)}
        weights = defaultdict[str, float](
            float, {test: 1.0 for test in self.texts if f"{module} import" in self.texts[test]}
        )
        for importer in self.importers[module]:
            of_importer = Path("tests", *Path(importer).parts[1:-1], f"test_{Path(importer).name}")
            weights[str(of_importer)] += 0.5 * (str(of_importer) in self.texts)
        for word in defined:
            mentioned = [test for test, text in self.texts.items() if re.search(rf"\b{word}\b", text)]
            for test in mentioned:
                weights[test] += 1 / len(mentioned)
        return [
            test for test, weight in sorted(weights.items(), key=lambda item: -item[1]) if weight > TOO_LITTLE
        ]


class Planter:
    """Plants faults and counts what became of them."""

    def __init__(self, checkout: Checkout) -> None:
        self.checkout, self.tests = checkout, Tests()
        self.listed = tomllib.loads(EQUIVALENT.read_text(encoding="utf-8"))["fault"]
        self.counts: Counter[str] = Counter()
        self.without_fault: dict[tuple[str, ...], bool] = {}

    def plant(self, name: str, fault: Fault) -> Outcome:
        """What becomes of one fault in one file."""
        source = (ROOT / name).read_text(encoding="utf-8")
        if reason := self._equivalent(name, source, fault):
            return Outcome("equivalent", reason)
        choice = "" if name.endswith(".js") else "not slow and not browser"
        for stage in self.tests.stages(name):
            while failed := self._first_failure(name, fault.planted(source), stage, choice):
                if not self._fails_without(failed, stage, choice):
                    return Outcome("noticed", failed)
                if failed == TIME_LIMIT:
                    break
        return Outcome("survived", "")

    def _first_failure(self, name: str, planted: str, stage: list[str], choice: str) -> str | None:
        self.checkout.write(name, planted)
        failed = self.checkout.first_failure(stage, choice)
        self.checkout.write(name, (ROOT / name).read_text(encoding="utf-8"))
        return failed

    def _fails_without(self, failed: str, stage: list[str], choice: str) -> bool:
        """Whether a test, or a whole stage, fails without the fault too; such a test is not run again."""
        if "::" not in failed:
            key = (failed, *stage)
            if key not in self.without_fault:
                self.without_fault[key] = self.checkout.first_failure(stage, choice) == failed
            return self.without_fault[key]
        if self.checkout.first_failure([failed], choice) is None:
            return False
        self.checkout.broken.add(failed)
        return True

    def _equivalent(self, name: str, source: str, fault: Fault) -> str:
        """Why this fault changes nothing, if that is listed."""
        line, before = shown(source, fault)
        for one in self.listed:
            if (one["file"], one["line"], one["before"], one["after"]) == (
                name,
                line,
                before,
                one_line(fault.text),
            ):
                return str(one["reason"])
        return ""

    def report(self, name: str, fault: Fault, outcome: Outcome) -> None:
        source = (ROOT / name).read_text(encoding="utf-8")
        self.counts[outcome.kind] += 1
        line, before = shown(source, fault)
        number = source.count("\n", 0, fault.start) + 1
        print(f"{outcome.kind:10} {name}:{number} [{fault.kind}] {outcome.why}")
        if outcome.kind == "survived":
            print(
                f"           line:   {line}\n           before: {before}\n           after:  {one_line(fault.text)}"
            )
        sys.stdout.flush()


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
    parser.add_argument("--ending", default="", help="only files that end so, such as .js")
    asked = parser.parse_args()
    names = asked.files_named or files(asked.seed, asked.ending)
    began, used = time.monotonic(), 0
    with tempfile.TemporaryDirectory(prefix="planted-faults-") as folder:
        copy = Path(folder, "checkout", "project")
        copy.mkdir(parents=True)
        planter = Planter(Checkout(copy, asked.limit))
        for name in names:
            faults = drawn(name, asked.faults, asked.seed)
            if used == asked.files or time.monotonic() - began > 60 * asked.minutes:
                break
            used += bool(faults)
            for fault in faults:
                planter.report(name, fault, planter.plant(name, fault))
    summary(planter, used, time.monotonic() - began)


def summary(planter: Planter, used: int, seconds: float) -> None:
    counts = planter.counts
    changing = counts["noticed"] + counts["survived"]
    print(
        f"{used} files, {counts.total()} faults planted: {counts['noticed']} noticed, {counts['equivalent']} change "
        f"nothing, {counts['survived']} survived: {counts['noticed'] / max(1, changing):.1%} noticed of those that "
        f"change anything ({seconds / 60:.0f} minutes)"
    )
    if planter.checkout.broken:
        print("Tests that fail without a fault:", *sorted(planter.checkout.broken), sep="\n  ")


if __name__ == "__main__":
    main()
