from __future__ import annotations

import pytest

from workbench.formats.text.lines import identifier_problem


@pytest.mark.parametrize("identifier", ["a b", "a\tb", "a\nb", "a\rb", "a\x0bb", "a\0b", "a\ud800b"])
def test_ids_that_no_line_of_a_run_can_hold_are_named(identifier: str) -> None:
    problem = identifier_problem("document", identifier)
    assert problem is not None
    assert problem.startswith("the document id 'a")
    problem.encode()
