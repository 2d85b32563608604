"""The audit notices every kind of tampering, by the check that is about it."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from tests.fixture_types import JudgeAs
from tests.log_rows import rows_of_the_chain, tampering
from tests.sentences import refused, says
from workbench.campaign.content_changes import withdraw_runs
from workbench.campaign.new_campaign import new_campaign
from workbench.campaign.pools.making import add_pool
from workbench.core.errors import DamagedCampaign, NotACampaign
from workbench.core.records import Document, Pooled, Rationale
from workbench.release.archive_jobs import audit_file
from workbench.release.audit import round_trip
from workbench.release.audit.checks import CHECKS, audit
from workbench.release.audit.findings import NotChecked
from workbench.release.audit.round_trip import same
from workbench.storage.campaign import Campaign, open_campaign
from workbench.storage.campaign.collection import pools, withdrawals
from workbench.storage.campaign.collection.documents import text_hash
from workbench.storage.campaign.grades import judgments, labels
from workbench.storage.campaign.log import log
from workbench.storage.campaign.people import members

SOUND = "the database is sound"
CHAIN = "the chain of hashes is whole"
TEXTS = "every judgment was made on the text that is stored"
REPLAY = "the log replayed gives what the file says now"
CLAIMS = "every claim of a topic expires"
RANKINGS = "every ranking is the one that was added"
WITHDRAWALS = "only runs that take part are withdrawn, and only withdrawn ones restored"
VALUES = "every value can be read, and pairs are those that were stored"
POOLS = "every pool holds the pairs that its recipe gives"
CHOICES = "every adaptive pool chose what its strategy chooses by the judgments that it had"
UNSURE = "seq = (SELECT judgment FROM remark WHERE comment = 'not so sure')"
RATIONALES = "comments and rationales are those of the log, or were erased"
NEAR_DUPLICATES = "what is stored as near duplicates is almost the same"
ROUND_TRIP = "exported and imported again it gives the same qrels and scores"


@pytest.fixture
def judged(small: Campaign, judging_as: JudgeAs) -> Path:
    """A campaign with two assessors' judgments, two pools and a member; closed."""
    with small.write():
        members.put(small.by("Olga"), "anna", "assessor")
    judging_as(small, "anna", "1", "d1", 2)
    judging_as(small, "anna", "2", "d2", -2)
    kept = (Rationale("text", 4, 8, "text"),)
    judging_as(small, "ben", "1", "d1", 1, comment="not so sure", rationales=kept)
    add_pool(small.by("Olga"), depth=3)
    small.close()
    return small.path


def failed(path: Path) -> dict[str, tuple[str, ...]]:
    with open_campaign(path, compare=False) as campaign:
        return {finding.question: finding.wrong for finding in audit(campaign) if finding.wrong}


def after(path: Path, statement: str) -> dict[str, tuple[str, ...]]:
    """What fails after one statement of SQL that changed exactly one row."""
    with tampering(path) as connection:
        assert connection.execute(statement).rowcount == 1
    return failed(path)


def test_a_campaign_that_was_left_alone_holds_and_so_does_an_empty_one(judged: Path, tmp_path: Path) -> None:
    new_campaign(tmp_path / "empty.db", title="Empty", actor="Olga").close()
    assert failed(judged) == failed(tmp_path / "empty.db") == {}


