"""What tests make thousands of times, the same each time, and what each process of tests makes once.

Commands, servers and workers that tests start as processes of their own make all of it themselves.
"""

from __future__ import annotations

import hashlib
import sqlite3
import tempfile
from functools import cache
from pathlib import Path

from sqlite_utils import Database
from werkzeug.routing import Rule

from workbench.jobs import observing
from workbench.storage.campaign import Campaign, create_campaign
from workbench.storage.campaign.file import schema
from workbench.storage.campaign.opening import damage, opening

# Every server has the same addresses; to compile them is most of the work of making one.
COMPILED: dict[object, Rule] = {}
compile_rule = Rule.compile

# Every new campaign is the same.
claim_file = opening._claim
create_schema = schema.create

# The check before reading finds the same in the same bytes.
find_damage = damage._before_reading
UNDAMAGED: set[tuple[bytes, damage.Reads]] = set()


def make_once() -> None:
    """Let this process make these things once."""
    Rule.compile = _compile_once  # type: ignore[method-assign, assignment]
    _new_campaign()
    opening._claim = _claim_with_tables
    schema.create = _create_unless_there
    damage._before_reading = _find_damage_once


def _compile_once(rule: Rule) -> None:
    """Compile a rule, or take over what was compiled for the same one of another server."""
    defaults = repr(sorted((rule.defaults or {}).items()))
    key = (rule.rule, rule.subdomain, rule.host, rule.merge_slashes, defaults)
    known = COMPILED.setdefault(key, rule)
    if known is rule:
        compile_rule(rule)
        return
    rule._parts, rule._trace, rule._converters = known._parts, known._trace, known._converters
    rule.arguments |= known.arguments
    rule._build = known._build.__func__.__get__(rule)  # type: ignore[attr-defined]
    rule._build_unknown = known._build_unknown.__func__.__get__(rule)  # type: ignore[attr-defined]


@cache
def _new_campaign() -> bytes:
    """A new campaign, as the script makes it."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "new.db"
        create_campaign(path).close()
        return path.read_bytes()


def _claim_with_tables(path: Path, way_out: str) -> None:
    """Claim a file for a campaign that has its tables already; that of a backup, without a way out, stays empty.

    Where the log of another file was left behind, SQLite must find an empty file to see that it belongs to another.
    """
    claim_file(path, way_out)
    if way_out and schema.create is _create_unless_there and not path.with_name(f"{path.name}-wal").exists():
        path.write_bytes(_new_campaign())


def _create_unless_there(db: Database) -> None:
    """Make the schema, unless the file came with it."""
    if not db.table_names():
        create_schema(db)


def _find_damage_once(campaign: Campaign, reads: damage.Reads) -> str | None:
    """The first damage. Copies of a file in which there was none are not compared again, unless they are large or an
    observer is shown the progress.

    The bytes come from SQLite: to open and close the file here would end the locks that this process holds on it.
    """
    if observing._observer.get() is not None or damage._is_large(campaign.path):
        return find_damage(campaign, reads)
    try:
        key = hashlib.sha256(campaign.db.conn.serialize()).digest(), reads
    except sqlite3.Error:
        return find_damage(campaign, reads)
    if key in UNDAMAGED:
        return None
    found = find_damage(campaign, reads)
    if found is None:
        UNDAMAGED.add(key)
    return found
