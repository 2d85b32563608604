"""Names of people as they are stored, and when two spellings are one name."""

from __future__ import annotations

import re
import unicodedata

from workbench.core.normal_forms import normal_form
from workbench.people.accounts.file import AccountError

LONGEST_NAME = 64
HIDDEN_CATEGORIES = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
UNSEEN = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
"""Fillers and variation selectors: invisible letters by their category. Some names need them."""

ALIKE = {"Latin", "Cyrillic", "Greek"}
"""Alphabets with many letters that look like those of the others."""


def clean_name(name: str) -> str:
    """A person's name as it is stored: composed (NFC), single blanks, nothing invisible in it.

    Raises AccountError for an empty name, one longer than 64 characters, one with control characters, one that mixes
    alphabets that look alike (as the moderately restrictive level of UTS 39, section 5.2, excludes them).
    """
    clean = normal_form("NFC", name.strip(" "))
    if not clean:
        message = "a name is needed"
        raise AccountError(message)
    if not name_key(clean) or any(
        unicodedata.category(character) in HIDDEN_CATEGORIES for character in clean
    ):
        message = f"{clean!a}: a name may not contain control characters or other invisible ones"
        raise AccountError(message)
    if len(mixed := _alphabets(clean)) > 1:
        letters = " and ".join(mixed)
        message = (
            f"{clean!a}: a name may not mix {letters} letters, many of which look alike; use one alphabet"
        )
        raise AccountError(message)
    clean = " ".join(clean.split())
    if len(clean) > LONGEST_NAME:
        message = f"a name may have at most {LONGEST_NAME} characters, this one has {len(clean)}"
        raise AccountError(message)
    return clean


def _alphabets(name: str) -> list[str]:
    """Which of ALIKE a name has letters of."""
    first = {
        unicodedata.name(letter, "").partition(" ")[0].capitalize() for letter in name if letter.isalpha()
    }
    return sorted(first & ALIKE)


def name_key(name: str) -> str:
    """What two spellings of one name have in common: compatible letters, case, blanks and the unseen are folded."""
    folded = normal_form("NFKC", UNSEEN.sub("", name)).casefold()
    key = " ".join(normal_form("NFKC", folded).split())
    return key.encode("utf-8", "replace").decode()  # half a character cannot be asked for
