"""Documents without sense, and what a judge makes of them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from tests.endpoints import Handler, Request, endpoint, grade
from tests.found_wrong import wrong
from tests.sentences import refused
from workbench.analysis.models.against_people import QUALITY, JudgeQuality
from workbench.campaign.asking_models.declaring import Declaration, declare
from workbench.campaign.asking_models.outcomes import Finished, Run
from workbench.campaign.asking_models.probe import LENGTH, SHARES, nonsense, probe_documents, probe_lines
from workbench.campaign.asking_models.prompts import Chosen
from workbench.campaign.asking_models.running import ask
from workbench.campaign.changing_settings import change_settings
from workbench.campaign.ingest import add_topics
from workbench.campaign.new_campaign import new_campaign
from workbench.campaign.questions import USUAL
from workbench.campaign.questions import declare as declare_question
from workbench.cli.main import main
from workbench.core.about import ANSWERS
from workbench.core.errors import CampaignError
from workbench.core.model_answers import PROBE, TOPIC_WORDS
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import documents, pools
from workbench.storage.campaign.grades import judgments
from workbench.storage.campaign.log import log
from workbench.storage.campaign.models.answers import each_answer


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
    kinds = [found[1] for each in made["1"] if (found := PROBE.fullmatch(each))]
    assert kinds == ["topic", "topic", "common", "common"]
    assert len({each for texts in made.values() for each in texts}) == 12
    assert made == probe_documents(small, each=2)
    (text, _, plain, _), other = made["1"].values(), probe_documents(small, each=2, seed=9)
    assert text not in other["1"].values()
    words = text.split()
    assert len(words) == LENGTH
    assert words.count("frozen") + words.count("rivers") == LENGTH * SHARES[TOPIC_WORDS]
    assert not {"frozen", "rivers"} & set(plain.split())


@pytest.fixture
def empty(tmp_path: Path) -> Iterator[Campaign]:
    with new_campaign(tmp_path / "empty.db", title="Empty", actor="Olga") as campaign:
        yield campaign


def test_words_of_any_script_are_repeated(empty: Campaign, tmp_path: Path) -> None:
    path = tmp_path / "topics.tsv"
    path.write_text("1\tالأنهار المتجمدة\n2\t凍った川\n", encoding="utf-8")
    add_topics(empty.by("Olga"), [str(path)])
    made = {topic: next(iter(texts.values())) for topic, texts in probe_documents(empty, each=1).items()}
    assert made["1"].split().count("الأنهار") == LENGTH * SHARES[TOPIC_WORDS] / 2
    assert made["2"].split().count("凍った川") == LENGTH * SHARES[TOPIC_WORDS]


def test_a_probe_that_is_written_is_stored_nowhere(small: Campaign) -> None:
    before = log.head(small), list(pools.all_pairs(small)), documents.with_text(small)
    lines = list(probe_lines(small, probe_documents(small, each=1)))
    assert lines[0]["query"] == {"qid": "1", "text": "frozen rivers"}
    assert (log.head(small), list(pools.all_pairs(small)), documents.with_text(small)) == before


def test_a_campaign_without_topics_has_no_probe_and_others_a_small_one(
    empty: Campaign, small: Campaign
) -> None:
    with refused(CampaignError, "empty"):
        probe_documents(empty, each=1)
    with refused(CampaignError, "101"):
        probe_documents(small, each=101)


def fooled(handler: Handler, request: Request, turn: int) -> None:
    """A model that finds a document relevant where it repeats the topic's words."""
    text = request["messages"][-1]["content"].partition("Document:\n")[2]
    handler.send(200, grade(2 if text.count("frozen") + text.count("rivers") > 2 else 0))


def probed(campaign: Campaign, address: str, each: int = 2, **run: int) -> Finished:
    return ask(campaign.by("Olga"), "jay", Chosen(("1",), probe=each), Run(address, **run))  # type: ignore[arg-type]


def test_a_judge_is_asked_about_a_probe_with_its_prompt_within_its_budget_and_once(small: Campaign) -> None:
    declare(small.by("Olga"), Declaration("jay", "judge"))
    texts = documents.with_text(small)
    with endpoint(fooled) as server:
        change_settings(small.by("Olga"), {"model-endpoints": f"{server.address} documents"})
        assert (probed(small, server.address, most_tokens=1).left, server.requests) == (4, [])
        done = probed(small, server.address, each=1)
        assert (done.answered, done.labelled, done.kept) == (2, 2, 0)
        done = probed(small, server.address)
        assert (done.answered, len(server.requests)) == (2, 4)
        assert {request["messages"][0]["role"] for request in server.requests} == {"system"}
    assert [row for row in judgments.log(small) if row.kind == "model"] == []
    assert all(PROBE.fullmatch(each.answer.document_id) for each in each_answer(small, "jay"))
    assert (documents.with_text(small), wrong(small)) == (texts, [])
    found: JudgeQuality = QUALITY.answer(small, {"judge": "jay"})
    shares = {kind: of["graded above"] for kind, of in found.scopes("probe").items()}
    assert {kind: (each.value, each.pairs) for kind, each in shares.items()} == {
        "topic words": (1.0, 2), "common words": (0.0, 2)
    }  # fmt: skip
    again = probed(small, "")
    assert (again.answered, again.checked, again.differ) == (0, 4, ())


def test_a_probe_is_of_documents_alone(small: Campaign) -> None:
    declare_question(small.by("Olga"), USUAL[ANSWERS])
    declare(small.by("Olga"), Declaration("jay", "judge", USUAL[ANSWERS].name))
    with refused(CampaignError, "answers"):
        probed(small, "")


def test_the_command_writes_what_umbrela_reads_and_its_labels_are_shown(
    small: Campaign, tmp_path: Path
) -> None:
    target, labels = tmp_path / "probe.jsonl", tmp_path / "probe.qrels"
    words = ["judging", "probe", str(small.path), "--each", "1", "-o", str(target)]
    assert CliRunner().invoke(main, words).exit_code == 0
    lines = [json.loads(line) for line in target.read_text(encoding="utf-8").splitlines()]
    candidates = [(line["query"]["qid"], each) for line in lines for each in line["candidates"]]
    assert {len(each["doc"]["segment"].split()) for _, each in candidates} == {LENGTH}
    given = "".join(
        f"{topic} 0 {each['docid']} {int('topic' in each['docid'])}\n" for topic, each in candidates
    )
    labels.write_text(given, encoding="utf-8")
    words = ["add", "model-labels", str(small.path), str(labels), "--form", "qrels", "--judge", "umbrela"]
    assert CliRunner().invoke(main, words).exit_code == 0
    words = ["judging", "judge-quality", str(small.path), "--judge", "umbrela", "--format", "csv"]
    found = [line.split(",") for line in CliRunner().invoke(main, words).output.splitlines()]
    assert {line[1]: line[3] for line in found if line[0] == "probe"} == {
        "topic words": "1.0", "common words": "0.0"
    }  # fmt: skip
