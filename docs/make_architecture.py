"""Draws docs/images/architecture-*.svg from the code, and writes the table of rooms: python docs/make_architecture.py.

Above, the path of the data; below, the rooms in the order of tests/test_layers.py, with the first sentence of their
`__init__`, their parts, and a dot under each room that they import.
"""

from __future__ import annotations

import ast
import re
import runpy
from collections.abc import Iterator
from html import escape
from itertools import accumulate
from pathlib import Path
from textwrap import wrap
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "workbench"
PAGE = ROOT / "docs" / "build" / "architecture.md"
TABLE = re.compile(r"(?<=\| room \| what belongs in it \|\n\|---\|---\|\n)(\|.*\n)+")
IMAGES = ROOT / "docs" / "images"

WIDTH, TOP, CELL = 920, 256, 20
MATRIX = WIDTH - 24 - 12 * CELL
LONGEST_LINE = 84

STYLE = """<style>
{colours}
text{{font-size:14px}}.small{{font-size:12px}}.strong{{font-weight:600}}.middle{{text-anchor:middle}}
</style>
<defs><marker id="a" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto">
<path d="M0 0 8 4 0 8z" class="accent"/></marker></defs>"""

COLOURS = {
    "light": """.page{fill:#fdfdfc}.ink{fill:#1b1c20}.soft{fill:#5c5f66}.line{stroke:#c9cbd0;fill:none}
.accent{fill:#0b5cad}.arrow{stroke:#0b5cad;fill:none;stroke-width:1.5}
.box{fill:#fff;stroke:#c9cbd0}.file{fill:#e8f0f9;stroke:#0b5cad}""",
    "dark": """.page{fill:#16171a}.ink{fill:#ececee}.soft{fill:#a2a5ad}.line{stroke:#3a3d44;fill:none}
.accent{fill:#7db4ee}.arrow{stroke:#7db4ee;fill:none;stroke-width:1.5}
.box{fill:#1f2126;stroke:#3a3d44}.file{fill:#1c2c3f;stroke:#7db4ee}""",
}


class Box(NamedTuple):
    """A station of the path of the data: where it stands, its class, and its lines of text."""

    x: int
    y: int
    width: int
    height: int
    kind: str
    lines: tuple[str, ...]


PATH = (
    Box(24, 64, 132, 64, "box", ("runs, topics,", "documents")),
    Box(204, 64, 120, 64, "box", ("checked whole,", "all or nothing")),
    Box(372, 48, 176, 96, "file", ("campaign file", "texts · rankings · pools", "one append-only log")),
    Box(620, 24, 132, 48, "box", ("judging page",)),
    Box(620, 120, 132, 48, "box", ("scores",)),
    Box(800, 120, 96, 48, "box", ("leaderboard,", "release")),
)
ARROWS = (
    "M156 96H200",
    "M324 96H368",
    "M548 64C580 56 590 44 616 42",
    "M620 62C590 78 580 84 552 86",
    "M548 120C580 130 590 140 616 143",
    "M752 144H796",
)
LABELS = (
    (178, 88, "formats"),
    (346, 88, "campaign"),
    (584, 34, "pool"),
    (600, 96, "judgments"),
    (556, 166, "rankings × labels"),
)


class Room(NamedTuple):
    """A room: what it says of itself, its parts, and the rooms that it imports."""

    name: str
    says: str
    parts: tuple[str, ...]
    imports: frozenset[str]


def rooms() -> list[Room]:
    """The rooms in their order; of the command line, which has no order inside, the parts are not listed."""
    order: dict[str, list[str]] = runpy.run_path(str(ROOT / "tests" / "test_layers.py"))["PARTS"]
    return [
        Room(name, said_by(name), tuple(parts), imports_of(name) & (order.keys() - {name}))
        for name, parts in order.items()
    ]


def said_by(room: str) -> str:
    """What a room's `__init__` says after its name, up to the end of its first line."""
    tree = ast.parse((PACKAGE / room / "__init__.py").read_text(encoding="utf-8"))
    first = (ast.get_docstring(tree) or "").partition("\n")[0]
    return first.partition(": ")[2].rstrip(".")


def imports_of(room: str) -> frozenset[str]:
    """The entries of the package that the modules of a room import."""
    found = set()
    for path in (PACKAGE / room).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_bytes())):
            if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("workbench"):
                parts = node.module.split(".")
                found |= {parts[1]} if len(parts) > 1 else {alias.name for alias in node.names}
    return frozenset(found)


