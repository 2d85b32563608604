"""Names that logs have in the place of people's names."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Iterable, Iterator
from typing import Any

HASH_DIGITS = 12


def pseudonym(key: bytes, account: str) -> str:
    """The word for an account in the request log of the instance that has this key."""
    return hmac.new(key, f"request log:{account}".encode(), hashlib.sha256).hexdigest()[:HASH_DIGITS]


def lines_of(lines: Iterable[str], word: str) -> Iterator[dict[str, Any]]:
    """The lines of a request log that are about the account with this pseudonym.

    What is before the JSON of a line, as a system's journal writes it, and lines of other kinds are passed over.
    """
    for line in lines:
        if f'"{word}"' not in line:
            continue
        try:
            found = json.loads(line[line.find("{") :])
        except ValueError:
            continue
        if isinstance(found, dict) and found.get("account") == word:
            yield found
