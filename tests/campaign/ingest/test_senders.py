"""A run takes the place of an earlier one, and a team's own run is taken by the rules: all of it or nothing."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path

import pytest

from tests.conftest import write_run
from tests.found_wrong import wrong
from tests.judged_pairs import at_once, judge_as
from tests.sentences import says
from workbench.campaign.content_changes import withdraw_runs
from workbench.campaign.ingest import RunOptions, add_runs
from workbench.campaign.ingest.senders import Sender
from workbench.campaign.pools.making import add_pool
from workbench.campaign.rounds import open_round
from workbench.campaign.submission_rules import Rules, change_rules, parse_fields
from workbench.campaign.submissions.overview import overview
from workbench.core.errors import InputError
from workbench.scoring.board import board_of
from workbench.scoring.board.past_boards import board_history_of
from workbench.storage.campaign import Campaign, create_campaign
from workbench.storage.campaign.collection import pools, run_details, runs, withdrawals
from workbench.storage.campaign.log import log

NOON = datetime(2027, 3, 1, 12, tzinfo=UTC)
DEADLINE = NOON + timedelta(hours=1)
UPLOADS = count()


def add(campaign: Campaign, path: str, sender: Sender) -> str:
    """The name of the run that was added."""
    (run,) = add_runs(campaign.by("anna"), [path], options=RunOptions(senders={path: sender})).runs
    return run.tag


def own(team: str = "Delft", received: datetime | None = None, **said: object) -> Sender:
    """A team's own run, each in an upload of its own: a second after the one before."""
    return Sender(team, received=received or NOON + timedelta(seconds=next(UPLOADS)))._replace(**said)


def in_force(campaign: Campaign, as_of: int | None = None) -> list[str]:
    return [run.record.tag for run in runs.in_force(campaign.at(as_of))]


def refusal(campaign: Campaign, path: str, sender: Sender) -> str:
    """Why a run is refused; nothing has changed then."""
    before = log.head(campaign)
    with pytest.raises(InputError) as error:
        add(campaign, path, sender)
    assert log.head(campaign) == before
    return str(error.value)


@pytest.fixture
def opened(small: Campaign) -> Iterator[Campaign]:
    """`small`, where teams may submit two runs each up to 13:00."""
    change_rules(small.by("Olga"), Rules(True, DEADLINE, 2))
    yield small


def test_a_run_that_no_pool_names_is_replaced_under_its_name(small: Campaign, tmp_path: Path) -> None:
    first = write_run(tmp_path / "first.run", "gamma", {"1": "d1 d2"})
    said = Sender("Delft", priority=1, depth=20)
    assert add(small, first, said) == "gamma"
    before = log.newest_seq(small)
    again = write_run(tmp_path / "again.run", "gamma", {"1": "d3"})
    assert add(small, again, Sender(replaces=True)) == "gamma"
    assert in_force(small) == ["alpha", "beta", "gamma"]
    old, new = runs.all_runs(small)[2:]
    assert (old.record.tag, old.record.file) == ("gamma.replaced.1", first)
    assert (new.record.tag, new.record.file, new.record.team) == ("gamma", again, "Delft")
    details = run_details.details(small)[new.run]
    assert (details.priority, details.depth, details.replaces) == (1, 20, old.run)
    then = runs.all_runs(small.at(before))
    assert [(run.record.tag, run.withdrawn) for run in then[2:]] == [("gamma", None)]
    assert says(withdrawals.steps(small)[0].content["reason"])
    assert wrong(small) == []


def test_a_pooled_run_keeps_its_name_its_pairs_and_their_judgments(small: Campaign, tmp_path: Path) -> None:
    judge_as(small, "anna", "1", "d1", 1)
    before, pooled = log.newest_seq(small), pools.all_pairs(small)
    scored = board_history_of(small).table(small, None, before)
    again = write_run(tmp_path / "again.run", "alpha", {"1": "d1", "2": "d3"})
    (added,) = add_runs(
        small.by("Olga"), [again], options=RunOptions(senders={again: Sender(replaces=True)})
    ).runs
    assert added.tag == "alpha.2"
    assert says(added.replaced)
    assert in_force(small) == ["beta", "alpha.2"]
    assert pools.all_pairs(small) == pooled
    assert {row.tag for row in board_of(small).table(small).rows} == {"beta", "alpha.2"}
    assert board_history_of(small).table(small, None, before).rows == scored.rows
    assert wrong(small) == []


