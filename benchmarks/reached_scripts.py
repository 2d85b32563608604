"""Which tests in a browser reach which parts of the scripts, for planted_faults.py.

    .venv/bin/python benchmarks/reached_scripts.py FOLDER

Every function and block of static/ gets a probe, in a copy of the checkout, and the tests in a browser run once; this
file is their plug-in then. A fault in a block that a test never reaches cannot be noticed by it.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

from checkouts import Checkout
from faults_of_javascript import Token, closing, tokens_of

FOLDER = "REACHED_SCRIPTS"
REACHED = "reached:"
BEFORE_BLOCK = (")", "=>", "else", "try", "finally", "do", "catch")
ENDS_EXPRESSION = (",", ";", ")", "]", "}")
MODULE = 0
"""The place of the probe that every page reaches that loads the script."""


class Block(NamedTuple):
    """What a probe stands for, from one offset in characters to another: a block, or an expression after `=>`."""

    start: int
    end: int
    is_expression: bool


class Reached:
    """The tests that reach each probe, and how many probes and seconds each test has."""

    def __init__(self, folder: Path) -> None:
        self.tests: defaultdict[tuple[str, int], set[str]] = defaultdict(set)
        self.breadth: dict[str, int] = {}
        self.seconds: dict[str, float] = {}
        for path in sorted(folder.glob("*.jsonl")):
            for line in path.read_text(encoding="utf-8").splitlines():
                test, seconds, probes = json.loads(line)
                self.breadth[test], self.seconds[test] = len(probes), seconds
                for name, place in probes:
                    self.tests[name, place].add(test)

    def by(self, name: str, source: str, place: int) -> list[str]:
        """The tests that reach a place in a script: first those that reach little else."""
        around = [block for block in blocks(source) if block.start <= place < block.end]
        inmost = max((block.start for block in around), default=MODULE)
        return sorted(self.tests[name, inmost], key=lambda test: (self.breadth[test], test))


def blocks(source: str) -> Iterator[Block]:
    """All blocks and expressions of functions in a script that are run or not as a whole."""
    tokens = [token for token in tokens_of(source) if token.kind != "comment"]
    for at, token in enumerate(tokens[1:-1], start=1):
        if token.text == "{" and tokens[at - 1].text in BEFORE_BLOCK and not _is_switch(tokens, at):
            end = closing(tokens, at)
            if end:
                yield Block(token.start + 1, tokens[end].start, False)
        elif tokens[at - 1].text == "=>" and token.text != "{":
            yield Block(token.start, _end_of_expression(tokens, at), True)


def _is_switch(tokens: list[Token], at: int) -> bool:
    """Whether this brace opens the cases of a switch, where no statement may stand."""
    depth = 0
    for place in range(at - 1, 0, -1):
        depth += (tokens[place].text == ")") - (tokens[place].text == "(")
        if depth == 0:
            return tokens[place - 1].text == "switch"
    return False


def _end_of_expression(tokens: list[Token], at: int) -> int:
    depth = choices = 0
    for token in tokens[at:]:
        if depth == 0 and (token.text in ENDS_EXPRESSION or (token.text == ":" and not choices)):
            return token.start
        depth += (token.text in ("(", "[", "{")) - (token.text in (")", "]", "}"))
        choices += (depth == 0) * ((token.text == "?") - (token.text == ":"))
    return tokens[-1].start


def probed(name: str, source: str) -> str:
    """The script with a probe in each block, and one at its end."""
    parts: list[tuple[int, int, str]] = []
    for block in blocks(source):
        probe = _probe(name, block.start)
        parts.append((block.start, 1, f"({probe}, " if block.is_expression else f"{probe};"))
        if block.is_expression:
            parts.append((block.end, 0, ")"))
    for start, _, text in sorted(parts, reverse=True):
        source = source[:start] + text + source[start:]
    return f"{source}\n{_probe(name, MODULE)};\n"


def _probe(name: str, place: int) -> str:
    told = f"{REACHED}{name}:{place}"
    return f'(globalThis.probes ??= {{}})["{told}"] ??= console.debug("{told}") ?? 1'.join("()")


def reached(checkout: Checkout, folder: Path, tests: list[str]) -> Reached:
    """Run tests in a browser in this checkout with probes in all scripts."""
    folder.mkdir()
    for path in checkout.folder.joinpath("static").rglob("*.js"):
        name = str(path.relative_to(checkout.folder))
        checkout.write(name, probed(name, checkout.source(name)))
    environment = checkout.environment
    environment["PYTHONPATH"] += os.pathsep + str(Path(__file__).resolve().parent)
    subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-n", "2", "-p", "no:cacheprovider", "-p", Path(__file__).stem, *tests],
        cwd=checkout.folder, env=environment | {FOLDER: str(folder)}, check=False,
    )  # fmt: skip
    return Reached(folder)


class _Running:
    """The test that runs, since when, and the probes that it has reached."""

    began = 0.0
    probes: ClassVar[set[tuple[str, int]]] = set()


def _heard(message: Any) -> None:
    found = re.fullmatch(rf"{REACHED}(.+):(\d+)", message.text)
    if found:
        _Running.probes.add((found[1], int(found[2])))


def pytest_configure() -> None:
    """Hear what every page says that a test opens."""
    from playwright.sync_api import Browser, BrowserContext

    opened = Browser.new_context

    def hearing(self: Browser, **options: Any) -> BrowserContext:
        context = opened(self, **options)
        context.on("console", _heard)
        return context

    Browser.new_context = hearing  # type: ignore[assignment,method-assign]


def pytest_runtest_logstart() -> None:
    _Running.began, _Running.probes = time.monotonic(), set()


def pytest_runtest_logfinish(nodeid: str) -> None:
    # A process that only hands out tests to others has heard of none.
    if _Running.probes:
        line = json.dumps([nodeid, time.monotonic() - _Running.began, sorted(_Running.probes)])
        with Path(os.environ[FOLDER], f"{os.getpid()}.jsonl").open("a", encoding="utf-8") as file:
            file.write(line + "\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path, help="where to write what was reached; a new folder")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="reached-scripts-") as folder:
        copy = Path(folder, "project")
        copy.mkdir()
        checkout = Checkout(copy)
        tests = sorted(
            str(path.relative_to(copy)) for path in copy.rglob("tests/**/test_*_in_the_browser.py")
        )
        found = reached(checkout, asked.folder.resolve(), tests)
    print(f"{len(found.breadth)} tests reach {len(found.tests)} places in scripts")


if __name__ == "__main__":
    main()
