"""Sentences that the program says, kept in one file: tests name what happens and the values, the file has the words.

`assert says(text, "a.run:3")` holds where `text` says what `tests/recorded/sentences.txt` has for this place in this
test, and where it holds each value. After a change of wording that is meant, record again and read `git diff`:

    make sentences

A whole text is recorded up to `LONGEST` characters. Of a longer one, a page for example, the piece that holds the
values is: name one that stands nowhere else. Recorded again, a piece becomes what resembles it most.
"""

from __future__ import annotations

import fcntl
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from difflib import get_close_matches
from functools import cache
from pathlib import Path

import pytest

FILE = Path(__file__).parent / "recorded" / "sentences.txt"
DATA_FOLDER = Path(os.environ.get("WORKBENCH_TEST_DATA") or Path(__file__).parents[2] / "shared" / "data")
"""The real files that tests read, in another place on each machine."""
LONGEST = 400
WHOLE, PIECE = "=", "~"
Sentences = dict[str, dict[str, list[str]]]
"""By file of tests and test: each with its mark in front."""

# What differs each time: temporary folders, ports, the moment in a file's name, hashes of rows that hold a time.
OTHER_EACH_TIME = re.compile(
    r"/\S*?/pytest-of-[^/\s]+/pytest-\d+/(?:popen-gw\d+/)?[^/\s]+|(?<=127\.0\.0\.1:)\d{4,5}|\d{8}T\d{6}Z"
    r"|\b(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{16,64}\b"
)


class _Place:
    """The test that runs, and how many sentences it has had."""

    test = ""
    number = 0


def begin(test: str) -> None:
    """Count from the first sentence of a test, whose id is as pytest writes it."""
    _Place.test, _Place.number = test, 0


def says(text: str, *values: object) -> bool:
    """Whether a text says what is recorded for this place in the test: True, or an error that shows both."""
    file, _, test = _Place.test.partition("::")
    number, _Place.number = _Place.number, _Place.number + 1
    text = OTHER_EACH_TIME.sub("…", text.replace(str(DATA_FOLDER), "…")).strip("\n")
    missing = [str(value) for value in values if str(value) not in text]
    assert not missing, f"{missing} should stand in:\n{text}"
    recorded = _recorded().get(file, {}).get(test, [])
    entry = recorded[number] if number < len(recorded) else ""
    if os.environ.get("RECORD"):
        _record(file, test, number, _as_said(text, entry, values))
        return True
    assert entry, f"no sentence {number + 1} is recorded for {_Place.test}: make sentences"
    assert entry[0] != WHOLE or text == entry[1:]
    assert entry[0] != PIECE or entry[1:] in text
    return True


@contextmanager
def refused(kind: type[BaseException], *values: object) -> Iterator[pytest.ExceptionInfo[BaseException]]:
    """What is done inside is refused by this kind of error, which says what is recorded."""
    with pytest.raises(kind) as told:
        yield told
    says(str(told.value), *values)


def _as_said(text: str, entry: str, values: tuple[object, ...]) -> str:
    """The entry for a text: as it was where that still holds."""
    if entry[:1] == PIECE and entry[1:] in text:
        return entry
    if entry[:1] == WHOLE or (not entry and len(text) <= LONGEST):
        return WHOLE + text
    pieces = [piece for piece in re.split(r"\s*(?:<[^>]*>|\n)\s*", text) if piece]
    if entry:
        near = get_close_matches(entry[1:], pieces, 1, 0.4)
    else:
        near = [piece for piece in pieces if values and all(str(value) in piece for value in values)]
    assert near, f"nothing like it is said: write into {FILE.name} what {_Place.test} should find"
    return PIECE + near[0]


@cache
def _recorded() -> Sentences:
    return read(FILE.read_bytes().decode("utf-8")) if FILE.exists() else {}


def read(written: str) -> Sentences:
    """The sentences of a file as `write` writes it."""
    found: Sentences = {}
    file = test = ""
    for line in written.split("\n")[:-1]:
        if line.startswith("# "):
            file = line[2:]
        elif line.startswith("## "):
            test, _, only = line[3:].partition("\t")
            if only:
                found.setdefault(file, {})[test] = [only[0] + only[2:]]
        elif line.startswith("    "):
            found[file][test][-1] += "\n" + line[4:]
        else:
            found.setdefault(file, {}).setdefault(test, []).append(line[2] + line[4:])
    return found


def write(sentences: Sentences) -> str:
    """The lines of the file, sorted by files and tests."""
    lines: list[str] = []
    for file in sorted(sentences):
        lines.append(f"# {file}")
        for test in sorted(sentences[file]):
            entries = [f"{entry[0]} {entry[1:]}" for entry in sentences[file][test]]
            if len(entries) == 1 and "\n" not in entries[0]:
                lines.append(f"## {test}\t{entries[0]}")
            else:
                lines += [f"## {test}", *(f"  {entry}".replace("\n", "\n    ") for entry in entries)]
    return "\n".join(lines) + "\n"


def _record(file: str, test: str, number: int, entry: str) -> None:
    """Put an entry into the file, which other processes write too."""
    with FILE.open("a+", encoding="utf-8", newline="") as opened:
        fcntl.flock(opened, fcntl.LOCK_EX)
        opened.seek(0)
        sentences = read(opened.read())
        recorded = sentences.setdefault(file, {}).setdefault(test, [])
        before = list(recorded)
        recorded[number : number + 1] = [entry]
        if recorded != before:
            opened.truncate(0)
            opened.write(write(sentences))