def test_what_replaced_a_pooled_run_is_replaced_in_its_turn(small: Campaign, tmp_path: Path) -> None:
    for number in range(3):
        path = write_run(tmp_path / f"{number}.run", "alpha", {"1": f"d{number + 1}"})
        assert add(small, path, Sender(replaces=True)) == "alpha.2"
    assert in_force(small) == ["beta", "alpha.2"]
    assert [run.record.tag for run in runs.all_runs(small)] == [
        "alpha",
        "beta",
        "alpha.2.replaced.1",
        "alpha.2.replaced.2",
        "alpha.2",
    ]
    add_pool(small.by("Olga"), depth=1)
    path = write_run(tmp_path / "last.run", "alpha", {"2": "d1"})
    assert add(small, path, Sender(replaces=True)) == "alpha.3"
    assert wrong(small) == []


def test_the_board_of_then_has_the_names_of_then(small: Campaign, tmp_path: Path) -> None:
    path = write_run(tmp_path / "a.run", "gamma", {"1": "d1"})
    add(small, path, Sender())
    then = log.newest_seq(small)
    board_of(small).table(small)
    again = write_run(tmp_path / "b.run", "gamma", {"1": "d2"})
    add(small, again, Sender(replaces=True))
    add(small, write_run(tmp_path / "c.run", "delta", {"1": "d2"}), Sender())
    assert {row.tag for row in board_of(small).table(small).rows} == {"alpha", "beta", "gamma", "delta"}
    assert {row.tag for row in board_history_of(small).table(small, None, then).rows} == {
        "alpha",
        "beta",
        "gamma",
    }


def test_nothing_is_replaced_by_a_wrong_tag_or_for_another_team(small: Campaign, tmp_path: Path) -> None:
    path = write_run(tmp_path / "a.run", "gamma", {"1": "d1"})
    assert says(refusal(small, path, Sender(replaces=True)), "gamma")
    add(small, path, Sender("Delft"))
    message = refusal(small, path, Sender("Athens", replaces=True))
    assert "run 'gamma' is of team 'Delft', not of 'Athens'" in message
    twice = [path, write_run(tmp_path / "b.run", "gamma", {"1": "d2"})]
    with pytest.raises(InputError, match="a run named 'gamma' is there already"):
        add_runs(
            small.by("Olga"), twice, options=RunOptions(senders=dict.fromkeys(twice, Sender(replaces=True)))
        )
    assert in_force(small) == ["alpha", "beta", "gamma"]


def test_a_team_and_a_tag_are_taken_with_the_joiners_that_their_script_needs(
    small: Campaign, tmp_path: Path
) -> None:
    file = write_run(tmp_path / "gamma.run", "gamma", {"1": "d1"})
    assert add(small, file, Sender("پژوهش\u200cگران", tag="क्\u200dष")) == "क्\u200dष"


def test_a_team_submits_replaces_and_has_a_limit(opened: Campaign, tmp_path: Path) -> None:
    files = [write_run(tmp_path / f"{tag}.run", tag, {"1": "d1"}) for tag in ("g1", "g2", "g3")]
    assert [add(opened, path, own()) for path in files[:2]] == ["g1", "g2"]
    message = refusal(opened, files[2], own())
    assert "team Delft has 2 runs of 2 already (g1, g2)" in message
    assert add(opened, write_run(tmp_path / "again.run", "g2", {"1": "d2"}), own()) == "g2"
    assert add(opened, files[2], own("Athens")) == "g3"
    withdraw_runs(opened.by("Olga"), ["g1"])
    assert add(opened, write_run(tmp_path / "g4.run", "g4", {"1": "d2"}), own()) == "g4"


def test_two_members_who_submit_at_once_to_the_last_free_place(opened: Campaign, tmp_path: Path) -> None:
    change_rules(opened.by("Olga"), Rules(True, None, 1))
    files = [write_run(tmp_path / f"{tag}.run", tag, {"1": "d1"}) for tag in ("g1", "g2")]
    said = at_once(opened.path, lambda mine, path: add(mine, path, own()), files)
    taken = [each for each in said if each in ("g1", "g2")]
    assert len(taken) == 1
    assert any(f"team Delft has 1 run of 1 already ({taken[0]})" in str(each) for each in said)
    assert in_force(opened) == ["alpha", "beta", *taken]


def test_what_comes_too_late_is_refused_with_both_times(opened: Campaign, tmp_path: Path) -> None:
    path = write_run(tmp_path / "a.run", "gamma", {"1": "d1"})
    message = refusal(opened, path, own(received=DEADLINE + timedelta(seconds=1)))
    assert says(message)
    assert add(opened, path, own(received=DEADLINE)) == "gamma"
    message = refusal(opened, path, own(received=DEADLINE + timedelta(days=1)))
    assert "the deadline was" in message, "a resubmission too"
    change_rules(opened.by("Olga"), Rules())
    other = write_run(tmp_path / "b.run", "delta", {"1": "d1"})
    assert "submission is closed" in refusal(opened, other, own())
    assert add(opened, other, Sender("Delft")) == "delta", "an organiser adds runs at any time"


