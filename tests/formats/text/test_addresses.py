"""Files named by addresses: what is shown of them, and what is said where they cannot be read."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from workbench.core.errors import InputError
from workbench.formats.text.addresses import is_address, matching, name_at, without_secrets
from workbench.formats.text.content import load
from workbench.formats.text.unreadable import Unreadable


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("s3://bucket/runs/a.gz", "s3://bucket/runs/a.gz"),
        ("https://anna:geheim@host/q.txt", "https://...@host/q.txt"),
        ("https://host/q.txt?X-Amz-Signature=abc&X-Amz-Credential=key", "https://host/q.txt..."),
        ("s3://KEY:SECRET@bucket/a", "s3://...@bucket/a"),
        ("zip://a.run::https://anna:geheim@host/z.zip?t=1", "zip://a.run::https://...@host/z.zip..."),
        ("runs/what?.run", "runs/what?.run"),
        ("a@b.run", "a@b.run"),
    ],
)
def test_no_secret_of_an_address_is_shown(address: str, shown: str) -> None:
    assert without_secrets(address) == shown


@pytest.mark.parametrize(
    ("address", "name"),
    [
        ("https://anna:geheim@host/a/d.jsonl.zst?key=1/2", "d.jsonl.zst"),
        ("zip://in/d.jsonl::https://host/all.zip?t=1", "d.jsonl"),
        ("s3://bucket/d.parquet", "d.parquet"),
    ],
)
def test_the_name_of_a_file_at_an_address_has_nothing_else_of_it(address: str, name: str) -> None:
    assert name_at(address) == name


def test_paths_are_no_addresses() -> None:
    assert not any(map(is_address, ["bm25.run", "/tmp/a:b", "C:\\runs\\a", "-", Path("s3://b/a")]))
    assert matching("runs/*.run") == ["runs/*.run"]  # the shell's matter


def test_without_its_library_an_address_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "fsspec.core", None)
    with pytest.raises(InputError, match=r"^https://host/q.txt: addresses are read by fsspec; install it"):
        load("https://host/q.txt")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("scheme", "path", "said"),
    [
        ("http", "missing", "this file does not exist; check the address"),
        ("http", "denied", "access is denied, or there are no credentials for http://"),
        ("http", "cut", "it cannot be read (ClientPayloadError); check the address"),
        ("gopher", "a", "gopher:// is no kind of address that fsspec knows"),
    ],
)
def test_failures_are_sentences_without_what_the_address_holds(
    web: str, scheme: str, path: str, said: str
) -> None:
    with pytest.raises(InputError) as error:
        load(f"{scheme}://anna:geheim@{web}/{path}?key=abc123")
    assert f"{scheme}://...@{web}/{path}...: {said}" in str(error.value)
    assert not any(secret in repr(error.value) for secret in ("geheim", "abc123"))
    assert error.value.__suppress_context__


@pytest.mark.slow
def test_what_stands_at_an_address_is_read_as_the_file_is(web: str, tmp_path: Path) -> None:
    (tmp_path / "a.run").write_text("1 Q0 d1 0 1 t\n")
    (tmp_path / "b.run").write_text("1 Q0 d1 0 1 t\n")
    assert load(f"http://{web}/a.run").data == b"1 Q0 d1 0 1 t\n"
    found = matching(f"file://{tmp_path}/*.run")
    assert found == [f"file://{tmp_path}/a.run", f"file://{tmp_path}/b.run"]
    (tmp_path / "b.run").unlink()  # gone between the listing and the reading
    with pytest.raises(InputError, match="this file does not exist"):
        load(found[1])
    with pytest.raises(Unreadable, match="no file has such an address"):
        matching(f"file://{tmp_path}/*.gz")
