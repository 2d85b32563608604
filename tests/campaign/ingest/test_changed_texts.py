"""A later release of a collection may have other texts: they are taken if asked, and judged again if asked."""

from __future__ import annotations

import json
from pathlib import Path

from tests.conftest import NOW, SMALL_DOCUMENTS
from tests.found_wrong import wrong
from tests.judged_pairs import judge_as, submission
from tests.log_rows import row
from tests.sentences import refused, says
from workbench.campaign import assessing
from workbench.campaign.ingest import AddedDocuments, add_documents, add_qrels, fetch_missing_texts
from workbench.campaign.pools.making import add_pool
from workbench.campaign.rounds import find_round, open_round, seen_by_name
from workbench.core.errors import JudgmentRefused
from workbench.release.audit.checks import audit
from workbench.release.export import export_qrels
from workbench.scoring.board import board_of, score_campaign
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import documents, near_duplicates
from workbench.storage.campaign.grades import adjudications, judgments
from workbench.storage.campaign.grades.sources import ADJUDICATION
from workbench.storage.campaign.log import log

LATER = SMALL_DOCUMENTS | {"d1": "Another text of document 1.", "d6": "The text of document 6."}


def add(campaign: Campaign, texts: dict[str, str], folder: Path, **options: bool) -> AddedDocuments:
    path = folder / "later.jsonl"
    rows = [{"id": each, "title": f"Document {each}", "text": text} for each, text in texts.items()]
    path.write_text("".join(json.dumps(each) + "\n" for each in rows), encoding="utf-8")
    return add_documents(campaign.by("Olga", NOW), [str(path)], **options)


def text_of(campaign: Campaign, document_id: str) -> str:
    stored = documents.find(campaign, document_id)
    assert stored is not None
    return stored.document.text


def open_ones(campaign: Campaign, topic_id: str, assessor: str = "Ann") -> list[str]:
    return [
        each.document_id for each in assessing.queue(campaign, topic_id, assessor) if each.state == "open"
    ]


def grades(campaign: Campaign) -> dict[tuple[str, str], int]:
    return {(line.topic_id, line.document_id): line.grade for line in export_qrels(campaign).qrels}


def test_stored_texts_are_kept_unless_the_changed_ones_are_wanted(small: Campaign, tmp_path: Path) -> None:
    added = add(small, LATER, tmp_path, keep_all=True)
    assert (added.changed, added.texts, len(added.warnings)) == (0, 1, 1)
    assert text_of(small, "d1") == SMALL_DOCUMENTS["d1"]
    assert documents.changes(small) == []


def test_changed_texts_take_their_places_and_the_log_has_both_hashes(small: Campaign, tmp_path: Path) -> None:
    judge_as(small, "Ann", "1", "d1", 2)
    judge_as(small, "Ann", "1", "d2", 1)
    before = documents.text_hash_of(small, "d1")
    added = add(small, LATER, tmp_path, changed=True)
    assert (added.changed, added.texts, added.cleared, added.on_other_texts) == (1, 1, 0, 1)
    assert (text_of(small, "d1"), text_of(small, "d6")) == (LATER["d1"], LATER["d6"])
    (change,) = documents.changes(small)
    assert change.texts == (documents.ChangedText("d1", before, documents.text_hash_of(small, "d1")),)
    assert grades(small) == {("1", "d1"): 2, ("1", "d2"): 1}
    assert open_ones(small, "1") == ["d4"]
    assert wrong(small) == []


def test_what_was_judged_on_the_old_text_is_judged_again_if_asked(small: Campaign, tmp_path: Path) -> None:
    judge_as(small, "Ann", "1", "d1", 2)
    judge_as(small, "Ben", "1", "d1", 1)
    judge_as(small, "Ann", "2", "d1", None)
    judge_as(small, "Ann", "1", "d2", 1)
    assert board_of(small).table(small, ["num_rel"]).rows[0].values == (2,)
    then = log.newest_seq(small)
    assert add(small, LATER, tmp_path, changed=True, judge_again=True).cleared == 3
    assert grades(small) == {("1", "d2"): 1}
    assert open_ones(small, "1") == ["d1", "d4"]
    assert open_ones(small, "2") == ["d1", "d2", "d5"]
    assert board_of(small).table(small, ["num_rel"]).rows[0].values == (1,)
    assert {(line[0], line[1]) for line in export_qrels(small.at(then)).qrels} == {("1", "d1"), ("1", "d2")}
    (cleared,) = [each for each in judgments.current_of_topic(small, "2") if each.document_id == "d1"]
    assert (cleared.kind, cleared.source, cleared.comment) == ("cleared", "changed text", "")
    judge_as(small, "Ann", "1", "d1", 0)
    assert grades(small)["1", "d1"] == 0
    assert judgments.standing_on_other_texts(small) == []
    assert wrong(small) == []


