"""What a check of the audit finds: what is wrong, and what cannot be checked."""

from __future__ import annotations

from typing import NamedTuple


class NotChecked(str):
    """What a check yields where something cannot be checked, and why: that is no proof, and nothing wrong either."""

    __slots__ = ()


class Finding(NamedTuple):
    """A check's question, and what it found wrong; nothing when all is well. `not_checked` says what a file lacks
    that would be needed to check it, as one lacks that came out of a release bundle.
    """

    question: str
    wrong: tuple[str, ...]
    not_checked: tuple[str, ...] = ()
