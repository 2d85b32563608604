"""A server gives memory back, and SQLite keeps no more of it than is allowed."""

from __future__ import annotations

import ctypes
import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from workbench.web.server.limits import for_values

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads memory from /proc")

MEMORY = """
import sys
from pathlib import Path
from workbench.storage.campaign.opening.opening import bound_pages

def resident():
    return int(Path("/proc/self/statm").read_text().split()[1]) * {page} // 2**20
"""

READING = """
import sqlite3
if {bound}:
    bound_pages()
before, connections = resident(), [sqlite3.connect(sys.argv[1]) for _ in range(8)]
for each in connections:
    each.execute("PRAGMA cache_size = -32000")
    each.execute("SELECT sum(length(text)) FROM document").fetchone()
print(resident() - before)
"""

DROPPING = """
from time import monotonic
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.log import log
from workbench.storage.campaign.log.cache import Cache
from workbench.web.server import warming
from workbench.web.server.limits import give_back

with open_campaign(sys.argv[1]) as campaign:
    known = {{"small": warming.Size(campaign.file, log.head(campaign), warming.MOST_DOCUMENTS + 1)}}
    cache, before = Cache(), resident()
    cache.now(campaign, "texts", lambda: [b"x" * 10_000 for _ in range(20_000)])
    last = b"x" * 10_000  # what is freed below it is not at the end of the heap
    print(resident() - before)
    warming.drop_unused(known, now=monotonic() + warming.UNUSED + 1)
    give_back()
    print(resident() - before)
"""


def megabytes(program: str, path: Path, *, bound: bool = False) -> list[int]:
    """What a program that runs in a process of its own prints of its memory."""
    code = (MEMORY + program).format(page=os.sysconf("SC_PAGE_SIZE"), bound=bound)
    command = [sys.executable, "-c", code, str(path)]
    found = subprocess.run(command, capture_output=True, text=True, check=True)
    return [int(line) for line in found.stdout.split()]


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({}, None),
        ({"memory.max": "max", "system.slice/workbench.service/memory.max": "400000000"}, 100_000_000),
        ({"memory.max": "200000000", "system.slice/workbench.service/memory.max": "400000000"}, 50_000_000),
        ({"memory/memory.limit_in_bytes": "80000000"}, 20_000_000),
        ({"memory/memory.limit_in_bytes": "9223372036854771712"}, None),
    ],
)
def test_values_may_take_a_quarter_of_the_memory_that_the_process_may_use(
    tmp_path: Path, files: dict[str, str], expected: int | None
) -> None:
    own = tmp_path / "own"
    own.write_text("0::/system.slice/workbench.service\n")
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(f"{text}\n")
    whole = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 4
    assert for_values(tmp_path, own) == (whole if expected is None else expected)


@pytest.mark.parametrize(("bound", "least", "most"), [(True, 40, 110), (False, 200, 400)])
def test_all_connections_together_keep_no_more_pages_than_the_bound(
    tmp_path: Path, bound: bool, least: int, most: int
) -> None:
    with closing(sqlite3.connect(tmp_path / "texts.db")) as made, made:
        made.execute("CREATE TABLE document (text)")
        made.execute(
            "WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 10000) "
            "INSERT INTO document SELECT hex(zeroblob(2000)) FROM n"
        )
    (kept,) = megabytes(READING, tmp_path / "texts.db", bound=bound)
    assert least < kept < most


@pytest.mark.skipif(not hasattr(ctypes.CDLL(None), "malloc_trim"), reason="only glibc has this call")
def test_what_is_dropped_goes_back_to_the_system(small: Path) -> None:
    held, after = megabytes(DROPPING, small)
    assert held > 180
    assert after < 60
