"""What keeps a user from a file is the first folder that may not be passed, the file itself, or its folder."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.sentences import says
from workbench.core.file_permissions import way_out


@pytest.fixture
def path(tmp_path: Path) -> Path:
    (tmp_path / "data" / "instance").mkdir(parents=True)
    (tmp_path / "data" / "instance" / "a.db").write_text("")
    return tmp_path / "data" / "instance" / "a.db"


def deny(monkeypatch: pytest.MonkeyPatch, place: Path, mode: int) -> None:
    """This user may do all but this with one place."""

    def access(asked: Path | str, wanted: int) -> bool:
        return not (Path(asked) == place and wanted & mode)

    monkeypatch.setattr(os, "access", access)
    monkeypatch.setattr(os, "geteuid", lambda: place.stat().st_uid + 1, raising=False)


@pytest.mark.parametrize(
    ("place", "mode"), [("..", os.X_OK), (".", os.X_OK), ("a.db", os.R_OK), ("a.db", os.W_OK), (".", os.W_OK)]
)
def test_what_is_in_the_way_is_named_with_its_owner_and_what_to_do(
    path: Path, monkeypatch: pytest.MonkeyPatch, place: str, mode: int
) -> None:
    barrier = Path(os.path.normpath(path.parent / place))
    deny(monkeypatch, barrier, mode)
    monkeypatch.setattr(Path, "owner", lambda self: f"owner of {self.name}")
    assert says(way_out(str(path)))


def test_no_other_user_is_named_for_a_file_of_ones_own_or_an_owner_without_a_name(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    deny(monkeypatch, path, os.W_OK)
    monkeypatch.setattr(os, "geteuid", lambda: path.stat().st_uid, raising=False)
    assert says(way_out(path))

    def nameless(_: Path) -> str:
        raise KeyError("getpwuid(): uid not found: 4711")

    deny(monkeypatch, path, os.W_OK)
    monkeypatch.setattr(Path, "owner", nameless)
    said = way_out(path)
    assert said is not None
    assert says(said)


def test_where_nothing_is_in_the_way_or_nothing_is_there_nothing_is_said(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert way_out(path) is None
    deny(monkeypatch, path.parent.parent / "none", os.W_OK)
    assert way_out(path.parent.parent / "none" / "a.db") is None, "a folder that is missing is another matter"
    deny(monkeypatch, path.parent / "new.db", os.R_OK | os.W_OK)
    assert way_out(path.parent / "new.db") is None, "a file that is not there yet can be made"
