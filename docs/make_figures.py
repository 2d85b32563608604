"""Regenerates the entries of docs/use/figures.md from the registry of figures: python docs/make_figures.py.

The text above the marker is written by hand and is kept.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from workbench.analysis.figures import Figure, load_figures
from workbench.core.parameters import KINDS, Parameter

PAGE = Path(__file__).parent / "use" / "figures.md"
MARKER = "<!-- made by docs/make_figures.py: change the docstring or the parameter of the figure instead -->"


def page(old: str) -> str:
    """The page with new entries; the text above the marker is taken from `old`."""
    head, _, _ = old.partition(MARKER)
    lines = [line for _, one in sorted(load_figures().items()) for line in entry_of(one)]
    return "\n".join([head + MARKER, *lines]) + "\n"


def entry_of(figure: Figure) -> Iterator[str]:
    """The lines of one figure: what it shows, and its parameters."""
    yield from ("", f"## {figure.name}", "", figure.prose)
    if figure.files:
        yield from ("", f"From files too: `workbench analyse plot QRELS RUN... {figure.name}`.")
    if figure.parameters:
        yield from ("", "| parameter | |", "|---|---|")
        yield from (f"| `{each.name}` | {said_of(each)} |" for each in figure.parameters)


def said_of(parameter: Parameter) -> str:
    """What kind of value a parameter takes, and its default."""
    kind = KINDS[parameter.kind].name + (", may be given several times" if parameter.repeated else "")
    if parameter.required:
        return f"{kind}; needed"
    usual = parameter.default
    return kind if usual in (None, "", ()) else f"{kind}; `{usual}` by default"


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
