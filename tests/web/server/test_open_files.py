"""What the parts of a server get of the descriptors that the system allows."""

from __future__ import annotations

import resource
from collections.abc import Iterator

import pytest

from workbench.web.server import limits as open_files
from workbench.web.server.limits import Shares, raise_limit


@pytest.fixture
def limits(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[tuple[int, int]]]:
    """The soft and the hard limit of this process as the list has them; the newest ones are last."""
    found: list[tuple[int, int]] = []
    monkeypatch.setattr(resource, "getrlimit", lambda _: found[-1])
    monkeypatch.setattr(resource, "setrlimit", lambda _, limits: found.append(limits))
    yield found


@pytest.mark.parametrize(
    ("soft", "hard", "raised"),
    [
        (1024, 524_288, 4096),
        (1024, resource.RLIM_INFINITY, 4096),
        (1024, 1024, 1024),
        (256, 2048, 2048),
        (8192, 8192, 8192),
        (resource.RLIM_INFINITY, resource.RLIM_INFINITY, 4096),
    ],
)
def test_the_soft_limit_is_raised_as_far_as_it_is_wanted_and_allowed(
    limits: list[tuple[int, int]], soft: int, hard: int, raised: int
) -> None:
    limits.append((soft, hard))
    assert raise_limit().limit == raised
    assert limits[1:] == ([(raised, hard)] if -1 < soft < raised else [])


def test_a_system_that_allows_less_than_it_says_keeps_its_limit(
    limits: list[tuple[int, int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise ValueError("not allowed to raise maximum limit")

    limits.append((256, resource.RLIM_INFINITY))
    monkeypatch.setattr(resource, "setrlimit", refuse)
    assert raise_limit() == Shares(256, 128, 32)


def test_a_limit_that_is_too_low_is_said_with_what_to_do() -> None:
    assert [Shares.of(limit).warning() for limit in (2048, 4096)] == ["", ""]
    assert "ulimit -n" in Shares.of(2047).warning()


@pytest.mark.parametrize("limit", [64, 256, 1024, 2048, 4096])
def test_a_quarter_of_the_descriptors_is_left_for_all_else(limit: int) -> None:
    shares = Shares.of(limit)
    assert limit - shares.connections - 2 * shares.files >= limit // 4
    assert shares.connections <= open_files.CONNECTIONS
