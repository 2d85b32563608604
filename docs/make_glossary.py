"""Writes docs/use/glossary.md from the glossary of the program: python docs/make_glossary.py."""

from __future__ import annotations

from pathlib import Path

from workbench.core.glossary import GLOSSARY, anchor

PAGE = Path(__file__).parent / "use" / "glossary.md"
HEAD = """# Glossary

The terms of art on the pages, each in one sentence; pages link to them where they stand (`/glossary` of a server).
Measures are explained in [Measures](measures.md), statistics in [Statistics](statistics.md).

<!-- made by docs/make_glossary.py: change workbench/core/glossary.py instead -->
"""


def page() -> str:
    """The page with all terms in alphabetical order."""
    terms = sorted(GLOSSARY, key=str.casefold)
    entries = [f'<a id="{anchor(name)}"></a>**{name}**: {GLOSSARY[name]}' for name in terms]
    return "\n\n".join([HEAD.rstrip(), *entries]) + "\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