SWAPPED = "CAST(substr(documents, 5, 4) || substr(documents, 1, 4) AS BLOB)"
OF_ALPHA, OF_BETA = (f"run '{tag}': its rankings are not those that were added" for tag in ("alpha", "beta"))
ALONE = {
    "UPDATE document SET text = 'another text' WHERE document = 'd1'": {
        TEXTS: "document 'd1': the text is not the one that was stored"
    },
    "UPDATE document SET text_hash = 'abc' WHERE document = 'd1'": {TEXTS: ""},
    "UPDATE document SET text = NULL, text_hash = NULL WHERE document = 'd2'": {TEXTS: ""},
    f"UPDATE judgment SET grade = 0 WHERE {UNSURE}": {CHAIN: ""},
    "UPDATE event SET actor = 'Mallory' WHERE kind = 'member'": {
        CHAIN: "",
        RATIONALES: "person Mallory: the log names them, but the table of people does not",
    },
    "INSERT INTO pooled VALUES ('10', 'd1', 1, 1, 1, 1, 1.0, NULL)": {
        VALUES: "pool 1: its pairs are not those that it brought in",
        POOLS: "pool 1: document 'd1' of topic '10' is there, but is not what its recipe gives",
    },
    "DELETE FROM pooled WHERE topic = '10' AND document = 'd6'": {VALUES: "", POOLS: ""},
    "UPDATE pooled SET best_rank = 9 WHERE topic = '10'": {VALUES: "", POOLS: ""},
    'UPDATE rationale SET start = 0, "end" = 4': {RATIONALES: ""},
    "DELETE FROM rationale": {RATIONALES: ""},
}
"""What the audit says after each statement, by the only checks that find something; "" is any sentence."""

AMONG_OTHERS = {
    f"UPDATE ranking SET documents = {SWAPPED} WHERE run = 1 AND topic = '2'": (RANKINGS, OF_ALPHA),
    "UPDATE ranking SET scores = zeroblob(length(scores)) WHERE run = 2 AND topic = '1'": (RANKINGS, OF_BETA),
    """UPDATE vocabulary SET documents = replace(documents, '"d5"', '"d3"') WHERE topic = '2'""": (
        RANKINGS,
        OF_BETA,
    ),
    "UPDATE vocabulary SET documents = '[\"d1\"]' WHERE topic = '2'": (
        RANKINGS,
        "run 'alpha': topic '2' names documents that do not exist",
    ),
    "UPDATE ranking SET run = 99 WHERE run = 1 AND topic = '1'": (SOUND, ""),
    f"DELETE FROM judgment WHERE {UNSURE}": (CHAIN, ""),
    "UPDATE event SET content = 'x' WHERE kind = 'member'": (
        REPLAY,
        "the check cannot be made: JSONDecodeError: Expecting value: line 1 column 1 (char 0)",
    ),
    "UPDATE topic SET title = 'cold' WHERE topic = '1'": (REPLAY, "topics: not what the log says"),
    "UPDATE member SET role = 'organiser'": (REPLAY, "members: not what the log says"),
    "UPDATE member SET role = 'participant', team = 'Glasgow'": (REPLAY, "members: not what the log says"),
}
"""The same where other checks may find it too."""


@pytest.mark.parametrize("statement", ALONE)
def test_a_judgment_that_was_changed_is_found(judged: Path, statement: str) -> None:
    """And whatever else was changed in the file."""
    found = after(judged, statement)
    assert found.keys() == ALONE[statement].keys()
    assert all(sentence in ("", found[check][0]) for check, sentence in ALONE[statement].items())


@pytest.mark.parametrize("statement", AMONG_OTHERS)
def test_what_several_checks_find_is_said_by_the_one_that_is_about_it(judged: Path, statement: str) -> None:
    check, sentence = AMONG_OTHERS[statement]
    found = after(judged, statement)[check]
    assert sentence in ("", *found)


def test_a_file_that_is_refused_as_damaged_is_audited_all_the_same(judged: Path) -> None:
    with tampering(judged) as connection:
        connection.execute("UPDATE event SET actor = 'Mallory' WHERE kind = 'member'")
    with pytest.raises(DamagedCampaign):
        open_campaign(judged)
    findings, head = audit_file(judged, on_step=lambda *_: None)
    assert CHAIN in {finding.question for finding in findings if finding.wrong}
    with open_campaign(judged, compare=False) as campaign:
        assert head == log.head(campaign)


def test_a_pool_deeper_than_any_number_of_the_machine_holds(judged: Path) -> None:
    with open_campaign(judged, compare=False) as campaign:
        add_pool(campaign.by("Olga"), depth=10**30)
    assert failed(judged) == {}


