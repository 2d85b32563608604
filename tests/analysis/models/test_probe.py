"""Documents without sense, and what a judge makes of them."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
from click.testing import CliRunner

from tests.sentences import refused
from workbench.analysis.models.probe import (
    LENGTH,
    SHARE,
    WITH,
    WITHOUT,
    nonsense,
    probe_documents,
    probe_lines,
    read_probe,
)
from workbench.campaign.ingest import add_topics
from workbench.cli.main import main
from workbench.core.errors import CampaignError
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import documents, pools
from workbench.storage.campaign.log import log


def test_a_text_repeats_the_query_for_its_share_and_is_shuffled() -> None:
    rng = np.random.default_rng(1)
    words = nonsense(["frozen", "rivers"], ["the", "of"], length=40, share=0.25, rng=rng).split()
    assert (words.count("frozen"), words.count("rivers"), words.count("the") + words.count("of")) == (
        5,
        5,
        30,
    )
    assert words[:10] != ["frozen", "rivers"] * 5
    assert set(nonsense([], ["the"], length=4, share=0.5, rng=rng).split()) == {"the"}
    assert set(nonsense(["a"], [], length=4, share=0.5, rng=rng).split()) == {"a"}
    assert nonsense([], [], length=4, share=0.5, rng=rng) == ""


def test_each_topic_has_both_kinds_and_the_same_seed_gives_the_same(small: Campaign) -> None:
    made = probe_documents(small, each=2)
    assert [(each.topic_id, each.kind) for each in made[:4]] == [
        ("1", WITH),
        ("1", WITH),
        ("1", WITHOUT),
        ("1", WITHOUT),
    ]
    assert len(made) == len({each.document_id for each in made}) == 12
    assert made == probe_documents(small, each=2)
    assert made[0].text != probe_documents(small, each=2, seed=9)[0].text
    words = made[0].text.split()
    assert len(words) == LENGTH
    assert words.count("frozen") + words.count("rivers") == LENGTH * SHARE
    assert not {"frozen", "rivers"} & set(made[2].text.split())


def test_words_of_any_script_are_repeated(on_five_grades: Campaign, tmp_path: Path) -> None:
    path = tmp_path / "topics.tsv"
    path.write_text("1\tالأنهار المتجمدة\n2\t凍った川\n", encoding="utf-8")
    add_topics(on_five_grades.by("Olga"), [str(path)])
    made = probe_documents(on_five_grades, each=1)
    assert made[0].text.split().count("الأنهار") == LENGTH * SHARE / 2
    assert made[2].text.split().count("凍った川") == LENGTH * SHARE


def test_nothing_of_a_probe_is_stored(small: Campaign) -> None:
    before = log.head(small), list(pools.all_pairs(small)), documents.with_text(small)
    lines = list(probe_lines(small, probe_documents(small, each=1)))
    assert lines[0]["query"] == {"qid": "1", "text": "frozen rivers"}
    assert (log.head(small), list(pools.all_pairs(small)), documents.with_text(small)) == before


def test_labels_above_0_are_counted_by_kind_and_what_is_unlabelled_is_not(
    small: Campaign, tmp_path: Path
) -> None:
    made = probe_documents(small, each=2)
    path = tmp_path / "labels.qrels"
    given = made[1:]
    path.write_text(
        "".join(f"{each.topic_id} 0 {each.document_id} {2 * (each.kind == WITH)}\n" for each in given),
        encoding="utf-8",
    )
    fooled, plain = read_probe(small, path, made)
    assert (fooled.documents, fooled.labelled, fooled.found, fooled.share) == (6, 5, 5, 1)
    assert (plain.documents, plain.labelled, plain.found, plain.share) == (6, 6, 0, 0)
    assert fooled.low is None  # of three topics


def test_labels_of_other_documents_are_refused(small: Campaign, tmp_path: Path) -> None:
    path = tmp_path / "labels.qrels"
    path.write_text("1 0 d1 1\n", encoding="utf-8")
    with refused(CampaignError, "d1"):
        read_probe(small, path, probe_documents(small, each=2))


def test_a_campaign_without_topics_has_no_probe(on_five_grades: Campaign) -> None:
    with refused(CampaignError, "five"):
        probe_documents(on_five_grades, each=1)


def test_the_command_writes_what_umbrela_reads_and_reads_labels_back(small: Campaign, tmp_path: Path) -> None:
    target, labels = tmp_path / "probe.jsonl", tmp_path / "probe.qrels"
    words = ["judging", "probe", str(small.path), "--each", "1"]
    assert CliRunner().invoke(main, [*words, "-o", str(target)]).exit_code == 0
    lines = [json.loads(line) for line in target.read_text(encoding="utf-8").splitlines()]
    candidates = [(line["query"]["qid"], each) for line in lines for each in line["candidates"]]
    assert {len(each["doc"]["segment"].split()) for _, each in candidates} == {LENGTH}
    labels.write_text(
        "".join(f"{topic} 0 {each['docid']} 1\n" for topic, each in candidates), encoding="utf-8"
    )
    found = CliRunner().invoke(main, [*words, "--labels", str(labels), "--format", "csv"])
    assert [line.split(",")[1:5] for line in found.output.splitlines()[1:3]] == [["3", "3", "3", "1.0"]] * 2
    assert CliRunner().invoke(main, words).exit_code == 2
