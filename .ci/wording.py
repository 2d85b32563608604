"""Says how many tests hold the program's own words, and fails beyond the number of pyproject.toml.

A test holds them where a text in it has four words in a row that a text of workbench/, templates/ or static/ has too:
a change of wording would have to change it. Sentences stand in tests/recorded/sentences.txt instead.
"""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
IN_A_ROW = 4
WORD = re.compile(r"[A-Za-z’']+")
MARKUP = re.compile(r"\{[%{#].*?[%}#]\}|<[^>]*>", re.DOTALL)
TRANSLATED = re.compile(r'[^a-z]_\("([^"]*)"')
LITERAL = re.compile(r"[\"'`]([^\"'`\n]*)[\"'`]")
SQL = re.compile(
    r"\s*(?:SELECT|INSERT|UPDATE|DELETE|CREATE|DROP|ALTER|WITH|PRAGMA)\b|.*\b(?:FROM|WHERE) ", re.DOTALL
)
EXPRESSION = re.compile(r"\$\{[^}]*\}")
GAP = "\0"
Words = tuple[str, ...]


def main() -> None:
    """Count, say, and fail where there are too many."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["workbench"]
    most: int = settings["most-tests-with-wording"]
    program = {words for text in program_texts() for words in rows_of(text)}
    found = Counter(
        str(path.relative_to(ROOT))
        for path in sorted((ROOT / "tests").rglob("test_*.py"))
        if "recorded" not in path.parts
        for test in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(test, ast.FunctionDef) and test.name.startswith("test_")
        if any(rows_of(text) & program for text in texts_in(test))
    )
    number = sum(found.values())
    sys.stdout.write(f"{number:,} tests hold words of the program, of {most:,} at most\n")
    worst = ", ".join(f"{path} ({count})" for path, count in found.most_common(5))
    sys.exit(
        f"Move sentences to tests/recorded/sentences.txt: see tests/sentences.py. Most: {worst}"
        if number > most
        else 0
    )


def rows_of(text: str) -> set[Words]:
    """All words in a row of a text; GAP is what stands between two texts."""
    found = set()
    for part in text.split(GAP):
        words = WORD.findall(part)
        found |= {tuple(words[at : at + IN_A_ROW]) for at in range(len(words) - IN_A_ROW + 1)}
    return found


def program_texts() -> Iterator[str]:
    """What the program can say to people."""
    for path in (ROOT / "workbench").rglob("*.py"):
        yield from (
            text for text in texts_in(ast.parse(path.read_text(encoding="utf-8"))) if not SQL.match(text)
        )
    for path in (ROOT / "templates").rglob("*.*"):
        yield MARKUP.sub(GAP, path.read_text(encoding="utf-8"))
        yield from TRANSLATED.findall(path.read_text(encoding="utf-8"))
    for path in (ROOT / "static").rglob("*.js"):
        for text in LITERAL.findall(path.read_text(encoding="utf-8")) if path.parent.name != "vendor" else ():
            yield EXPRESSION.sub(GAP, text)


def texts_in(tree: ast.AST) -> Iterator[str]:
    """The texts in Python code, docstrings left out."""
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef)
    docstrings = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, documented) and node.body and isinstance(node.body[0], ast.Expr)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            yield "".join(str(part.value) if isinstance(part, ast.Constant) else GAP for part in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
            yield node.value


if __name__ == "__main__":
    main()
