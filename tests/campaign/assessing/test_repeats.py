"""Some documents come again, hidden among the others; what is said of them then never counts."""

from __future__ import annotations

from random import Random

import pytest

from tests.judged_pairs import judge_as, submission
from workbench.analysis.norming import open_norming
from workbench.campaign import assessing
from workbench.campaign.assessing import Receipt, Repeats, repeats
from workbench.campaign.content_changes import mark_broken
from workbench.core.errors import CampaignError
from workbench.core.records import Qrel
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.assigning import assignments
from workbench.storage.campaign.grades import judgments, off_record, own_judgments
from workbench.storage.campaign.grades.off_record import RepeatedJudgment
from workbench.storage.campaign.grades.own_judgments import JudgmentFilter
from workbench.storage.campaign.log import log
from workbench.storage.campaign.organising import settings
from workbench.storage.campaign.organising.settings import Settings

TOPICS = ("1", "2")


@pytest.fixture
def all_again(small: Campaign) -> Campaign:
    """A campaign in which everything comes again, two judgments later."""
    repeats.set_repeats(small.by("Olga"), 1.0, 2, 7)
    return small


def states(
    campaign: Campaign, topic_id: str = "1", assessor: str = "Ann"
) -> list[tuple[str, str, int | None]]:
    return [
        (item.document_id, item.state, item.grade) for item in assessing.queue(campaign, topic_id, assessor)
    ]


def first_three(campaign: Campaign) -> list[Receipt]:
    """Ann judges the whole of topic 1; the first of its documents is due again then."""
    pairs = zip(("d1", "d2", "d4"), (1, 0, 2), strict=True)
    return [judge_as(campaign, "Ann", "1", document_id, grade) for document_id, grade in pairs]


def test_nothing_comes_again_unless_asked_for(small: Campaign) -> None:
    first_three(small)
    assert repeats.due(small, "Ann") == []
    assert assessing.state_of_repeats(small) == []


@pytest.mark.parametrize("who_judges", ["anybody", "assigned"])
def test_no_count_of_what_an_assessor_judged_falls_while_judging_goes_on(
    small: Campaign, who_judges: str
) -> None:
    with small.write():
        settings.change(small.by("Olga"), {"who_judges": who_judges})
        assignments.put(small.by("Olga"), [], [(topic_id, "whole", "Ann") for topic_id in TOPICS])
    rng, before = Random(who_judges), counts_of(small)
    repeats.set_repeats(small.by("Olga"), 0.7, 1, 3)
    repeated = 0
    while waiting := open_pairs(small):
        topic_id, document_id = rng.choice(waiting)
        judge_as(small, "Ann", topic_id, document_id, rng.choice([0, 1, 2, None]))
        now = counts_of(small)
        assert all(now[name] >= count for name, count in before.items()), (before, now)
        assert now["start page"] == now["history"] == before["history"] + 1
        repeated += now["size"] > before["size"]
        before = now
    assert repeated >= 2
    repeats.set_repeats(small.by("Olga"), 0.0, 1, 3)
    assert all(counts_of(small)[name] == count for name, count in before.items())


def open_pairs(campaign: Campaign) -> list[tuple[str, str]]:
    return [(each, one) for each in TOPICS for one, state, _ in states(campaign, each) if state == "open"]


def counts_of(campaign: Campaign) -> dict[str, int]:
    """What Ann sees of her work, by where she sees it."""
    rows = {row.topic_id: row for row in assessing.topic_progress(campaign, "Ann")}
    tallies = own_judgments.tallies(campaign, "Ann")
    found = {
        "start page": sum(row.mine for row in rows.values()),
        "history": sum(tally.judgments for tally in tallies),
        "history, found": own_judgments.count(campaign, "Ann", JudgmentFilter()),
        "whole": sum(row.mine for row in assessing.whole_progress(campaign, "Ann")),
        "size": 0,
    }
    for tally in tallies:
        found[f"history, {tally[:3]}"] = tally.judgments
    for topic_id in TOPICS:
        items = assessing.queue(campaign, topic_id, "Ann")
        size = assessing.size(campaign, items, topic_id, "Ann")
        strip = size - sum(item.state == "open" for item in items)
        assert (size, strip) == (rows[topic_id].pooled, rows[topic_id].judged)
        found["size"] += size
        found |= {f"strip {topic_id}": strip, f"topic {topic_id}": rows[topic_id].mine}
    return found


def test_a_repeat_never_replaces_the_first_judgment(all_again: Campaign) -> None:
    first = first_three(all_again)[0]
    again = judge_as(all_again, "Ann", "1", "d1", 0)
    assert (again.judgment.kind, again.judgment.grade) == ("grade", 0), "as the page has sent it"
    stored = judgments.by_uuid(all_again, again.judgment.uuid)
    assert stored is not None and (stored.kind, stored.replaces, stored.source) == ("repeat", None, "screen")
    assert judgments.current(all_again, "1", "d1", "Ann") == first.judgment
    assert Qrel("1", "d1", 1) in list(judgments.each_of_view_of_qrels(all_again))
    assert states(all_again)[0] == ("d1", "mine", 0), "its assessor sees what they said last"
    assert repeats.due(all_again, "Ann") == []


