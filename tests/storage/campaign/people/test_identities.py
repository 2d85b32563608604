"""The log names people by ids: their names stand beside it, and can be corrected, hidden and erased."""

from __future__ import annotations

import pytest

from tests.fixture_types import JudgeAs
from tests.log_rows import chain_holds, persons_in
from tests.sentences import says
from workbench.core.errors import CampaignError
from workbench.core.records import Rationale
from workbench.release.audit.checks import audit
from workbench.release.export import export_qrels, judgment_lines
from workbench.storage.campaign import Campaign, open_campaign
from workbench.storage.campaign.assigning import assignments
from workbench.storage.campaign.grades import rationales
from workbench.storage.campaign.log import log
from workbench.storage.campaign.log.cache import Cache
from workbench.storage.campaign.people import identities, members, preferences

QUOTE = (Rationale("text", 0, 3, "The"),)


@pytest.fixture
def judged(small: Campaign, judging_as: JudgeAs) -> Campaign:
    """What Annabella and Ben judged, with their roles, topics and settings."""
    for name in ("Annabella", "Bernhardine"):
        with small.write():
            members.put(small.by("Olgalina"), name, "assessor")
            preferences.put(small, name, {"size": 3})
    with small.write():
        assignments.put(small.by("Olgalina"), [], [("1", "whole", "Annabella")])
    judging_as(small, "Annabella", "1", "d1", 2, comment="said by Annabella's friend", rationales=QUOTE)
    judging_as(small, "Bernhardine", "1", "d1", 0, comment="hardly")
    return small


def everything(campaign: Campaign) -> bytes:
    """All bytes of a campaign's file, with what was written last folded in."""
    campaign.db.conn.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return campaign.path.read_bytes()


def erased(campaign: Campaign, name: str, *, words: bool = False) -> str:
    identities.begin_erasing(campaign)
    with campaign.write():
        label = identities.erase(campaign.by("Olgalina"), name, words=words)
    assert identities.end_erasing(campaign)
    return label


def wrong(campaign: Campaign) -> list[tuple[str, ...]]:
    return [finding.wrong for finding in audit(campaign) if finding.wrong]


def test_no_row_of_the_log_and_no_table_but_that_of_people_has_a_name(judged: Campaign) -> None:
    tables = judged.db.conn.execute("SELECT name FROM sqlite_schema WHERE type = 'table'").fetchall()
    for (table,) in tables:
        rows = judged.db.conn.execute(f'SELECT * FROM "{table}"').fetchall()
        if table not in ("person", "remark"):
            assert not any(name in str(rows) for name in ("Annabella", "Bernhardine", "Olgalina")), table
    assert [person.name for person in persons_in(judged)][:2] == ["Annabella", "Bernhardine"]
    assert chain_holds(judged)


def test_names_come_out_where_ids_are_stored(judged: Campaign) -> None:
    assert members.all_members(judged) == {"Annabella": "assessor", "Bernhardine": "assessor"}
    assert [each.assessor for each in assignments.all_assignments(judged)] == ["Annabella"]
    assert [row.assessor for row, _ in log.hashed_judgments(judged)] == ["Annabella", "Bernhardine"]
    assert {event.actor for event in log.events(judged, "member", "assignment")} == {"Olgalina"}
    assert preferences.of(judged, "Annabella") == {"size": 3}
    assert not any(person.id in line for person in persons_in(judged) for line in judgment_lines(judged))


def test_a_corrected_name_is_shown_everywhere_and_changes_no_hash_before_it(judged: Campaign) -> None:
    head = log.head(judged)
    with judged.write():
        identities.correct(judged.by("Olgalina"), "Annabella", "Anna Berg")
    assert log.head(judged.at(head.seq)) == head
    assert members.role_of(judged, "Annabella") == members.role_of(judged, "Anna Berg") == "assessor"
    assert members.all_members(judged) == {"Anna Berg": "assessor", "Bernhardine": "assessor"}
    with judged.write(), pytest.raises(CampaignError, match="another person"):
        identities.correct(judged.by("Olgalina"), "Anna Berg", "Bernhardine")
    assert wrong(judged) == []


