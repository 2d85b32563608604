"""The fixtures that other tests stand on."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.conftest import LONGEST, ROOT
from workbench.storage.campaign import create_campaign, open_campaign


def test_a_new_campaign_is_as_another_process_makes_it(tmp_path: Path) -> None:
    paths = tmp_path / "here.db", tmp_path / "there.db"
    create_campaign(paths[0]).close()
    code = "import sys; from workbench.storage.campaign import create_campaign; create_campaign(sys.argv[1]).close()"
    subprocess.run([sys.executable, "-c", code, paths[1]], check=True)
    held = []
    for path in paths:
        with open_campaign(path) as campaign:
            held.append(list(campaign.db.conn.iterdump()))
    assert held[0] == held[1]


def test_each_file_that_is_to_begin_first_is_there() -> None:
    assert [name for name in LONGEST if not (ROOT / "tests" / f"{name}.py").exists()] == []
