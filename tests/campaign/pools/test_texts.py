"""Pools that use texts: read before the first choice, refused where few are there, and told apart in the audit."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.conftest import NOW, SMALL_GRADES, write_run
from tests.judged_pairs import judge_as
from tests.sentences import refused, says
from workbench.analysis.simulating.campaigns import SIMULATION
from workbench.campaign.ingest import add_documents, add_runs, add_topics
from workbench.campaign.new_campaign import new_campaign
from workbench.campaign.pools import candidates
from workbench.campaign.pools.candidates import Candidates
from workbench.campaign.pools.choosing import Chooser, PoolChooser
from workbench.campaign.pools.making import add_pool
from workbench.campaign.pools.plan import plan_pool
from workbench.campaign.pools.pool_job import fetch_texts_first
from workbench.cli import main
from workbench.core.errors import CampaignError
from workbench.release.audit.checks import audit
from workbench.release.bundle.importing import import_bundle
from workbench.release.bundle.writing import BundleOptions, save_bundle
from workbench.storage.campaign import Campaign, open_campaign
from workbench.storage.campaign.collection import choices, documents, pools
from workbench.storage.campaign.log import log

TEXTS = {
    "d1": "Ice on rivers in winter",
    "d2": "Rivers flood in spring",
    "d3": "الأنهار المتجمدة في الشتاء",
    "d4": "冰冻的河流",
    "d5": "Skates for ice in spring",
    "d6": "Warm lakes in summer",
    "d7": "Lakes and swimming",
    "d8": "Bread and butter",
}
RUNS = {"a": {"1": "d1 d2 d3 d4 d5 d8", "2": "d6 d7 d8"}, "b": {"1": "d5 d4 d1", "2": "d7 d1 d2"}}


@pytest.fixture
def campaign(tmp_path: Path) -> Iterator[Campaign]:
    """Topics and runs; the documents stand in a file beside it."""
    (tmp_path / "topics.tsv").write_text("1\tfrozen rivers\n2\twarm lakes\n", encoding="utf-8")
    files = [write_run(tmp_path / f"{tag}.run", tag, rankings) for tag, rankings in RUNS.items()]
    with new_campaign(tmp_path / "cal.db", title="CAL", grades=SMALL_GRADES, actor="Olga", now=NOW) as made:
        add_topics(made.by("Olga", NOW), [str(tmp_path / "topics.tsv")])
        add_runs(made.by("Olga", NOW), files)
        yield made


def add_texts(
    campaign: Campaign, found: dict[str, str], *, keep_all: bool = True, changed: bool = False
) -> Path:
    path = campaign.path.parent / f"documents{len(documents.sources(campaign))}.jsonl"
    lines = [json.dumps({"id": document_id, "text": text}) for document_id, text in found.items()]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    add_documents(campaign.by("Olga", NOW), [str(path)], keep_all=keep_all, changed=changed)
    return path


def pool(campaign: Campaign, **parameters: object) -> pools.StoredPool:
    return add_pool(campaign.by("Olga"), **{"strategy": "cal", "depth": 6, "batch": 1, **parameters}).pool


def findings(campaign: Campaign) -> tuple[list[str], list[str]]:
    """What the audit says of the choices: wrong, and not checked."""
    (found,) = [each for each in audit(campaign) if each.question.startswith("every adaptive pool chose")]
    return list(found.wrong), list(found.not_checked)


def test_a_restart_chooses_the_same_and_a_changed_grade_counts(campaign: Campaign) -> None:
    add_texts(campaign, TEXTS)
    pool(campaign)
    ((first,),) = [each.pairs for each in choices.all_choices(campaign) if each.topic_id == "1"]
    found = []
    for grade in (1, 0, 1):
        judge_as(campaign, "Ann", "1", first[0], grade)
        with open_campaign(campaign.path) as other:
            (choice,) = Chooser().next(other)
        found.append([pair[0] for pair in choice.pairs])
        assert found[-1] == [pair[0] for pair in Chooser().next(campaign)[0].pairs]
    assert found[0] == found[2]
    assert found[0] != found[1]


def test_without_texts_it_is_refused_with_the_way_out(campaign: Campaign) -> None:
    for make in (lambda: pool(campaign), lambda: plan_pool(campaign, strategy="cal", depth=6)):
        with refused(CampaignError, "0", "8"):
            make()
    add_texts(campaign, {document_id: TEXTS[document_id] for document_id in ("d1", "d2", "d3")})
    with pytest.raises(CampaignError, match="3 of 8 candidates have one"):
        pool(campaign)
    assert pools.all_pools(campaign) == []


def test_the_command_reads_them_too(campaign: Campaign) -> None:
    add_texts(campaign, TEXTS, keep_all=False)
    said = CliRunner().invoke(main, ["pool", str(campaign.path), "--strategy", "cal", "--depth", "6"])
    assert says(said.output)


def test_of_a_source_that_is_gone_no_pool_is_made(campaign: Campaign) -> None:
    add_texts(campaign, TEXTS, keep_all=False).unlink()
    fetch_texts_first(campaign, {"strategy": "cal", "depth": 6}, on_step=lambda *_: None)
    with pytest.raises(CampaignError, match="0 of 8 candidates have one"):
        pool(campaign)


def test_a_bundle_without_texts_brings_the_choices_and_says_what_is_unchecked(
    campaign: Campaign, tmp_path: Path
) -> None:
    add_texts(campaign, TEXTS)
    pool(campaign)
    save_bundle(campaign, tmp_path / "b.zip", options=BundleOptions(runs=True))
    import_bundle(tmp_path / "b.zip", tmp_path / "again.db", actor="Olga")
    with open_campaign(tmp_path / "again.db") as again:
        assert [choice.texts for choice in choices.all_choices(again)] == [
            choice.texts for choice in choices.all_choices(campaign)
        ]
        wrong, (said,) = findings(again)
    assert (wrong, says(said)) == ([], True)


def test_vectors_are_made_once_and_no_more_are_kept_than_there_is_room_for(
    campaign: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    add_texts(campaign, TEXTS)
    found = Candidates(pool(campaign))
    tables = [found.table(campaign, topic_id) for topic_id in ("1", "2", "1", "2")]
    assert (tables[0] is tables[2], tables[1] is tables[3]) == (True, True)
    monkeypatch.setattr(candidates, "KEPT_ENTRIES", 1)
    found = Candidates(pools.all_pools(campaign)[0])
    tables = [found.table(campaign, topic_id) for topic_id in ("1", "1", "2", "1")]
    assert (tables[0] is tables[1], tables[0] is tables[3]) == (True, False)


def test_among_all_texts_each_document_is_a_candidate_and_no_other_is_presumed(campaign: Campaign) -> None:
    add_texts(campaign, TEXTS | {"e1": "Rye fields"})
    table = Candidates(pool(campaign, among="texts")).table(campaign, "2")
    assert table.texts is not None
    assert (sorted(table.document_id), table.texts.others.shape[0]) == ([*TEXTS, "e1"], 0)


def test_among_all_texts_what_was_found_by_searching_is_learnt_from(campaign: Campaign) -> None:
    add_texts(campaign, TEXTS | {"e1": "Bread of rye", "e2": "Rye fields"})
    add_pool(campaign.by("Olga"), strategy="list", pairs=["1 e1"])
    pool(campaign, among="texts")
    found = []
    for grade in (0, 1):
        judge_as(campaign, "Ann", "1", "e1", grade)
        found.append(
            PoolChooser(pools.all_pools(campaign)[1]).choose(campaign, "1", 9, log.newest_seq(campaign))
        )
    before, after = ([pair[0] for pair in choice.pairs] for choice in found if choice is not None)
    assert sorted(before) == sorted(after) == [*TEXTS, "e2"]
    assert (after[0], before.index("e2") > 0) == ("e2", True)


def test_a_campaign_with_texts_is_simulated_on_and_one_without_is_refused(campaign: Campaign) -> None:
    add_pool(campaign.by("Olga"), depth=6)
    add_texts(campaign, {"d1": TEXTS["d1"]})
    judge_as(campaign, "Ann", "1", "d1", 1)
    with pytest.raises(CampaignError, match="1 of 6 candidates have one"):
        SIMULATION.answer(campaign, {"strategy": ["cal"], "seeds": 1})
    add_texts(campaign, TEXTS)
    (row,) = SIMULATION.answer(campaign, {"strategy": ["cal"], "budget": "50", "seeds": 1}).found.rows
    assert (row.judged, row.recall) == (3, 1.0)
