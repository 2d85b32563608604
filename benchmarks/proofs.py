"""What proves and exports a large campaign: seconds, peak memory and the SHA-256 of what is written, in processes.

    .venv/bin/python benchmarks/proofs.py [FOLDER] [--before CHECKOUT] [--only NAME ...]

Makes two campaigns in FOLDER (else a temporary one), unless they are there:

    million.db   1,000 topics, 20 runs to depth 200, and a million judgments
    covid.db     a campaign of TREC-COVID's size: 143 runs of 30 topics to depth 1,000, and 8,700 judgments

The pool of the second is made 20 deeper; there are no texts of what is new. Each command of COMMANDS runs in a process
of its own. With --before, which names the folder of another version of the
source, that version's command runs right after it, with the same libraries, and the ratio is printed and whether both
wrote the same bytes. The processor's seconds tell more than the clock's on a machine that others use too.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from hashlib import file_digest
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch

from data import machine
from large_campaign import Maker, make

HERE = Path(__file__).resolve().parent.parent
PROGRAM = "import sys; sys.path.insert(0, '.'); from workbench.cli import main; main()"

COMMANDS = {
    "million: audit": ("audit", "million.db"),
    "million: export qrels": ("export", "qrels", "million.db", "-o", "OUT"),
    "covid: audit": ("audit", "covid.db"),
    "covid: bundle with runs": ("bundle", "covid.db", "--runs", "-o", "OUT"),
    "covid: export qrels": ("export", "qrels", "covid.db", "-o", "OUT"),
    "covid: pool": ("pool", "COPY covid.db", "--depth", "120"),
}


class Measured(NamedTuple):
    """What one command took: seconds on the clock, of the processor, megabytes at its peak, and what it wrote."""

    clock: float
    processor: float
    megabytes: float
    sha256: str


def make_campaigns(folder: Path) -> None:
    """Both campaigns, unless they are there. Among the million's texts near duplicates are not looked for, which takes
    minutes and is no part of what is measured.
    """
    million, covid = folder / "million.db", folder / "covid.db"
    if not million.exists():
        with patch("workbench.campaign.pools.making.find_near_duplicates"):
            make(million, Maker(n_runs=20, n_topics=1000, depth=200, pool_depth=128), share=0.99)
    if not covid.exists():
        make(covid, Maker(n_runs=143, n_topics=30, depth=1000), share=0.263)


def run(source: Path, folder: Path, words: tuple[str, ...]) -> Measured:
    """One command of the version in `source`, in a process of its own."""
    written = folder / "written"
    written.unlink(missing_ok=True)
    given = [
        str(written) if word == "OUT" else str(folder / word) if word.endswith(".db") else word
        for word in words
    ]
    for place, word in enumerate(words):
        if word.startswith("COPY "):
            given[place] = str(folder / "copy.db")
            shutil.copy(folder / word.removeprefix("COPY "), given[place])
    began = time.perf_counter()
    process = subprocess.Popen([sys.executable, "-c", PROGRAM, *given], cwd=source, stdout=subprocess.PIPE)
    assert process.stdout is not None
    said = process.stdout.read()
    _, status, used = os.wait4(process.pid, 0)
    took = time.perf_counter() - began
    if os.waitstatus_to_exitcode(status):
        sys.exit(f"{' '.join(words)} failed: {said.decode()}")
    if written.exists():
        with written.open("rb") as stream:
            digest = file_digest(stream, "sha256").hexdigest()
    else:
        digest = ""
    return Measured(took, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, digest)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path, nargs="?")
    parser.add_argument("--before", type=Path)
    parser.add_argument("--only", nargs="*", default=())
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = (given.folder or Path(temporary)).resolve()
        # The system gives a process the peak of the one that started it: what makes campaigns must not be that one.
        maker = get_context("spawn").Process(target=make_campaigns, args=(folder,))
        maker.start()
        maker.join()
        if maker.exitcode:
            sys.exit("the campaigns could not be made")
        print(f"{machine()}; load {os.getloadavg()[0]:.1f}; seconds, seconds of the processor, peak")
        for name, words in COMMANDS.items():
            if given.only and not any(chosen in name for chosen in given.only):
                continue
            now = run(HERE, folder, words)
            print(f"{name:24} {now.clock:7.1f} s {now.processor:7.1f} s {now.megabytes:6.0f} MB", flush=True)
            if given.before is not None:
                before = run(given.before.resolve(), folder, words)
                same = "the same bytes" if now.sha256 == before.sha256 else "OTHER BYTES"
                print(
                    f"{'  before':24} {before.clock:7.1f} s {before.processor:7.1f} s {before.megabytes:6.0f} MB   "
                    f"processor {now.processor / before.processor:.2f}, memory "
                    f"{now.megabytes / before.megabytes:.2f}, {same}",
                    flush=True,
                )


if __name__ == "__main__":
    main()
