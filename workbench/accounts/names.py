"""Names of people as they are stored, and when two spellings are one name."""

from __future__ import annotations

import unicodedata

from workbench.accounts.file import AccountError

LONGEST_NAME = 64
HIDDEN_CATEGORIES = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})


def clean_name(name: str) -> str:
    """A person's name as it is stored: composed (NFC), single blanks, nothing invisible in it.

    Raises AccountError for an empty name, one longer than 64 characters, and one with control characters.
    """
    clean = unicodedata.normalize("NFC", name.strip(" "))
    if not clean:
        message = "a name is needed"
        raise AccountError(message)
    if any(unicodedata.category(character) in HIDDEN_CATEGORIES for character in clean):
        message = f"{clean!a}: a name may not contain control characters or other invisible ones"
        raise AccountError(message)
    clean = " ".join(clean.split())
    if len(clean) > LONGEST_NAME:
        message = f"a name may have at most {LONGEST_NAME} characters, this one has {len(clean)}"
        raise AccountError(message)
    return clean


def name_key(name: str) -> str:
    """What two spellings of one name have in common: compatible letters, case and blanks are folded away."""
    folded = unicodedata.normalize("NFKC", name).casefold()
    key = " ".join(unicodedata.normalize("NFKC", folded).split())
    return key.encode("utf-8", "replace").decode()  # half a character cannot be asked for