def pictures() -> dict[Path, str]:
    """The whole picture as SVG, in light and in dark, by its file."""
    return {IMAGES / f"architecture-{scheme}.svg": picture(colours) for scheme, colours in COLOURS.items()}


def picture(colours: str) -> str:
    """The whole picture as SVG in these colours."""
    found = rooms()
    tops = [*accumulate((height_of(room) for room in found), initial=TOP)]
    height = tops[-1] + 8
    told = (
        "Above, the path of the data: files are checked and go into the campaign file; pools made from it are judged "
        "on the judging page, and judgments return to its log; rankings and labels give scores and what is released. "
        "Below, the rooms of the code, each of which imports only rooms above it."
    )
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" '
            'aria-labelledby="t d" font-family="system-ui, -apple-system, Segoe UI, Roboto, sans-serif">',
            '<title id="t">The architecture of the workbench</title>',
            f'<desc id="d">{escape(told)}</desc>',
            STYLE.format(colours=colours),
            f'<rect class="page" width="{WIDTH}" height="{height}"/>',
            *path_of_the_data(),
            *heads([room.name for room in found]),
            *(line for y, room in zip(tops, found, strict=False) for line in row_of(y, room, found)),
            "</svg>",
            "",
        ]
    )


def path_of_the_data() -> Iterator[str]:
    """The boxes of the path, their arrows, and what the arrows carry."""
    for box in PATH:
        yield f'<rect class="{box.kind}" x="{box.x}" y="{box.y}" width="{box.width}" height="{box.height}" rx="4"/>'
        first = box.y + box.height / 2 + 5 - 9 * (len(box.lines) - 1)
        for number, line in enumerate(box.lines):
            kind = (
                "ink strong"
                if box.kind == "file" and not number
                else "soft small"
                if number == 2
                else "ink small"
            )
            yield said(box.x + box.width / 2, first + 18 * number, line, f"{kind} middle")
    yield from (f'<path class="arrow" d="{arrow}" marker-end="url(#a)"/>' for arrow in ARROWS)
    yield from (said(x, y, text, "soft small middle") for x, y, text in LABELS)


def heads(names: list[str]) -> Iterator[str]:
    """The names over the columns, turned upright, and what the dots mean."""
    yield said(24, TOP - 14, "The rooms, from the first to the doors", "soft small")
    yield said(MATRIX - 12, TOP - 14, "imports", 'soft small" text-anchor="end')
    for number, name in enumerate(names):
        x = MATRIX + CELL * number + CELL / 2 + 4
        yield f'<text class="soft small" transform="translate({x:g} {TOP - 14}) rotate(-90)">{name}</text>'


def parts_of(room: Room) -> list[str]:
    """The names of a room's parts, in lines."""
    return wrap(" · ".join(part.replace("_", " ") for part in room.parts), LONGEST_LINE)


def height_of(room: Room) -> int:
    """The height of a room's row in pixels."""
    return 38 + 15 * len(parts_of(room))


def row_of(y: int, room: Room, found: list[Room]) -> Iterator[str]:
    """A room: what it says of itself, its parts, and a dot for each room that it imports."""
    yield f'<path class="line" d="M24 {y}H{WIDTH - 24}"/>'
    yield said(24, y + 24, room.name, "accent strong")
    yield said(124, y + 24, room.says, "ink small")
    for line, text in enumerate(parts_of(room)):
        yield said(124, y + 41 + 15 * line, text, "soft small")
    for column, other in enumerate(found):
        if other.name in room.imports:
            x = MATRIX + CELL * column + CELL / 2
            yield f'<circle class="accent" cx="{x:g}" cy="{y + 20}" r="4"/>'


def said(x: float, y: float, text: str, kind: str) -> str:
    """One line of text."""
    return f'<text class="{kind}" x="{x:g}" y="{y:g}">{escape(text)}</text>'


def page(text: str) -> str:
    """The page of the architecture with a row for each room."""
    rows = "".join(f"| `{room.name}` | {room.says} |\n" for room in rooms())
    return TABLE.sub(lambda found: rows, text)


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    for path, drawn in pictures().items():
        path.write_text(drawn, encoding="utf-8")
