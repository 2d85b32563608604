"""A server gives memory back, and its parts share what the system allows of memory and descriptors."""

from __future__ import annotations

import ctypes
import os
import resource
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from workbench.web.server import limits as open_files
from workbench.web.server.limits import Shares, for_values, raise_limit

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


@pytest.fixture
def limits(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[tuple[int, int]]]:
    """The soft and the hard limit of this process as the list has them; the newest ones are last."""
    found: list[tuple[int, int]] = []
    monkeypatch.setattr(resource, "getrlimit", lambda _: found[-1])
    monkeypatch.setattr(resource, "setrlimit", lambda _, limits: found.append(limits))
    yield found


@pytest.mark.parametrize(
    ("soft", "hard", "raised"),
    [
        (1024, 524_288, 4096),
        (1024, resource.RLIM_INFINITY, 4096),
        (1024, 1024, 1024),
        (256, 2048, 2048),
        (8192, 8192, 8192),
        (resource.RLIM_INFINITY, resource.RLIM_INFINITY, 4096),
    ],
)
def test_the_soft_limit_is_raised_as_far_as_it_is_wanted_and_allowed(
    limits: list[tuple[int, int]], soft: int, hard: int, raised: int
) -> None:
    limits.append((soft, hard))
    assert raise_limit().limit == raised
    assert limits[1:] == ([(raised, hard)] if -1 < soft < raised else [])


def test_a_system_that_allows_less_than_it_says_keeps_its_limit(
    limits: list[tuple[int, int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise ValueError("not allowed to raise maximum limit")

    limits.append((256, resource.RLIM_INFINITY))
    monkeypatch.setattr(resource, "setrlimit", refuse)
    assert raise_limit() == Shares(256, 128, 32)


def test_a_limit_that_is_too_low_is_said_with_what_to_do() -> None:
    assert [Shares.of(limit).warning() for limit in (2048, 4096)] == ["", ""]
    assert "ulimit -n" in Shares.of(2047).warning()


@pytest.mark.parametrize("limit", [64, 256, 1024, 2048, 4096])
def test_a_quarter_of_the_descriptors_is_left_for_all_else(limit: int) -> None:
    shares = Shares.of(limit)
    assert limit - shares.connections - 2 * shares.files >= limit // 4
    assert shares.connections <= open_files.CONNECTIONS
