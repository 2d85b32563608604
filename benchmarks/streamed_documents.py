"""A collection streamed past a pool: how fast documents are read of which a few are wanted, and in what memory.

    .venv/bin/python benchmarks/streamed_documents.py [--documents 1000000] [--wanted 10000] [--folder FOLDER] [FILE...]

Documents of 200 made-up words (1.5 kB) as JSON lines, plain and with zstd and gzip, and as a TREC file; wanted ones
are drawn by chance. What is timed is `read_documents(..., wanted=...)`, with which `workbench add documents` reads a
source: each id is seen and checked, and the texts of the wanted ones are kept. MB are those of the unpacked file. Each
file is read in a process of its own. Its seconds by the clock count where nothing else runs, its processor seconds
elsewhere. What is packed is unpacked by a second thread: "2 cores" is what the busier of the two threads leaves
possible, by its processor seconds, where each has a core.
"""

from __future__ import annotations

import argparse
import gzip
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from data import machine

from workbench.formats.text.compression import zstd

WORDS, VOCABULARY = 200, 20_000


def documents(number: int) -> Iterator[tuple[str, str]]:
    chance = np.random.default_rng(1)
    words = np.array([f"w{chr(97 + word % 26)}{word}" for word in range(VOCABULARY)])
    texts = [" ".join(words[chance.integers(0, VOCABULARY, WORDS)]) for _ in range(2_000)]
    for place in range(number):
        yield f"doc-{place:08d}", texts[place % len(texts)]


def json_line(document_id: str, text: str) -> bytes:
    return json.dumps({"id": document_id, "title": "A title", "text": text}).encode() + b"\n"


def trec_document(document_id: str, text: str) -> bytes:
    return f"<DOC>\n<DOCNO>{document_id}</DOCNO>\n<TEXT>\n{text}\n</TEXT>\n</DOC>\n".encode()


FILES: dict[str, tuple[Callable[[Path], Any], Callable[[str, str], bytes]]] = {
    "lines.jsonl": (lambda path: path.open("wb"), json_line),
    "lines.jsonl.zst": (lambda path: zstd().open(path, "wb"), json_line),
    "lines.jsonl.gz": (partial(gzip.open, mode="wb", compresslevel=1), json_line),
    "docs.trec": (lambda path: path.open("wb"), trec_document),
}
"""How each file is opened, and what a document is in it."""


def make(path: Path, number: int) -> int:
    """Write a file; how many bytes it holds unpacked."""
    opened, written = FILES[path.name]
    size = 0
    with opened(path) as stream:
        for document_id, text in documents(number):
            size += stream.write(written(document_id, text))
    return size


def read(path: str, number: int, wanted: int) -> None:
    """In a process of its own: read, and print how many texts came, seconds, processor seconds, those of the thread
    that parses, MB of memory."""
    from workbench.formats.documents.reading import read_documents

    places = np.random.default_rng(2).choice(number, wanted, replace=False)
    ids = {f"doc-{place:08d}" for place in places}
    start, cpu, parsing = time.perf_counter(), time.process_time(), time.thread_time()
    found = sum(1 for document in read_documents(path, wanted=ids) if document.text)
    spent = time.perf_counter() - start, time.process_time() - cpu, time.thread_time() - parsing
    print(found, *spent, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--documents", type=int, default=1_000_000)
    parser.add_argument("--wanted", type=int, default=10_000)
    parser.add_argument(
        "--folder", help="where the files are made; the system's folder for temporary files without"
    )
    parser.add_argument("--read", help=argparse.SUPPRESS)
    parser.add_argument(
        "files", nargs="*", metavar="FILE", help=f"which files: {', '.join(FILES)}; all without"
    )
    asked = parser.parse_args()
    if asked.read:
        read(asked.read, asked.documents, asked.wanted)
        return
    print(machine())
    heads = (
        f"{'MB':>7}{'seconds':>9}{'cpu s':>8}{'MB a s':>8}{'MB a cpu s':>12}{'2 cores':>9}{'memory MB':>11}"
    )
    print(f"{'':<18}{heads}")
    for name in asked.files or FILES:
        with tempfile.TemporaryDirectory(dir=asked.folder) as folder:
            size = make(Path(folder) / name, asked.documents) / 1e6
            words = [
                f"--documents={asked.documents}",
                f"--wanted={asked.wanted}",
                f"--read={Path(folder) / name}",
            ]
            said = subprocess.run(
                [sys.executable, __file__, *words], stdout=subprocess.PIPE, check=True, text=True
            )
        found, seconds, cpu, parsing, memory = map(float, said.stdout.split())
        if found != asked.wanted:
            sys.exit(f"{name}: {found:.0f} of {asked.wanted} texts")
        busier = max(parsing, cpu - parsing)
        rates = f"{size / seconds:8.0f}{size / cpu:12.0f}{size / busier:9.0f}"
        print(f"{name:<18}{size:7.0f}{seconds:9.1f}{cpu:8.1f}{rates}{memory:11.0f}", flush=True)


if __name__ == "__main__":
    main()