@pytest.mark.parametrize(("seconds", "changed"), [(0.3, 0.1 + 0.2), (0.1 + 0.2, 0.3)])
def test_seconds_that_were_changed_in_their_last_digit_are_found(
    small: Campaign, judging_as: JudgeAs, seconds: float, changed: float
) -> None:
    judging_as(small, "anna", "1", "d1", 2, active_seconds=seconds)
    small.close()
    assert failed(small.path) == {}
    assert after(small.path, f"UPDATE judgment SET active_seconds = {changed!r}").keys() == {CHAIN}
    with refused(DamagedCampaign):
        open_campaign(small.path)


def test_a_judgment_that_was_slipped_in_is_found(judged: Path) -> None:
    columns = "received_at, assessor, topic, document, kind, grade, comment, source, hash"
    found = after(
        judged,
        f"INSERT INTO judgment (seq, uuid, {columns}) SELECT 100, 'other-uuid', {columns} FROM judgment LIMIT 1",
    )
    assert found.keys() == {CHAIN}
    assert "judgment 100 follows row" in found[CHAIN][0]


@pytest.mark.parametrize(
    ("module", "question", "sentences"),
    [
        (judgments, "each_of_view_of_qrels", ["the view qrel is not what the log says by the rule newest"]),
        (judgments, "seqs_of_view_of_current", ["the view current_judgment is not what the log says"]),
        (
            labels,
            "each_qrel",
            [
                "the labels by the newest grade are not what the log says",
                "the view qrel is not what the log says by the rule newest",
            ],
        ),
    ],
)
def test_an_answer_that_lacks_its_last_row_is_not_what_the_log_says(
    judged: Path, monkeypatch: pytest.MonkeyPatch, module: ModuleType, question: str, sentences: list[str]
) -> None:
    answer = getattr(module, question)
    monkeypatch.setattr(module, question, lambda *given, **named: list(answer(*given, **named))[:-1])
    assert failed(judged)[REPLAY] == tuple(sentences)


def test_streams_are_the_same_when_they_have_the_same_rows_and_end_together() -> None:
    rows = range(1000)
    assert same(rows, rows, range(999), range(1001), [*range(998), 0, 999]) == [True, False, False, False]
    assert same([], [], [1]) == [True, False]
    assert same(rows, range(750)) == [False]


def test_a_withdrawal_that_cannot_have_happened_is_found(judged: Path) -> None:
    with open_campaign(judged, compare=False) as campaign, campaign.write():
        none = withdrawals.withdraw(campaign.by("Olga"), 7, "gamma")
        out = withdrawals.withdraw(campaign.by("Olga"), 1, "alpha")
        twice = withdrawals.withdraw(campaign.by("Olga"), 1, "alpha")
        back = withdrawals.restore(campaign.by("Olga"), 2, "beta")
    assert failed(judged)[WITHDRAWALS] == (
        f"log row {none}: the withdrawal of a run that is not there yet",
        f"log row {twice}: the withdrawal of run 'alpha', which changes nothing",
        f"log row {back}: the restoration of run 'beta', which changes nothing",
    )
    assert out == none + 1


def test_a_pool_that_drew_on_a_withdrawn_run_is_found(judged: Path) -> None:
    with open_campaign(judged, compare=False) as campaign:
        withdraw_runs(campaign.by("Olga"), ["alpha"])
        before = pools.all_pools(campaign)[-1].record
        pair = Pooled("10", "d1", 1, 1, 1, 1.0)
        with campaign.write():
            pools.put_pool(campaign.by("Olga"), before, [pair])
    assert says(failed(judged)[POOLS][0], "d1", "10")


def test_near_duplicates_that_are_none_are_found(judged: Path) -> None:
    with tampering(judged) as connection:
        connection.executemany("INSERT INTO near_duplicate VALUES ('1', ?, 'd1')", [("d1",), ("d2",)])
    assert failed(judged) == {NEAR_DUPLICATES: ("topic '1': its near duplicates are not those of the texts",)}


