"""Broken files added to a campaign: all of a file comes in, or nothing changes."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from hypothesis import strategies as st

from tests.fuzzing.good_files import DOCUMENTS, QRELS, RUN, TOPICS
from tests.fuzzing.mutations import mutated
from tests.fuzzing.running import NUMBERS, feed, few_or_many
from workbench.campaign.ingest import add_documents, add_qrels, add_runs, add_topics
from workbench.core.errors import WorkbenchError
from workbench.release.audit.checks import audit
from workbench.storage.campaign import Campaign, open_campaign

Add = Callable[[Campaign, list[str]], object]

ADDITIONS: dict[str, tuple[Add, list[tuple[str, bytes]]]] = {
    "topics": (
        lambda campaign, paths: add_topics(campaign.by("Olga"), paths),
        [("", data) for data in TOPICS],
    ),
    "documents": (
        lambda campaign, paths: add_documents(campaign.by("Olga"), paths, keep_all=True),
        [(suffix, data) for suffix, data in DOCUMENTS if suffix != ".parquet"],
    ),
    "runs": (lambda campaign, paths: add_runs(campaign.by("Olga"), paths), [("", RUN)]),
    "qrels": (lambda campaign, paths: add_qrels(campaign.by("Olga"), paths), [("", QRELS)]),
}
broken_files = st.sampled_from(
    [(kind, *file) for kind, (_, files) in ADDITIONS.items() for file in files]
).flatmap(lambda file: st.tuples(st.just(file[0]), st.just(file[1]), mutated([file[2]])))


@few_or_many
def test_a_broken_file_is_added_whole_or_changes_nothing(
    small_file: Path, tmp_path: Path, many: bool
) -> None:
    path = tmp_path / "small.db"
    shutil.copyfile(small_file, path)
    with open_campaign(path) as campaign, closing(sqlite3.connect(path)) as watching:

        def check(broken: tuple[str, str, bytes]) -> None:
            kind, suffix, data = broken
            (file := tmp_path / f"file{suffix}").write_bytes(data)
            before = watching.execute("PRAGMA data_version").fetchone()
            try:
                ADDITIONS[kind][0](campaign, [str(file)])
            except WorkbenchError as error:
                assert str(error)
                assert watching.execute("PRAGMA data_version").fetchone() == before

        feed(broken_files, check, NUMBERS["file for a campaign"].some(many))
        assert [finding.wrong for finding in audit(campaign) if finding.wrong] == []
