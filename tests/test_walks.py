"""How far a request or a command walks through the code, and how often it asks the file."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent.parent / "benchmarks"))
import walks

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def found() -> walks.Walks:
    return walks.run_in(walks.HERE)


@pytest.mark.parametrize("walk", walks.MOST)
def test_no_walk_enters_more_files_or_sends_more_statements_than_it_may(
    walk: str, found: walks.Walks
) -> None:
    files, _, _, statements = walks.figures(found[walk])
    most_files, most_statements = walks.MOST[walk]
    assert files <= most_files
    assert statements <= most_statements