def test_near_duplicates_under_another_name_are_found(judged: Path) -> None:
    same = Document("d1", "", "the same words")
    with tampering(judged) as connection:
        connection.executemany(
            "UPDATE document SET title = '', text = 'the same words', text_hash = ? WHERE document = ?",
            [(text_hash(same), document_id) for document_id in ("d1", "d2")],
        )
        connection.executemany("INSERT INTO near_duplicate VALUES ('1', ?, 'd1')", [("d1",), ("d2",)])
    assert NEAR_DUPLICATES not in failed(judged)
    assert NEAR_DUPLICATES in after(judged, "UPDATE near_duplicate SET first = 'd2' WHERE document = 'd1'")


def test_a_table_that_was_redefined_is_found(judged: Path) -> None:
    with tampering(judged) as connection:
        connection.executescript(
            "DROP TABLE source_documents; CREATE TABLE source_documents (source, part, ids)"
        )
    assert failed(judged)[SOUND] == ("schema: source_documents is not defined as the workbench defines it",)


def test_a_file_without_its_triggers_is_not_even_opened(judged: Path) -> None:
    connection = sqlite3.connect(judged)
    connection.execute("DROP TRIGGER judgment_is_never_updated")
    connection.close()
    with refused(NotACampaign):
        failed(judged)


@pytest.mark.data
@pytest.mark.slow
def test_a_campaign_of_real_runs_and_qrels_holds(robust_file: Path, tmp_path: Path) -> None:
    path = shutil.copyfile(robust_file, tmp_path / "robust.db")
    with open_campaign(path) as campaign:
        add_pool(campaign.by("Olga"), depth=10)
    assert failed(path) == {}


def test_an_end_of_the_log_that_was_cut_off_is_found_by_a_hash_that_was_noted(judged: Path) -> None:
    with open_campaign(judged, compare=False) as campaign:
        head = log.head(campaign)
    with tampering(judged) as connection:
        connection.execute("DELETE FROM pooled WHERE pool = 2")
        connection.execute("DELETE FROM event WHERE seq = ?", [head.seq])
    noted = head.hash.hex()[:16]
    question = f"the log still has the row whose hash begins with {noted}"
    with open_campaign(judged, compare=False) as campaign:
        assert not any(finding.wrong for finding in audit(campaign))
        findings = {finding.question: finding.wrong for finding in audit(campaign, noted=noted)}
    assert findings[question] == ("the log has no such row any more",)


def test_a_hash_that_was_noted_may_be_of_any_row(judged: Path) -> None:
    with open_campaign(judged, compare=False) as campaign:
        told = [row.hash.hex() for row in rows_of_the_chain(campaign)]
        assert all(not audit(campaign, noted=noted.upper())[0].wrong for noted in (told[0], told[-1]))


def test_of_very_many_findings_the_first_are_told(judged: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def wrong(_: Campaign) -> Iterator[str]:
        for number in range(1000):
            asked.append(number)
            yield NotChecked(f"note {number}") if number % 2 else f"finding {number}"

    monkeypatch.setitem(CHECKS, CHAIN, wrong)
    with open_campaign(judged) as campaign:
        (found,) = [finding for finding in audit(campaign) if finding.question == CHAIN]
    assert found.wrong == tuple(f"finding {number}" for number in range(0, 20, 2))
    assert found.not_checked == tuple(f"note {number}" for number in range(1, 19, 2))
    assert len(asked) == 19, "and then it is looked for no more"


def test_what_export_and_import_would_change_is_a_finding_of_its_own(
    judged: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("workbench.release.audit.round_trip.LINES_AT_A_TIME", 1)  # each topic on its own
    with open_campaign(judged) as campaign:
        assert list(round_trip.differences(campaign)) == []
        monkeypatch.setattr(
            "workbench.release.audit.round_trip._scores_are_the_same",
            lambda _, packed: list(packed.topic_ids) != ["2"],
        )
        assert list(round_trip.differences(campaign)) == ["the scores differ"]
        read = round_trip._qrels_again
        monkeypatch.setattr(
            "workbench.release.audit.round_trip._qrels_again", lambda *given: read(*given).head(0)
        )
        assert list(round_trip.differences(campaign)) == ["the qrels differ", "the scores differ"]
