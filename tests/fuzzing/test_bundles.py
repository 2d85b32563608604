"""Release bundles with anything in them: imported, or refused in words and nothing left behind."""

from __future__ import annotations

import hashlib
import io
import zipfile
from collections.abc import Mapping
from pathlib import Path

from hypothesis import strategies as st

from tests.fuzzing.mutations import mutated
from tests.fuzzing.running import NUMBERS, feed, few_or_many
from tests.log_rows import row
from workbench.campaign import assigning
from workbench.campaign.assessing.repeats import set_repeats
from workbench.core.errors import WorkbenchError
from workbench.release.archive import CHECKSUMS
from workbench.release.bundle.importing import import_bundle
from workbench.release.bundle.writing import BundleOptions, write_bundle
from workbench.storage.campaign import Campaign, open_campaign
from workbench.storage.campaign.assigning import assignments, norming
from workbench.storage.campaign.log import log


def packed(files: Mapping[str, bytes]) -> bytes:
    """A bundle of these files, whose checksums fit."""
    sums = "".join(f"{hashlib.sha256(data).hexdigest()}  {name}\n" for name, data in files.items())
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, data in {**files, CHECKSUMS: sums.encode()}.items():
            archive.writestr(f"small/{name}", data)
    return stream.getvalue()


def arrange(campaign: Campaign) -> None:
    """What only campaigns of several assessors tell of: assignments, a draw, repeats, a session, closed topics."""
    assigning.choose_who_judges(campaign.by("Olga"), "assigned")
    assigning.draw_double(campaign.by("Olga"), 0.5, 7, assessors=["Ben"])
    set_repeats(campaign.by("Olga"), 0.1, 3, 9)
    with campaign.write():
        assignments.put(campaign.by("Olga"), [], [("2", "whole", "Ann")])
        norming.put_open(campaign.by("Olga"), "1", ["d1", "d2"])
        log.append_judgments(campaign, [row("Ann", "1", "d1", 1, kind="norming")])
        norming.put_revealed(campaign.by("Olga"), 1)
        norming.put_closed(campaign.by("Olga"), 1, counts=False)
        assignments.close_topics(campaign.by("Olga"), ["1"])
        assignments.reopen_topics(campaign.by("Olga"), ["1"])


@few_or_many
def test_a_broken_bundle_is_imported_or_refused_and_leaves_nothing_behind(
    small_judged: Path, tmp_path: Path, many: bool
) -> None:
    (folder := tmp_path / "folder").mkdir()
    stream = io.BytesIO()
    with open_campaign(small_judged) as campaign:
        arrange(campaign)
        write_bundle(campaign, stream, options=BundleOptions(runs=True, comments=True, names="names"))
    with zipfile.ZipFile(stream) as archive:
        files = {name.partition("/")[2]: archive.read(name) for name in archive.namelist()}
    del files[CHECKSUMS]
    read = [
        name for name in files if name.endswith((".json", ".jsonl", ".txt", ".run", ".csv", ".md", ".gz"))
    ]
    path, target = folder / "bundle.zip", folder / "imported.db"

    def check(data: bytes) -> None:
        path.write_bytes(data)
        try:
            import_bundle(path, target, actor="Olga")
        except WorkbenchError as error:
            assert str(error)
            assert sorted(file.name for file in folder.iterdir()) == ["bundle.zip"]
        target.unlink(missing_ok=True)

    inside = st.sampled_from(read).flatmap(
        lambda name: mutated([files[name]]).map(lambda data: packed({**files, name: data}))
    )
    feed(inside | inside | mutated([stream.getvalue()]), check, NUMBERS["bundle"].some(many))