def test_a_hidden_person_is_shown_by_a_part_of_the_id_and_goes_on_judging(
    judged: Campaign, judging_as: JudgeAs
) -> None:
    with judged.write():
        label = identities.hide(judged.by("Olgalina"), "Annabella")
    assert label.startswith("Person ")
    judging_as(judged, "Annabella", "1", "d2", 1)
    assert "Annabella" not in "".join(judgment_lines(judged)).replace("Annabella's friend", "")
    assert [row.assessor for row, _ in log.hashed_judgments(judged)] == [label, "Bernhardine", label]
    with judged.write():
        assert identities.show(judged.by("Olgalina"), label) == "Annabella"
    assert members.role_of(judged, "Annabella") == "assessor"


def test_values_that_were_computed_with_a_former_name_are_computed_again_as_of_earlier_rows_too(
    judged: Campaign,
) -> None:
    cache, then = Cache[list[str]](), log.newest_seq(judged)

    def names() -> list[str]:
        return cache.now(judged.at(then), "names", lambda: sorted(members.all_members(judged)))

    assert names() == ["Annabella", "Bernhardine"]
    with judged.write():
        identities.correct(judged.by("Olgalina"), "Annabella", "Anna Berg")
    assert names() == ["Anna Berg", "Bernhardine"]


def test_an_erased_name_is_nowhere_in_the_file_and_labels_and_hashes_stay(judged: Campaign) -> None:
    head, qrels = log.head(judged), list(export_qrels(judged).qrels)
    assert b"Annabella" in everything(judged)
    label = erased(judged, "Annabella", words=True)
    assert b"Annabella" not in everything(judged)
    assert label.startswith("Erased person ")
    assert log.head(judged.at(head.seq)) == head
    assert list(export_qrels(judged).qrels) == qrels
    assert [row.assessor for row, _ in log.hashed_judgments(judged)] == [label, "Bernhardine"]
    assert preferences.of(judged, label) == {}
    assert chain_holds(judged)
    assert wrong(judged) == []
    judged.close()
    with open_campaign(judged.path) as again:
        assert label in {person.shown for person in persons_in(again)}
        assert members.role_of(again, "Annabella") is None


def test_erased_words_are_no_finding_and_words_that_went_or_changed_otherwise_are(judged: Campaign) -> None:
    erased(judged, "Annabella", words=True)
    assert [row.comment for row, _ in log.hashed_judgments(judged)] == ["", "hardly"]
    assert list(rationales.in_force(judged)) == []
    assert wrong(judged) == []
    judged.db.conn.execute("UPDATE remark SET comment = 'gladly' WHERE comment = 'hardly'")
    assert says(wrong(judged)[0][0])
    judged.db.conn.execute("UPDATE remark SET salt = NULL, comment = NULL WHERE comment = 'gladly'")
    assert says(wrong(judged)[0][0])


def test_a_person_who_comes_again_after_being_erased_is_another_one(judged: Campaign) -> None:
    label = erased(judged, "Annabella")
    words = ["said by Annabella's friend", "hardly"]  # stay unless they are erased too
    assert [row.comment for row, _ in log.hashed_judgments(judged)] == words
    assert [kept.text for kept in rationales.in_force(judged)] == ["The"]
    with judged.write():
        members.put(judged.by("Olgalina"), "Annabella", "assessor")
    assert {label, "Annabella"} <= {person.shown for person in persons_in(judged)}
    with judged.write(), pytest.raises(CampaignError, match="is not named"):
        identities.hide(judged.by("Olgalina"), "Nobody at all")


def test_former_pages_that_cannot_be_folded_in_now_are_said_to_wait(judged: Campaign) -> None:
    identities.begin_erasing(judged)
    with open_campaign(judged.path) as other, other.snapshot():
        other.db.execute("SELECT count(*) FROM judgment").fetchone()
        with judged.write():
            members.put(judged.by("Olgalina"), "Cid", "assessor")
        judged.db.execute("PRAGMA busy_timeout = 1")
        assert not identities.end_erasing(judged)
    assert identities.end_erasing(judged)