def test_it_can_be_asked_for_later(small: Campaign, tmp_path: Path) -> None:
    judge_as(small, "Ann", "1", "d1", 2)
    assert [add(small, LATER, tmp_path, changed=True).on_other_texts for _ in range(2)] == [1, 1]
    assert len(documents.changes(small)) == 1
    assert add(small, LATER, tmp_path, judge_again=True).cleared == 1
    assert add(small, LATER, tmp_path, judge_again=True).cleared == 0
    assert wrong(small) == []


def test_a_text_that_changes_back_needs_no_other_judgment(small: Campaign, tmp_path: Path) -> None:
    judge_as(small, "Ann", "1", "d1", 2)
    add(small, LATER, tmp_path, changed=True)
    judge_as(small, "Ben", "1", "d1", 1)
    added = add(small, SMALL_DOCUMENTS, tmp_path, changed=True, judge_again=True)
    assert (added.changed, added.cleared, added.on_other_texts) == (1, 1, 0)
    assert grades(small) == {("1", "d1"): 2}
    assert wrong(small) == []


def test_an_adjudication_on_the_old_text_is_taken_back_and_imported_labels_stay(
    small: Campaign, tmp_path: Path
) -> None:
    (tmp_path / "qrels.txt").write_text("2 0 d1 1\n", encoding="utf-8")
    add_qrels(small.by("Olga"), [str(tmp_path / "qrels.txt")])
    judge_as(small, "Ann", "1", "d1", 2)
    judge_as(small, "Ben", "1", "d1", 0)
    with small.write():
        decided = row("Wil", "1", "d1", 1, kind=ADJUDICATION, text_hash=documents.text_hash_of(small, "d1"))
        log.append_judgments(small, [decided])
    assert grades(small) == {("1", "d1"): 1, ("2", "d1"): 1}
    assert add(small, LATER, tmp_path, changed=True, judge_again=True).cleared == 3
    assert adjudications.in_force(small) == {}
    assert grades(small) == {("2", "d1"): 1}


def test_what_was_shown_before_the_change_is_not_taken_as_a_judgment_of_the_new_text(
    small: Campaign, tmp_path: Path
) -> None:
    sent = submission(small, "Ann", "1", "d1", 2)
    add(small, LATER, tmp_path, changed=True)
    with refused(JudgmentRefused):
        assessing.judge(small, sent, assessor="Ann", now=NOW)


def test_near_duplicates_are_those_of_the_new_texts(small: Campaign, tmp_path: Path) -> None:
    long = " ".join(f"word{number}" for number in range(200))
    texts = {each: f"{each} {number} " * 50 for number, each in enumerate(SMALL_DOCUMENTS)}
    add(small, texts, tmp_path, changed=True)
    assert near_duplicates.of_topic(small, "1") == {}
    add(small, texts | {"d1": long, "d2": f"{long} more"}, tmp_path, changed=True)
    assert near_duplicates.of_topic(small, "1") == {"d1": "d1", "d2": "d1"}
    add(small, texts, tmp_path, changed=True)
    assert near_duplicates.of_topic(small, "1") == {}
    assert wrong(small) == []


def test_texts_that_a_later_pool_needs_come_from_the_newest_release(small: Campaign, tmp_path: Path) -> None:
    for name, options in (("first", {}), ("second", {"changed": True}), ("third", {})):
        (tmp_path / name).mkdir()
        add(small, {"d7": f"The {name} text."}, tmp_path / name, **options)
    with small.write():
        documents.put_ids(small, ["d7"])
    add_pool(small.by("Olga"), strategy="list", pairs=["1 d7"])
    fetch_missing_texts(small)
    assert text_of(small, "d7") == "The second text."


def test_judged_again_before_a_round_is_opened_a_pair_belongs_to_that_round(
    small: Campaign, tmp_path: Path
) -> None:
    judge_as(small, "Ann", "1", "d1", 2)
    judge_as(small, "Ann", "1", "d2", 1)
    add(small, LATER, tmp_path, changed=True, judge_again=True)
    open_round(small.by("Olga"), "2")
    judge_as(small, "Ann", "1", "d1", 0)
    second = find_round(small, "2")
    assert [line[:2] for line in export_qrels(small, of_round=second).qrels] == [("1", "d1")]
    table = score_campaign(seen_by_name(small, "2-residual"), ["num_rel"])
    assert (table.judgments, table.rows) == (1, ())


def test_a_text_that_changed_past_the_log_is_found(small: Campaign, tmp_path: Path) -> None:
    judge_as(small, "Ann", "1", "d2", 2)
    add(small, LATER, tmp_path, changed=True)
    for document_id in ("d1", "d2"):
        other = documents.find(small, document_id)
        assert other is not None
        text = other.document._replace(text="slipped in")
        small.db.conn.execute(
            "UPDATE document SET text = ?, text_hash = ? WHERE document = ?",
            [text.text, documents.text_hash(text), document_id],
        )
    (found,) = [finding.wrong for finding in audit(small) if "text that is stored" in finding.question]
    assert says("\n".join(found), "'d1'", f"judgment {log.newest_seq(small) - 2}: document 'd2'")
