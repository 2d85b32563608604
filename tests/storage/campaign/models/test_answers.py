"""What models answered is kept whole, and labels follow from it: in the file, in its audit and out of a bundle."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.log_rows import row
from tests.release.bundle.test_importing import changed
from tests.sentences import refused, says
from workbench.campaign.label_rules import choose_sources
from workbench.core.errors import CampaignError, InputError, UnknownName
from workbench.core.model_answers import CUT_OFF, OFF_SCALE, Judge, ModelAnswer, answer_of, mode
from workbench.formats.tables.json_text import json_line
from workbench.release.audit.checks import CHECKS, audit
from workbench.release.bundle.importing import import_bundle
from workbench.release.bundle.writing import BundleOptions, save_bundle
from workbench.storage.campaign import Campaign, open_campaign
from workbench.storage.campaign.collection.references import referred_to
from workbench.storage.campaign.grades import labels
from workbench.storage.campaign.log import log
from workbench.storage.campaign.models import answers, judges
from workbench.storage.campaign.organising import settings

FOLLOW = "labels of models follow from what they answered"
GPT = Judge(
    "gpt", model="some-7b", provider="here", family="some", prompt="Is {text} about {topic}?", scale=(0, 1, 2)
)
WHOLE = ModelAnswer(
    "1", "d1", grade=2, raw="final score: 2 ✓", model="some-7b-0101", prompt_sha256="ab" * 32,
    input_tokens=412, output_tokens=9, seconds=0.5, cost=0.0001, at="2026-03-01T12:00:00.000Z",
    marked="the document tells the model what to answer",
)  # fmt: skip


def put(campaign: Campaign, *rows: ModelAnswer, judge: Judge = GPT) -> answers.Batch:
    """Declare a judge and store its answers."""
    with campaign.write():
        judges.put_judge(campaign.by("Olga"), judge)
        return answers.put_answers(campaign.by("Olga"), judge.name, rows, source="a file")


def one(grade: int | None, sample: int = 0, document_id: str = "d1") -> ModelAnswer:
    """An answer about topic 1."""
    return ModelAnswer("1", document_id, sample, grade, "" if grade is not None else CUT_OFF)


def logged(campaign: Campaign) -> list[tuple[str, int | None]]:
    """Documents and grades of all labels of models in the log."""
    return [
        (each.document_id, each.grade) for each, _ in log.hashed_judgments(campaign) if each.kind == "model"
    ]


def found(campaign: Campaign) -> list[str]:
    """What the audit finds wrong with labels of models."""
    return list(CHECKS[FOLLOW](campaign))


def test_a_judge_changes_by_versions_and_the_same_one_is_declared_once(small: Campaign) -> None:
    with small.write():
        olga = small.by("Olga")
        assert judges.put_judge(olga, GPT).version == judges.put_judge(olga, GPT).version == 1
        assert judges.put_judge(olga, GPT._replace(prompt="Another")).version == 2
        judges.put_judge(olga, Judge("bert"))
    assert [(each.name, each.version) for each in judges.judges(small)] == [("gpt", 2), ("bert", 1)]
    assert [each.prompt for each in judges.versions(small, "gpt")] == [GPT.prompt, "Another"]
    with refused(UnknownName, "'gtp'"):
        judges.judge_named(small, "gtp")


def test_the_hash_of_a_prompt_is_that_of_its_text() -> None:
    assert (
        Judge("j", prompt="é").prompt_sha256
        == "4a99557e4033c3539de2eb65472017cad5f9557f7a0625a09f1c3f6e2ba69c4c"
    )
    assert Judge("j").prompt_sha256 == ""


@pytest.mark.parametrize("name", ["", " ", "a\nb", "Ann"])
def test_a_judge_has_a_name_of_its_own(small: Campaign, name: str) -> None:
    with small.write():
        log.append_judgments(small, [row("Ann", "1", "d1", 1)])
    with refused(CampaignError), small.write():
        judges.put_judge(small.by("Olga"), Judge(name))


@pytest.mark.parametrize("beyond", [32768, -32768])
def test_a_judge_gives_no_grade_that_qrels_and_bundles_do_not_take(small: Campaign, beyond: int) -> None:
    with refused(CampaignError, "'gpt'"), small.write():
        judges.put_judge(small.by("Olga"), Judge("gpt", scale=(0, beyond)))


def test_an_answer_comes_back_with_all_that_is_known_of_it(small: Campaign) -> None:
    batch = put(small, WHOLE, one(None, document_id="d2"))
    assert [each.answer for each in answers.each_answer(small)] == [WHOLE, one(None, document_id="d2")]
    assert (batch.answers, batch.unlabelled, batch.marked, batch.labels) == (2, 1, 1, 1)
    assert answers.batches(small) == [batch]


def test_a_failed_answer_is_no_judgment_and_takes_none_back(small: Campaign) -> None:
    put(small, one(None))
    assert logged(small) == []
    put(small, one(2))
    put(small, one(None))
    assert logged(small) == [("d1", 2)]
    assert found(small) == []


@pytest.mark.parametrize(
    ("grades", "label"), [([2, 2, 0], 2), ([2, 0], 0), ([2, 1, 1, 2], 1), ([None, 1], 1)]
)
def test_several_samples_make_the_most_frequent_grade_and_of_ties_the_lowest(
    small: Campaign, grades: Sequence[int | None], label: int
) -> None:
    put(small, *(one(grade, sample) for sample, grade in enumerate(grades)))
    assert logged(small) == [("d1", label)]
    assert found(small) == []


def test_later_samples_move_the_label_and_a_repeated_one_replaces_its_number(small: Campaign) -> None:
    put(small, one(2))
    put(small, one(1, 1))
    assert logged(small) == [("d1", 2), ("d1", 1)]
    put(small, one(2, 1))
    assert logged(small)[2:] == [("d1", 2)]
    put(small, one(2, 7))
    assert (len(logged(small)), answers.labelled_samples(small, "gpt")) == (
        3,
        {("1", "d1"): {0: 2, 1: 2, 7: 2}},
    )
    assert found(small) == []


def test_the_newest_version_with_a_grade_gives_the_label(small: Campaign) -> None:
    put(small, one(2), one(2, 1), one(1, document_id="d2"))
    newer = GPT._replace(prompt="Another")
    put(small, one(0), one(None, document_id="d2"), judge=newer)
    assert logged(small) == [("d1", 2), ("d2", 1), ("d1", 0)]
    assert found(small) == []


def test_a_label_after_a_change_of_scale_is_said_again(small: Campaign) -> None:
    put(small, one(2))
    with small.write():
        first = next(each for each, _ in log.hashed_judgments(small))
        log.append_judgments(
            small, [first.follows(uuid="x", grade=1, source="scale changed", replaces=first.seq)]
        )
    put(small, one(1), judge=GPT._replace(scale=(0, 1)))
    put(small, one(1), judge=GPT._replace(scale=(0, 1)))
    assert logged(small) == [("d1", 2), ("d1", 1), ("d1", 1)]
    assert found(small) == []


def test_models_have_no_label_unless_a_rule_says_so(small: Campaign) -> None:
    put(small, one(2))
    assert labels.qrels(small) == []
    choose_sources(small.by("Olga"), model_labels="gaps")
    assert [(label.document_id, label.grade) for label in labels.qrels(small)] == [("d1", 2)]


def test_a_campaign_can_forbid_labels_of_models(small: Campaign) -> None:
    put(small, one(2))
    choose_sources(small.by("Olga"), model_labels="forbidden")
    assert labels.qrels(small) == []
    with refused(CampaignError, "small", "never"):
        put(small, one(1))
    choose_sources(small.by("Olga"), model_labels="never")
    put(small, one(1))
    assert found(small) == []


@pytest.mark.parametrize(
    "row",
    [
        ModelAnswer("1", "d1", grade=3),
        ModelAnswer("1", "d1", grade=1, failure=OFF_SCALE),
        ModelAnswer("1", "d1"),
        ModelAnswer("99", "d1", grade=1),
        ModelAnswer("1", "d1", -1, 1),
        ModelAnswer("1", "d1", grade=1, cost=float("nan")),
        ModelAnswer("1", "d1", grade=1, raw="\ud800"),
        ModelAnswer("1", "d1", grade=1, at="yesterday"),
    ],
)
def test_what_no_answer_says_changes_nothing(small: Campaign, row: ModelAnswer) -> None:
    put(small, one(2))
    before = list(small.db.conn.iterdump())
    with refused(CampaignError):
        put(small, one(1, 1), row)
    assert list(small.db.conn.iterdump()) == before


def test_without_answers_there_is_no_batch(small: Campaign) -> None:
    with refused(CampaignError, "gpt"):
        put(small)


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE model_answer SET grade = 1 WHERE place = 1",
        "UPDATE model_answer SET grade = NULL, failure = 'refused' WHERE place = 1",
        "DELETE FROM model_answer WHERE place = 2",
        "UPDATE model_answer SET raw = x'00'",
        "UPDATE model_answer SET cost = 7",
        "UPDATE model_answer SET batch = 1",
    ],
)
def test_the_audit_finds_answers_that_are_not_those_that_were_stored(small: Campaign, change: str) -> None:
    put(small, WHOLE, one(None, document_id="d2"))
    small.db.execute(change)
    small.db.conn.commit()
    assert any(finding.wrong for finding in audit(small))
    assert found(small) != []


def test_the_audit_finds_a_label_that_no_answer_gave_and_one_that_is_missing(small: Campaign) -> None:
    put(small, one(2))
    with small.write():
        log.append_judgments(small, [row("gpt", "1", "d2", 1, kind="model")])
    (stray,) = found(small)
    assert says(stray)
    with small.write():
        judge = judges.judge_named(small, "gpt")
        answers.put_batch(small.by("Olga"), judge, [one(1, document_id="d3")], source="", labels=0)
    assert [says(each) for each in found(small)[1:]] == [True, True]


def test_answers_come_out_of_a_bundle_as_they_were(small: Campaign, tmp_path: Path) -> None:
    put(small, WHOLE, one(None, document_id="d2"))
    put(small, one(0), judge=GPT._replace(prompt="Another", parameters={"temperature": 0.5, "stop": ["\n"]}))
    put(small, one(1), judge=Judge("bert"))
    with small.write():
        settings.change(small.by("Olga"), {"model_labels": "forbidden"})
    path = save_bundle(small, tmp_path / "small.zip", options=BundleOptions(runs=True)).path
    assert import_bundle(path, tmp_path / "again.db", actor="Olga").same_scores
    with open_campaign(tmp_path / "again.db") as again:
        assert judges.versions(again, "gpt") == judges.versions(small, "gpt")
        assert [each[1:] for each in answers.each_answer(again)] == [
            each[1:] for each in answers.each_answer(small)
        ]
        assert logged(again) == logged(small) == [("d1", 2), ("d1", 0), ("d1", 1)]
        assert [finding for finding in audit(again) if finding.wrong] == []


@pytest.mark.parametrize(
    ("name", "before", "after"),
    [
        ("model-answers.jsonl", b'"grade":2', b'"grade":1'),
        ("model-answers.jsonl", b'"topic_id":"1"', b'"topic_id":"99"'),
        ("model-answers.jsonl", b'"sample":0', b'"sample":NaN'),
        ("model-answers.jsonl", b'"failure"', b'"failed"'),
        ("arrangements.jsonl", b'"version":1', b'"version":2'),
        ("arrangements.jsonl", b'"scale":[0,1,2]', b'"scale":[]'),
        ("arrangements.jsonl", b'"judge":"gpt"', b'"judge":"tgp"'),
    ],
)
def test_a_bundle_that_says_what_cannot_be_is_refused(
    small: Campaign, tmp_path: Path, name: str, before: bytes, after: bytes
) -> None:
    put(small, WHOLE)
    path = save_bundle(small, tmp_path / "small.zip").path

    def broken(data: bytes) -> bytes:
        assert before in data
        return data.replace(before, after, 1)

    with refused(InputError):
        import_bundle(changed(path, name, broken), tmp_path / "again.db", actor="Olga")
    assert not (tmp_path / "again.db").exists()


def test_an_earlier_row_has_the_judges_and_answers_of_its_time(small: Campaign) -> None:
    first = put(small, one(2))
    put(small, one(0), judge=GPT._replace(prompt="Another"))
    then = small.at(first.seq)
    assert [each.answer.grade for each in answers.each_answer(then)] == [2]
    assert judges.judge_named(then, "gpt").version == 1


def test_a_topic_with_answers_alone_stays(small: Campaign) -> None:
    put(small, ModelAnswer("10", "d9", failure=CUT_OFF))
    assert says(referred_to(small, "document")["d9"])


GRADES = st.lists(st.integers(-2, 3), min_size=1, max_size=6)


@given(GRADES)
def test_no_grade_is_more_frequent_than_the_mode_and_no_lower_one_as_frequent(grades: list[int]) -> None:
    found = mode(grades)
    assert all(grades.count(each) < grades.count(found) for each in set(grades) if each < found)
    assert all(grades.count(each) <= grades.count(found) for each in grades)


@given(
    st.integers(0, 9),
    st.integers(0, 9),
    st.text(st.characters(exclude_categories=("Cs",))),
    st.floats(0, 1000) | st.none(),
    st.integers(0, 10**9) | st.none(),
)
def test_an_answer_is_read_back_from_its_json(
    sample: int, grade: int, raw: str, seconds: float | None, tokens: int | None
) -> None:
    answer = ModelAnswer("1", "d1", sample, grade, raw=raw, seconds=seconds, input_tokens=tokens)
    assert answer_of(json.loads(json_line(answer._asdict()))) == answer.checked()
