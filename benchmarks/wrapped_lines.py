"""How many plain texts keep their line breaks and how many have them joined: python benchmarks/wrapped_lines.py FILE...

Each file is any document file that the workbench reads, such as Cranfield's cran.all.1400.
"""

from __future__ import annotations

import sys
from collections import Counter

from workbench.formats.documents.reading import read_documents
from workbench.web.judging.document.blocks import text_blocks


def main(paths: list[str]) -> None:
    """Print for each file its plain texts, those that keep breaks, and its blocks of several lines by kind."""
    for path in paths:
        kinds, texts, keeping = Counter[str](), 0, 0
        for document in read_documents(path):
            if document.media_type == "text/plain":
                of_lines = [block.kind for block in text_blocks(document.text) if "\n" in block.text]
                kinds.update(of_lines)
                texts += 1
                keeping += "lines" in of_lines
        print(f"{path}: {texts:,} plain texts, {keeping:,} with kept breaks; blocks: {dict(kinds)}")


if __name__ == "__main__":
    main(sys.argv[1:])
