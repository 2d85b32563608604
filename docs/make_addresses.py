"""Writes the table of docs/build/api.md from the description that a server gives: python docs/make_addresses.py."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from workbench.web.api.specification import specification
from workbench.web.app import create_app

PAGE = Path(__file__).parent / "build" / "api.md"
TABLE = re.compile(r"(?<=\| address \| who \| what \|\n\|---\|---\|---\|\n)(\|.*\n)+")
BELOW = "/c/{campaign}/"
JUDGES = ["organiser", "adjudicator", "assessor"]


def page(text: str) -> str:
    """The page with a row for each address."""
    with tempfile.TemporaryDirectory() as folder:
        described = specification(create_app(Path(folder)))
    rows = "".join(f"| {' | '.join(row)} |\n" for row in addresses(described["paths"]))
    return TABLE.sub(lambda _: rows, text)


def addresses(paths: dict[str, Any]) -> Iterator[tuple[str, str, str]]:
    """Each address with its parameters, who may use it, and the first sentence of its view; BELOW is left out."""
    for path, methods in paths.items():
        for method in sorted(methods.keys() & {"get", "post"}):
            operation = methods[method]
            roles = operation.get("x-roles")
            places = [each["name"] for each in operation.get("parameters", []) if each["in"] == "query"]
            query = "?" + "&".join(f"{name}=" for name in places) if places else ""
            # What changes something needs a token of its session even where anybody may.
            is_public = not any({"session", "program"} & each.keys() for each in operation["security"])
            outside = "public" if is_public or path == "/sign-in" else "signed in"
            who = outside if roles is None else "who judges" if roles == JUDGES else ", ".join(roles)
            yield f"`{method.upper()} {path.removeprefix(BELOW) or '.'}{query}`", who, operation["summary"]


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
