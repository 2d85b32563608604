"""Leaderboards under people's and a judge's labels."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.analysis.models.conftest import LabelAs
from tests.conftest import write_run
from tests.sentences import refused
from workbench.analysis.models.boards import BOARDS, WITHOUT_FAMILY, JudgeBoards
from workbench.campaign.ingest import add_runs
from workbench.campaign.new_campaign import new_campaign
from workbench.campaign.submissions.correcting import Correction, correct_run
from workbench.core.errors import CampaignError, UnknownName
from workbench.core.model_answers import Judge
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.models import judges
from workbench.storage.campaign.organising import settings

TOPICS = [str(topic) for topic in range(1, 9)]
# The good run begins with a and b, the bad one ends with them. Of the three pairs only these two differ significantly.
RUNS = {"good": "a b c d", "middle": "c a b d", "bad": "d c a b"}


def of_all(grades: dict[str, int]) -> dict[str, dict[str, int]]:
    return {topic: dict(grades) for topic in TOPICS}


@pytest.fixture
def three_runs(tmp_path: Path) -> Iterator[Campaign]:
    with new_campaign(tmp_path / "three.db", title="Three", actor="Olga") as campaign:
        files = [
            write_run(tmp_path / f"{tag}.run", tag, dict.fromkeys(TOPICS, of)) for tag, of in RUNS.items()
        ]
        add_runs(campaign.by("Olga"), files)
        yield campaign


def under(campaign: Campaign, measure: str = "P@2", **asked: object) -> JudgeBoards:
    found: JudgeBoards = BOARDS.answer(campaign, {"measure": measure, **asked})
    return found


def test_a_judge_that_turns_the_labels_round_turns_the_board_round(
    three_runs: Campaign, label_as: LabelAs
) -> None:
    label_as(three_runs, "Ann", of_all({"a": 1, "b": 1, "c": 0, "d": 0}), "human")
    label_as(three_runs, "gpt", of_all({"a": 0, "b": 0, "c": 1, "d": 1}))
    (view,) = under(three_runs).views
    assert (view.runs, view.tau, view.tau_ap, view.winner_rank) == (3, -1, -1, 3)
    assert (view.significant, view.by_judge, view.kept, view.lost, view.gained, view.reversed) == (
        1,
        1,
        0,
        0,
        0,
        1,
    )
    assert [(each.run, each.rank, each.other_rank, each.moved) for each in under(three_runs).runs] == [
        ("good", 1, 3, -2),
        ("middle", 2, 2, 0),
        ("bad", 3, 1, 2),
    ]


def test_a_judge_that_finds_nothing_loses_all_pairs_and_one_that_agrees_keeps_them(
    three_runs: Campaign, label_as: LabelAs
) -> None:
    label_as(three_runs, "Ann", of_all({"a": 1, "b": 1, "c": 0, "d": 0}), "human")
    label_as(three_runs, "blind", of_all({"a": 0, "b": 0, "c": 0, "d": 0}))
    label_as(three_runs, "twin", of_all({"a": 1, "b": 1, "c": 0, "d": 0}))
    (blind,), (twin,) = under(three_runs, judge="blind").views, under(three_runs, judge="twin").views
    assert (blind.tau, blind.significant, blind.by_judge, blind.lost) == (None, 1, 0, 1)
    assert (twin.tau, twin.kept, twin.lost, twin.gained, twin.reversed) == (1, 1, 0, 0, 0)


def test_pairs_that_differ_by_the_judge_alone_are_gained(three_runs: Campaign, label_as: LabelAs) -> None:
    label_as(three_runs, "Ann", of_all({"a": 0, "b": 0, "c": 0, "d": 0}), "human")
    label_as(three_runs, "gpt", of_all({"a": 1, "b": 1, "c": 0, "d": 0}))
    (view,) = under(three_runs).views
    assert (view.significant, view.gained, view.lost) == (0, 1, 0)


def test_both_rest_on_shared_pairs_or_each_on_all_labels_of_its_side(
    three_runs: Campaign, label_as: LabelAs
) -> None:
    label_as(three_runs, "Ann", of_all({"a": 1, "b": 1}), "human")
    label_as(three_runs, "gpt", of_all({"a": 1, "d": 1}))
    shared, every = under(three_runs), under(three_runs, on="all")
    assert (shared.pairs, every.pairs, shared.topics, every.topics) == (8, 16, 8, 8)
    assert {each.run: (each.score, each.other_score) for each in shared.runs} == {
        "good": (0.5, 0.5),
        "middle": (0.5, 0.5),
        "bad": (0, 0),
    }
    assert {each.run: (each.score, each.other_score) for each in every.runs} == {
        "good": (1, 0.5),
        "middle": (0.5, 0.5),
        "bad": (0, 0.5),
    }


def test_runs_of_the_judges_family_are_marked_and_left_out_beside_all(
    three_runs: Campaign, label_as: LabelAs
) -> None:
    label_as(three_runs, "Ann", of_all({"a": 1, "b": 1, "c": 0, "d": 0}), "human")
    label_as(three_runs, "gpt", of_all({"a": 1, "b": 1, "c": 0, "d": 1}))
    with three_runs.write():
        settings.change(three_runs.by("Olga"), {"description_fields": [["Model", "", False]]})
    correct_run(three_runs.by("Olga"), "bad", Correction(description={"Model": "reranked with GPT-4o mini"}))
    found = under(three_runs, family="gpt-4")
    assert found.marked == ("bad",)
    assert [(view.of, view.runs, view.tau) for view in found.views] == [
        ("all runs", 3, pytest.approx(found.views[0].tau)),
        (WITHOUT_FAMILY, 2, 1),
    ]
    assert under(three_runs).marked == ()
    assert len(under(three_runs, family="llama").views) == 1


def test_without_pairs_of_both_or_a_mean_there_is_nothing_to_compare(
    three_runs: Campaign, label_as: LabelAs
) -> None:
    label_as(three_runs, "Ann", of_all({"a": 1}), "human")
    label_as(three_runs, "gpt", of_all({"b": 1}))
    assert (under(three_runs).views, under(three_runs).runs, under(three_runs).pairs) == ((), (), 0)
    label_as(three_runs, "gpt", of_all({"a": 1}))
    with refused(CampaignError, "geometric"):
        under(three_runs, "AP(mean=geometric)")
    with refused(UnknownName, "statAP"):
        under(three_runs, "statAP")
    with refused(UnknownName, "nonsense"):
        under(three_runs, "nonsense")


def test_the_boards_of_a_campaign_without_runs_or_judges_are_empty(
    on_five_grades: Campaign, label_as: LabelAs
) -> None:
    assert (under(on_five_grades).judge, under(on_five_grades).views) == ("", ())
    label_as(on_five_grades, "Ann", {"1": {"a": 2}}, "human")
    label_as(on_five_grades, "gpt", {"1": {"a": 3}})
    assert (under(on_five_grades).judge, under(on_five_grades).views) == ("gpt", ())


def test_the_family_is_by_default_what_the_judges_declaration_says(
    three_runs: Campaign, label_as: LabelAs
) -> None:
    label_as(three_runs, "Ann", of_all({"a": 1}), "human")
    with three_runs.write():
        judges.put_judge(three_runs.by("Olga"), Judge("gpt", family="GPT-4"))
    label_as(three_runs, "gpt", of_all({"a": 1}))
    assert (under(three_runs).family, under(three_runs, family="").family) == ("GPT-4", "")
