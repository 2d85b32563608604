"""workbench task withdraw: runs, topics and documents, out of board and pools, and said wherever it matters."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fixture_types import Fails, Workbench
from tests.sentences import says
from workbench.core.model_answers import Submitted
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import documents, topic_withdrawals, topics, withdrawals
from workbench.storage.campaign.log import log
from workbench.storage.campaign.models import submitted


def test_a_run_is_withdrawn_and_restored(done: Workbench, campaign: Campaign) -> None:
    told = done("withdraw small alpha --reason 'indexed the wrong collection'").stderr
    assert says(told)
    assert [step.content["reason"] for step in withdrawals.steps(campaign)] == [
        "indexed the wrong collection"
    ]
    assert done("withdraw small alpha --restore").stderr == "1 run restored.\n"
    assert withdrawals.withdrawn(campaign) == {}
    assert says(done("withdraw small alpha beta").stderr)


def test_an_unknown_run_is_an_error(fails: Fails) -> None:
    assert says(fails("withdraw small gamma"), "gamma")


def test_scores_pools_and_exports_say_who_is_missing(done: Workbench) -> None:
    done("withdraw small alpha")
    scores = done("export scores small -m P@1")
    assert scores.stdout == "run,P@1\nbeta,0.0\n"
    pool = done("export pool small")
    assert len(pool.stdout.splitlines()) == 7
    for told in (scores, pool, done("score small"), done("pool small --depth 3")):
        assert says(told.stderr)
    done("withdraw small beta")
    assert says(done("score small").stderr)


def test_what_was_before_a_withdrawal_is_exported_as_it_was(done: Workbench) -> None:
    before = done("export scores small --as-of 6")
    done("withdraw small alpha")
    again = done("export scores small --as-of 6")
    assert (again.stdout, again.stderr) == (before.stdout, before.stderr)
    assert "withdrawn" not in again.stderr


@pytest.mark.parametrize("named", [False, True])
def test_a_withdrawn_run_is_exported_when_it_is_named(done: Workbench, named: bool) -> None:
    done("withdraw small alpha")
    done("export runs small", *(["--run", "alpha"] if named else []), "-o", "out/")
    assert [path.name for path in Path("out").iterdir()] == ["alpha.run" if named else "beta.run"]


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
    assert says(workbench("withdraw small --topics 1 --delete").stderr, "1 (pooled)")
    assert workbench("withdraw small alpha --delete").exit_code == 2


def test_all_that_is_unused_is_deleted_after_a_dry_run_that_says_what_stays(
    done: Workbench, workbench: Workbench, campaign: Campaign
) -> None:
    Path("t.tsv").write_text("nr\tThema\n77\tIce\n", encoding="utf-8")
    done("add topics small t.tsv")
    head = log.head(campaign)
    assert says(done("withdraw small --topics --delete --unused --dry-run").stderr)
    assert says(done("withdraw small --topics nr 1 --delete --dry-run").stderr)
    assert log.head(campaign) == head
    assert done("withdraw small --topics nr 1 --delete --unused").stderr.startswith("1 topic deleted")
    assert done("withdraw small --topics --delete --unused").stderr.startswith("1 topic deleted")
    assert topics.topic_ids(campaign) == ["1", "10", "2"]
    for wrong in ("--topics --delete", "--topics 1 --unused", "alpha --dry-run", ""):
        assert workbench(f"withdraw small {wrong}").exit_code == 2


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
    assert says(workbench("withdraw small --documents d1 --delete").stderr, "d1 (pooled)")
    for wrong in (["m1"], ["m1", "--delete", "--topics"], ["m1", "--delete", "--restore"]):
        assert workbench("withdraw small --documents", *wrong).exit_code == 2


def test_a_judge_that_a_team_submitted_is_withdrawn_and_restored(
    done: Workbench, fails: Fails, campaign: Campaign
) -> None:
    with campaign.write():
        rows = [("alpha", "1", "M", 0.5), ("beta", "1", "M", 0.4)]
        sent = Submitted("Delft", "0" * 64, "2027-03-01T12:00:00.000+00:00")
        submitted.put(
            campaign.by("Olga"), "Delft/gpt", submitted.LEADERBOARD, "gpt.tot", rows, "2 runs", sent
        )
    assert "Delft/gpt" in done("judges --campaign small --of leaderboards --best 2").stdout
    assert says(done("task withdraw small --judges Delft/gpt --reason mistake").stderr)
    assert "Delft/gpt" not in done("judges --campaign small --of leaderboards").stdout
    assert says(fails("task withdraw small --judges Delft/gpt"), "Delft/gpt")
    assert says(done("task withdraw small --judges Delft/gpt --restore").stderr)
    assert says(fails("task withdraw small --judges gpt"), "gpt")
    assert says(fails("task withdraw small --judges --topics 1", status=2))