def test_a_pooled_run_and_anothers_run_are_not_replaced_by_a_team(opened: Campaign, tmp_path: Path) -> None:
    path = write_run(tmp_path / "secret.run", "gamma", {"1": "d1"})
    add(opened, path, own("Athens"))
    mine = write_run(tmp_path / "mine.run", "gamma", {"1": "d2"})
    message = refusal(opened, mine, own())
    assert says(message, "gamma")
    assert "secret" not in message
    add_pool(opened.by("Olga"), depth=1)
    assert "is pooled already" in refusal(opened, mine, own("Athens"))
    late = refusal(opened, mine, own("Athens", received=DEADLINE + timedelta(seconds=1)))
    assert "the deadline was" in late
    assert "pooled already" not in late, "what decides comes alone"
    assert says(refusal(opened, write_run(tmp_path / "d.run", "delta", {"1": "d1"}), own("")))


def test_a_description_is_asked_for_read_from_the_file_and_taken(opened: Campaign, tmp_path: Path) -> None:
    fields = parse_fields(["Method*=method.automatic", "Model"])
    change_rules(opened.by("Olga"), Rules(True, DEADLINE, 2, fields))
    path = tmp_path / "a.run"
    text = Path(write_run(path, "gamma", {"1": "d1"})).read_text()
    assert "the description lacks Method" in refusal(opened, str(path), own())
    path.write_text(f"# ir_metadata.start\n# method: {{automatic: yes}}\n# ir_metadata.end\n{text}")
    add(opened, str(path), own(description={"Model": "BM25"}))
    path.write_text(text)
    add(opened, str(path), own(description={"Model": "BM25F"}))
    (*_, newest) = runs.all_runs(opened)
    assert run_details.details(opened)[newest.run].description == {"Method": "yes", "Model": "BM25F"}


def test_a_run_withdrawn_without_a_successor_is_replaced(small: Campaign, tmp_path: Path) -> None:
    withdraw_runs(small.by("Olga"), ["alpha"])
    path = write_run(tmp_path / "a.run", "alpha", {"1": "d1"})
    assert add(small, path, Sender(replaces=True)) == "alpha.2"
    assert in_force(small) == ["beta", "alpha.2"]


def test_before_there_is_a_file_of_topics_no_team_submits(tmp_path: Path) -> None:
    path = write_run(tmp_path / "a.run", "gamma", {"1": "d1"})
    with create_campaign(tmp_path / "empty.db") as campaign:
        change_rules(campaign.by("Olga"), Rules(True, DEADLINE, 2))
        assert says(refusal(campaign, path, own()))


def test_in_each_round_a_team_uses_its_tags_again_and_nothing_is_withdrawn(
    opened: Campaign, tmp_path: Path
) -> None:
    def sent(tag: str, documents: str) -> str:
        return write_run(tmp_path / f"{documents}.run", tag, {"1": documents})

    assert add(opened, sent("bm25", "d1"), own()) == "bm25"
    assert add(opened, sent("dense", "d2"), own()) == "dense"
    open_round(opened.by("Olga"), "2")
    (added,) = add_runs(
        opened.by("anna"), [path := sent("bm25", "d3")], options=RunOptions(senders={path: own()})
    ).runs
    assert added.tag == "bm25"
    assert says(added.replaced, "'bm25.2'")
    assert add(opened, sent("bm25", "d4"), own()) == "bm25", (
        "in the same round the team's own run is replaced"
    )
    assert in_force(opened)[-3:] == ["bm25", "dense", "bm25.2"]
    assert add(opened, sent("dense", "d5"), own()) == "dense", "two runs in each round"
    assert "has 2 runs of 2 already (bm25, dense)" in refusal(opened, sent("third", "d6"), own())
    assert "not your team's" in refusal(opened, sent("bm25", "d7"), own("Athens"))
    (of_delft,) = (team.receipts for team in overview(opened).teams if team.team == "Delft")
    taking_part = [each.run.record.tag for each in of_delft if each.run.withdrawn is None]
    assert taking_part == ["bm25.2", "dense.2"]
    assert wrong(opened) == []


def test_a_sender_goes_to_the_process_that_reads_the_file() -> None:
    assert pickle.loads(pickle.dumps(Sender("Delft"))) == Sender("Delft")
