"""Single bytes of a campaign file changed, as a failing disk or memory changes them."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.log import log


def flip(path: Path, place: int, bits: int = 1) -> None:
    """Change the byte at `place` by these bits."""
    with path.open("r+b") as file:
        file.seek(place)
        (byte,) = file.read(1)
        file.seek(place)
        file.write(bytes([byte ^ bits]))


def place_of(path: Path, content: bytes) -> int:
    """Where these bytes stand, which the file has once."""
    data = path.read_bytes()
    assert data.count(content) == 1, data.count(content)
    return data.index(content)


def flip_a_score(path: Path) -> None:
    """Flip a bit of the stored ranking with the most scores."""
    with closing(sqlite3.connect(path)) as connection:
        (scores,) = connection.execute("SELECT scores FROM ranking ORDER BY length(scores) DESC").fetchone()
    flip(path, path.read_bytes().index(scores), 1)


def flip_the_head(path: Path) -> None:
    """Flip a bit of the last hash of the log: opening refuses such a file."""
    with open_campaign(path, compare=False) as campaign:
        head = log.head(campaign).hash
    flip(path, place_of(path, head))
