"""`workbench task withdraw --topics` takes topics out and puts them back; with --delete they and documents go."""

from __future__ import annotations

from pathlib import Path

from tests.fixture_types import Workbench
from tests.sentences import says
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import documents, topic_withdrawals


def test_topics_are_withdrawn_and_restored(done: Workbench, workbench: Workbench, campaign: Campaign) -> None:
    said = done("withdraw small --topics 1 2 --reason empty").stderr
    assert says(said)
    assert done("withdraw small --topics 10 10").stderr.startswith("1 topic withdrawn;")
    done("withdraw small --topics 10 --restore")
    assert list(topic_withdrawals.withdrawn(campaign)) == ["1", "2"]
    assert "withdrawn: 1; restore before assigning" in workbench("assign give small Ann 1").stderr
    assert "is withdrawn already" in workbench("withdraw small --topics 1").stderr
    assert says(done("withdraw small --topics 1 --restore").stderr)
    assert "there is no topic '9' in small" in workbench("withdraw small --topics 9").stderr


def test_a_header_line_that_became_a_topic_is_deleted(
    done: Workbench, workbench: Workbench, campaign: Campaign
) -> None:
    Path("t.tsv").write_text("nr\tThema\n", encoding="utf-8")
    done("add topics small t.tsv")
    assert "1 topic deleted (log row " in done("withdraw small --topics nr --delete").stderr
    assert "refer to 1;" in workbench("withdraw small --topics 1 --delete").stderr
    assert workbench("withdraw small alpha --delete").exit_code == 2


def test_a_header_line_that_became_a_document_is_deleted_as_its_warning_says(
    done: Workbench, workbench: Workbench, campaign: Campaign
) -> None:
    Path("d.tsv").write_text("nr\tTekst\nm1\tice\n", encoding="utf-8")
    said = done("add documents small d.tsv").stderr
    assert says(said, "nr")
    assert says(said)
    deleted = done("withdraw small --documents nr --delete --reason 'a header'").stderr
    assert deleted.startswith("1 document deleted (log row ")
    assert list(documents.source_ids(campaign, 2)) == [["m1"]]
    assert "runs rank d1;" in workbench("withdraw small --documents d1 --delete").stderr
    for wrong in (["m1"], ["m1", "--delete", "--topics"], ["m1", "--delete", "--restore"]):
        assert workbench("withdraw small --documents", *wrong).exit_code == 2
