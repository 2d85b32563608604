"""A collection streamed past a pool: how fast documents are read of which a few are wanted, and in what memory.

    .venv/bin/python benchmarks/streamed_documents.py [--documents 1000000] [--wanted 10000] [--folder FOLDER]

Documents of 200 made-up words (1.5 kB) as JSON lines, plain and with zstd and gzip, and as a TREC file; wanted ones
are drawn by chance. What is timed is `read_documents(..., wanted=...)`, with which `workbench add documents` reads a
source: each id is seen and checked, and the texts of the wanted ones are kept. MB are those of the unpacked file. Each
file is read in a process of its own; its processor seconds count, since other programs may run, and seconds by the
clock stand beside them.
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
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import zstandard
from data import machine

WORDS, VOCABULARY = 200, 20_000


def documents(number: int) -> Iterator[tuple[str, str]]:
    chance = np.random.default_rng(1)
    words = np.array([f"w{chr(97 + word % 26)}{word}" for word in range(VOCABULARY)])
    texts = [" ".join(words[chance.integers(0, VOCABULARY, WORDS)]) for _ in range(2_000)]
    for place in range(number):
        yield f"doc-{place:08d}", texts[place % len(texts)]


def make(folder: Path, number: int) -> dict[str, Path]:
    files = {
        name: folder / name for name in ("lines.jsonl", "lines.jsonl.zst", "lines.jsonl.gz", "docs.trec")
    }
    with (
        files["lines.jsonl"].open("wb") as plain,
        zstandard.open(files["lines.jsonl.zst"], "wb") as packed,
        gzip.open(files["lines.jsonl.gz"], "wb", compresslevel=1) as zipped,
        files["docs.trec"].open("wb") as trec,
    ):
        for document_id, text in documents(number):
            line = json.dumps({"id": document_id, "title": "A title", "text": text}).encode() + b"\n"
            for each in (plain, packed, zipped):
                each.write(line)
            trec.write(f"<DOC>\n<DOCNO>{document_id}</DOCNO>\n<TEXT>\n{text}\n</TEXT>\n</DOC>\n".encode())
    return files


def read(path: str, number: int, wanted: int) -> None:
    """In a process of its own: read, and print how many texts came, seconds, processor seconds, MB of memory."""
    from workbench.formats.documents.reading import read_documents

    places = np.random.default_rng(2).choice(number, wanted, replace=False)
    ids = {f"doc-{place:08d}" for place in places}
    start, cpu = time.perf_counter(), time.process_time()
    found = sum(1 for document in read_documents(path, wanted=ids) if document.text)
    spent = time.perf_counter() - start, time.process_time() - cpu
    print(found, *spent, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--documents", type=int, default=1_000_000)
    parser.add_argument("--wanted", type=int, default=10_000)
    parser.add_argument(
        "--folder", help="where the files are made; the system's folder for temporary files without"
    )
    parser.add_argument("--read", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.read:
        read(asked.read, asked.documents, asked.wanted)
        return
    print(machine())
    with tempfile.TemporaryDirectory(dir=asked.folder) as folder:
        files = make(Path(folder), asked.documents)
        print(f"{'':<18}{'MB':>7}{'seconds':>9}{'cpu s':>8}{'MB a cpu s':>12}{'memory MB':>11}")
        for name, file in files.items():
            unpacked = files["docs.trec" if name == "docs.trec" else "lines.jsonl"].stat().st_size / 1e6
            words = [f"--documents={asked.documents}", f"--wanted={asked.wanted}", f"--read={file}"]
            said = subprocess.run(
                [sys.executable, __file__, *words], stdout=subprocess.PIPE, check=True, text=True
            )
            found, seconds, cpu, memory = map(float, said.stdout.split())
            if found != asked.wanted:
                sys.exit(f"{name}: {found:.0f} of {asked.wanted} texts")
            print(f"{name:<18}{unpacked:7.0f}{seconds:9.1f}{cpu:8.1f}{unpacked / cpu:12.0f}{memory:11.0f}")


if __name__ == "__main__":
    main()