def test_a_change_of_a_repeat_is_another_repeat(all_again: Campaign) -> None:
    first = first_three(all_again)[0]
    one = judge_as(all_again, "Ann", "1", "d1", 0)
    other = judge_as(all_again, "Ann", "1", "d1", None)
    assert (other.judgment.kind, other.judgment.replaces) == ("can't tell", one.judgment.seq)
    assert off_record.repeated_judgments(all_again) == [RepeatedJudgment("1", "d1", "Ann", 1, None)]
    cleared = judge_as(all_again, "Ann", "1", "d1", None, kind="cleared")
    assert cleared.judgment.kind == "cleared"
    assert (other.before, cleared.before) == (one.judgment.seq, other.judgment.seq)
    assert states(all_again)[0] == ("d1", "open", None)
    assert off_record.repeated_judgments(all_again) == []
    judge_as(all_again, "Ann", "1", "d1", 2)
    assert off_record.repeated_judgments(all_again) == [RepeatedJudgment("1", "d1", "Ann", 1, 2)]
    assert judgments.current(all_again, "1", "d1", "Ann") == first.judgment
    assert [row.kind for row in judgments.log(all_again)] == ["grade"] * 3 + ["repeat"] * 4


def test_a_repeat_that_is_sent_twice_is_stored_once(all_again: Campaign) -> None:
    first_three(all_again)
    for sent in (submission(all_again, "Ann", "1", "d1", 0), submission(all_again, "Ann", "1", "d2", None)):
        one = assessing.judge(all_again, sent, assessor="Ann")
        assert assessing.judge(all_again, sent, assessor="Ann") == one._replace(repeated=True, again=None)


def test_a_judgment_of_a_norming_session_that_is_sent_twice_makes_nothing_due(all_again: Campaign) -> None:
    first_three(all_again)
    norming = open_norming(all_again.by("Olga"), "1", ["d2"])
    sent = submission(all_again, "Ann", "1", "d2", 1, replaces=None)
    again = [
        assessing.judge(all_again, sent, assessor="Ann", norming=norming.norming).again for _ in range(2)
    ]
    assert again == [None, None]


def test_what_was_taken_over_imported_or_not_told_does_not_come_again(all_again: Campaign) -> None:
    judge_as(all_again, "Ann", "1", "d1", None)
    judge_as(all_again, "Ann", "1", "d2", 1)
    judge_as(all_again, "Ann", "1", "d4", 1, same_as="d2")
    for document_id in ("d1", "d2", "d5"):
        judge_as(all_again, "Ann", "2", document_id, 0)
    assert repeats.due(all_again, "Ann") == [("1", "d2"), ("2", "d1")]


def test_what_comes_again_stands_among_what_is_open() -> None:
    items = [assessing.QueueItem(f"d{number}", "open") for number in range(1, 7)]
    from workbench.campaign.assessing.queues import _among_the_open

    found = [item.document_id for item in _among_the_open(items, {"d1", "d2"})]
    assert found == ["d3", "d4", "d1", "d5", "d6", "d2"]


def test_the_share_is_drawn_by_the_seed_alone() -> None:
    rules = Settings("Small", repeat_share=0.05, repeat_seed=3)
    pairs = [(str(topic), str(document)) for topic in range(20) for document in range(100)]
    drawn = [pair for pair in pairs if repeats.is_drawn(rules, "Ann", pair)]
    assert 70 <= len(drawn) <= 130
    assert drawn == [pair for pair in pairs if repeats.is_drawn(rules, "Ann", pair)]
    assert drawn != [pair for pair in pairs if repeats.is_drawn(rules, "Ben", pair)]
    assert set(drawn) <= {
        pair for pair in pairs if repeats.is_drawn(rules._replace(repeat_share=0.1), "Ann", pair)
    }


def test_how_far_the_repeats_are_is_reported_by_assessor(all_again: Campaign) -> None:
    first_three(all_again)
    judge_as(all_again, "Ann", "1", "d1", 0)
    judge_as(all_again, "Ben", "2", "d1", 0)
    assert assessing.state_of_repeats(all_again) == [Repeats("Ann", 3, 0, 1), Repeats("Ben", 1, 0, 0)]


@pytest.mark.parametrize(
    ("share", "gap"), [(-0.1, 30), (1.1, 30), (float("nan"), 30), (0.1, 0), (0.1, 10**9)]
)
def test_a_share_or_gap_that_cannot_be_is_refused(small: Campaign, share: float, gap: int) -> None:
    before = log.head(small)
    with pytest.raises(CampaignError, match="repeat"):
        repeats.set_repeats(small.by("Olga"), share, gap, 0)
    assert log.head(small) == before
    assert settings.read(small).repeat_share == 0


def test_a_document_comes_again_after_as_many_more_judgments_as_set(all_again: Campaign) -> None:
    assert [receipt.again for receipt in first_three(all_again)] == [None, None, "d1"]
    assert states(all_again) == [("d2", "mine", 0), ("d4", "mine", 2), ("d1", "open", None)]
    assert assessing.own_judgments(all_again, "1", "d1", "Ann").seen is None
    seen = assessing.own_judgments(all_again, "1", "d2", "Ann").seen
    assert seen is not None and seen.grade == 0
    judge_as(all_again, "Ann", "2", "d1", 0)
    assert repeats.due(all_again, "Ann") == [("1", "d1"), ("1", "d2")]
    assert repeats.due(all_again, "Ben") == []


def test_what_is_due_again_is_hidden_and_a_broken_document_does_not_come_again(all_again: Campaign) -> None:
    first = first_three(all_again)[0]
    assert repeats.hidden_again(all_again, "Ann") == {first.judgment.seq}
    mark_broken(all_again.by("Olga"), ["d1"], reason="cut off")
    assert repeats.due(all_again, "Ann") == []
    assert repeats.hidden_again(all_again, "Ann") == frozenset()
