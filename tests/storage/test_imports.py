"""What storage imports, and what of others it runs."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest
import sqlite_utils
from sqlite_utils import plugins

from workbench import storage
from workbench.people.accounts import open_accounts
from workbench.storage.campaign import create_campaign, open_campaign
from workbench.storage.campaign.file import schema
from workbench.storage.campaign.opening import damage
from workbench.storage.campaign.opening.integrity import changed_tables

WITHOUT_PANDAS = """
import sys
import workbench.storage.campaign
assert "pandas" not in sys.modules
import pandas
"""


def test_storage_does_not_import_pandas_and_others_may_and_have_it(monkeypatch: pytest.MonkeyPatch) -> None:
    subprocess.run([sys.executable, "-c", WITHOUT_PANDAS], check=True)
    pandas = ModuleType("pandas")
    monkeypatch.setitem(sys.modules, "pandas", pandas)
    storage._import_sqlite_utils()
    assert sys.modules["pandas"] is pandas


def test_no_plugin_of_sqlite_utils_sees_a_connection(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []

    @sqlite_utils.hookimpl
    def prepare_connection(conn: object) -> None:
        seen.append("a connection")

    plugin = SimpleNamespace(prepare_connection=prepare_connection)
    plugins.pm.register(plugin)
    schema.definitions_made_by.cache_clear()
    monkeypatch.setattr(damage, "LARGE", 0)
    try:
        create_campaign(tmp_path / "small.db").close()
        with open_campaign(tmp_path / "small.db") as campaign:
            damage.both(campaign, lambda here: here.name, lambda there: there.name)
            assert list(changed_tables(campaign)) == []
        open_accounts(tmp_path).close()
        open_accounts(tmp_path).close()
        assert seen == []
        sqlite_utils.Database(memory=True).close()
        assert seen == ["a connection"]
    finally:
        plugins.pm.unregister(plugin)
