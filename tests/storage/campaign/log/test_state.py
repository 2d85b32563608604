"""The state of a campaign is what its events say up to a row of the log, folded once."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from math import inf
from pathlib import Path

import pytest

from tests.sentences import refused
from workbench.campaign.new_campaign import new_campaign
from workbench.storage.campaign import Campaign, open_campaign
from workbench.storage.campaign.file.write_queue import Waiting
from workbench.storage.campaign.log import kinds
from workbench.storage.campaign.log.cache import forget_unused
from workbench.storage.campaign.log.log import Event, append_event, events, newest_seq
from workbench.storage.campaign.log.state import State, part
from workbench.storage.campaign.organising import settings
from workbench.storage.campaign.people import identities

folded: list[int] = []


@part(kinds.ROUND, kinds.ROUND_CANCELLED, start=list)
def names_of_rounds(found: list[str], event: Event) -> None:
    """The names in events of rounds."""
    folded.append(event.seq)
    found.append(event.content["name"])


@pytest.fixture
def rivers(tmp_path: Path) -> Iterator[Campaign]:
    folded.clear()
    with new_campaign(tmp_path / "rivers.db", title="Rivers", actor="Olga") as campaign:
        yield campaign


def put(campaign: Campaign, name: str) -> int:
    return append_event(campaign.by("Olga"), kinds.ROUND, {"name": name})


def add(campaign: Campaign, name: str) -> int:
    with campaign.write():
        return put(campaign, name)


def test_a_part_is_what_its_kinds_of_events_say_up_to_a_row(rivers: Campaign) -> None:
    rows = [add(rivers, name) for name in "abc"]
    assert names_of_rounds(rivers) == ["a", "b", "c"]
    assert [names_of_rounds(rivers.at(row)) for row in (rows[0] - 1, *rows)] == [
        [],
        ["a"],
        ["a", "b"],
        ["a", "b", "c"],
    ]


def test_each_event_is_folded_once_and_others_fold_nothing(rivers: Campaign) -> None:
    rows = []
    for name in "abc":
        rows.append(add(rivers, name))
        with rivers.write():
            settings.change(rivers.by("Olga"), {"title": name})
        assert names_of_rounds(rivers)[-1] == name
    assert folded == rows


def test_a_value_that_somebody_has_does_not_change(rivers: Campaign) -> None:
    add(rivers, "a")
    before = names_of_rounds(rivers)
    add(rivers, "b")
    assert (names_of_rounds(rivers), before) == (["a", "b"], ["a"])


def test_a_transaction_goes_on_with_what_it_has_read_when_that_is_dropped(rivers: Campaign) -> None:
    add(rivers, "a")
    with rivers.snapshot():
        for _ in range(2):
            assert names_of_rounds(rivers) == ["a"]
            forget_unused(rivers.file, since=inf)


def test_what_was_rolled_back_is_forgotten(rivers: Campaign) -> None:
    add(rivers, "a")
    with rivers.write(keep=False):
        put(rivers, "never")
        assert names_of_rounds(rivers) == ["a", "never"]
    assert names_of_rounds(rivers) == ["a"]
    add(rivers, "b")
    assert names_of_rounds(rivers) == ["a", "b"]


def test_a_piece_of_a_group_that_fails_leaves_no_state_behind(rivers: Campaign) -> None:
    def fail(campaign: Campaign) -> None:
        put(campaign, "never")
        assert names_of_rounds(campaign) == ["never"]
        raise ValueError

    with rivers.write():
        Waiting(fail).do(rivers)
        assert names_of_rounds(rivers) == []


def test_a_snapshot_keeps_its_state_while_others_write(rivers: Campaign) -> None:
    add(rivers, "a")
    with open_campaign(rivers.path) as other, other.snapshot():
        assert names_of_rounds(other) == ["a"]
        add(rivers, "b")
        assert (names_of_rounds(rivers), names_of_rounds(other)) == (["a", "b"], ["a"])


def test_a_state_costs_one_statement_in_a_transaction(rivers: Campaign) -> None:
    add(rivers, "a")
    names_of_rounds(rivers)
    said: list[str] = []
    rivers.db.conn.set_trace_callback(said.append)
    with rivers.snapshot():
        assert [names_of_rounds(rivers) for _ in range(3)] == [["a"]] * 3
    assert len(said) == 3  # it begins and ends


def test_names_are_those_of_today(rivers: Campaign) -> None:
    with rivers.write():
        settings.change(rivers.by("Olga"), {"searchers": ["Olga"]})
    row = newest_seq(rivers)
    assert settings.read(rivers).searchers == ("Olga",)
    with rivers.write():
        identities.correct(rivers.by("Olga"), "Olga", "Olga Ortega")
    assert settings.read(rivers.at(row)).searchers == ("Olga Ortega",)
    assert State.of(rivers.at(row)).last == row


def test_a_view_as_of_a_row_reads_what_was_then_and_nothing_is_written_through_it(rivers: Campaign) -> None:
    first = add(rivers, "a")
    then = rivers.at(first)
    add(rivers, "b")
    assert (names_of_rounds(then), names_of_rounds(then.now)) == (["a"], ["a", "b"])
    assert (then.up_to, then.at(first) is then, then.at(None).as_of) == (first, True, None)
    with rivers.snapshot():
        assert then.reads_snapshot
        assert (names_of_rounds(then), names_of_rounds(rivers)) == (["a"], ["a", "b"])
    seq = newest_seq(rivers)
    with refused(TypeError), rivers.at(seq).write():
        pass


def test_who_changes_a_campaign_is_in_its_events_and_nobody_changes_it_unnamed(rivers: Campaign) -> None:
    at = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
    with rivers.write():
        seq = append_event(rivers.by("Ben", at), kinds.ROUND, {"name": "a"})
    (event,) = events(rivers, kinds.ROUND)
    assert (event.seq, event.actor, event.at) == (seq, "Ben", "2026-03-01T12:00:00.000+00:00")
    with refused(TypeError), rivers.by("").write():
        append_event(rivers.by(""), kinds.ROUND, {"name": "b"})
