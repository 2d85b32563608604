"""Files that took long to make are kept while the server runs: the last few, and not too many bytes of them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from workbench.web.requests.file_cache import FileCache


@pytest.fixture
def cache() -> Iterator[FileCache]:
    """Keeps three files, and ten bytes beside the newest."""
    made = FileCache(most=3, largest=10)
    yield made
    made.close()


def put(cache: FileCache, key: object, content: bytes) -> None:
    path = cache.path(key)
    path.write_bytes(content)
    cache.keep(key, path, f"{key}.txt")


def kept(cache: FileCache, *keys: str) -> str:
    """Those of the keys that have a file, looked for in an order that changes nothing."""
    return "".join(key for key in keys if cache._made.get(key))


def test_a_file_is_given_as_it_was_made_with_its_name(cache: FileCache) -> None:
    assert cache.opened("a") is None
    put(cache, "a", b"ice")
    found = cache.opened("a")
    assert found is not None
    stream, name = found
    with stream:
        assert (stream.read(), name) == (b"ice", "a.txt")
    assert cache.path("a") == cache.path("a") != cache.path("b")


def test_those_asked_for_last_stay_and_the_others_are_removed_from_the_disk(cache: FileCache) -> None:
    for key in "abc":
        put(cache, key, b"x")
    found = cache.opened("a")
    assert found is not None
    found[0].close()
    put(cache, "d", b"x")
    assert kept(cache, *"abcd") == "acd"
    assert not cache.path("b").exists()
    assert cache.path("a").exists()


def test_beside_the_newest_there_are_so_many_bytes_and_the_newest_may_be_large(cache: FileCache) -> None:
    put(cache, "a", b"x" * 4)
    put(cache, "b", b"x" * 6)
    put(cache, "c", b"x" * 100)
    assert kept(cache, *"abc") == "abc", "ten bytes lie beside the newest"
    put(cache, "d", b"x")
    assert kept(cache, *"abcd") == "d", "c beside it is too much"


def test_a_file_that_something_else_removed_is_made_again(cache: FileCache) -> None:
    put(cache, "a", b"x")
    cache.path("a").unlink()
    put(cache, "b", b"x" * 50)
    put(cache, "c", b"x")
    assert cache.opened("a") is None
    assert cache.opened("a") is None
    folder = cache.path("c").parent
    for file in folder.iterdir():
        file.unlink()
    folder.rmdir()
    assert cache.path("c").parent.is_dir()


def test_nothing_is_left_when_the_server_ends(cache: FileCache) -> None:
    put(cache, "a", b"x")
    folder = cache.path("a").parent
    cache.close()
    assert not folder.exists()
    assert cache.opened("a") is None
    put(cache, "a", b"y")
    assert cache.path("a").read_bytes() == b"y", "to be used again"
