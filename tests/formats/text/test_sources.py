from __future__ import annotations

import hashlib

from tests.sentences import refused
from workbench.core.errors import InputError
from workbench.core.records import Source
from workbench.formats.text.sources import Digest, describe

TEXT = b"1 Q0 a 1 2.0 t\n"


def test_standard_input_cannot_be_described() -> None:
    with refused(InputError):
        describe("-")


def test_a_digest_is_of_all_that_was_read_so_far() -> None:
    digest = Digest()
    for piece in (b"", b"1 Q0 a", b" 1 2.0 t\n"):
        digest.update(memoryview(piece))
    assert digest.source("a.run") == Source("a.run", len(TEXT), hashlib.sha256(TEXT).hexdigest())
