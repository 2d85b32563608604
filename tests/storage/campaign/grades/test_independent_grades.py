"""An assessor's own opinion of a pair, told once more in plain Python."""

from __future__ import annotations

import shutil
from pathlib import Path
from uuid import uuid4

from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from tests.log_rows import row
from workbench.storage.campaign import Campaign, open_campaign
from workbench.storage.campaign.grades.current_judgments import IndependentGrade, independent_grades
from workbench.storage.campaign.log import log

GRADED = ("grade", "import", "adjudication", "repeat", "norming")

Told = tuple[str, str, str, int | None]


def append(campaign: Campaign, *told: Told) -> None:
    """Rows of assessor, document of topic 1, kind and grade."""
    rows = [row(assessor, "1", document, grade, kind=kind) for assessor, document, kind, grade in told]
    with campaign.write():
        log.append_judgments(campaign, rows)


what = st.one_of(
    st.tuples(st.sampled_from(GRADED), st.integers(-2, 2)),
    st.tuples(st.sampled_from(["can't tell", "cleared"]), st.none()),
)
rows = st.tuples(st.sampled_from(["Ann", "Ben", "Zoë"]), st.sampled_from(["d1", "d2"]), what)


@hypothesis_settings(
    max_examples=25,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(given_rows=st.lists(rows, max_size=15))
def test_independent_grades_are_what_the_log_replayed_says(
    small_file: Path, tmp_path: Path, given_rows: list[tuple[str, str, tuple[str, int | None]]]
) -> None:
    path = tmp_path / f"{uuid4()}.db"
    shutil.copyfile(small_file, path)
    newest: dict[tuple[str, str], int | None] = {}
    for assessor, document_id, (kind, grade) in given_rows:
        if kind not in ("adjudication", "repeat", "norming"):
            newest[document_id, assessor] = grade
    with open_campaign(path) as campaign:
        append(campaign, *((assessor, document_id, *rest) for assessor, document_id, rest in given_rows))
        assert list(independent_grades(campaign)) == [
            IndependentGrade("1", *pair, grade) for pair, grade in sorted(newest.items()) if grade is not None
        ]
