"""Labels of models come in whole out of each form, or the file is refused with its line and the way out."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from hashlib import md5, sha256
from pathlib import Path
from shutil import copyfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.asked_answers import add_answers
from tests.made_answers import answer
from tests.release.test_judged_answers import judged as judged
from tests.release.test_judged_answers import written
from tests.sentences import refused, says
from workbench.campaign.asking_models.probe import probe_documents
from workbench.campaign.ingest import add_qrels
from workbench.campaign.label_rules import choose_sources
from workbench.campaign.model_labels import AddedModelLabels, LabelFiles, add_model_labels, judge_with
from workbench.campaign.new_campaign import new_campaign
from workbench.campaign.questions import USUAL, declare
from workbench.core.about import ANSWERS
from workbench.core.errors import CampaignError, InputError
from workbench.core.model_answers import UNREADABLE, Judge, ModelAnswer
from workbench.core.records import Grade, Question
from workbench.formats.model_labels.exported import Step, exported_lines, read_exported
from workbench.release.audit.checks import audit
from workbench.release.export import model_label_steps, model_qrels
from workbench.storage.campaign import Campaign, open_campaign
from workbench.storage.campaign.collection import pools, units
from workbench.storage.campaign.models import answers, judges

Add = Callable[..., AddedModelLabels]
OUT = [
    {"query": "frozen rivers", "passage": "The text of  document 1.", "judgment": 2, "result_status": 1},
    {"query": "frozen rivers", "passage": "The text of document 2.", "judgment": 0, "result_status": 0},
]
IN = [
    {
        "query": {"text": "frozen rivers", "qid": 1},
        "candidates": [
            {"docid": "d1", "doc": "The text of document 1."},
            {"docid": "d2", "doc": {"segment": "The text of document 2."}},
        ],
    }
]


def lines(*records: object) -> str:
    return "".join(json.dumps(each) + "\n" for each in records)


@pytest.fixture
def add(small: Campaign, tmp_path: Path) -> Add:
    """Add a text as labels of the judge gpt, in a form."""

    def run(
        text: str, form: str = "qrels", against: str | None = None, sample: int = 0, **said: object
    ) -> AddedModelLabels:
        (tmp_path / "labels").write_text(text, encoding="utf-8")
        if against is not None:
            (tmp_path / "input").write_text(against, encoding="utf-8")
        named = None if against is None else str(tmp_path / "input")
        files = LabelFiles([str(tmp_path / "labels")], form, named, sample)
        judge = None if form == "workbench" else judge_with(small, "gpt", **said)
        return add_model_labels(small.by("Olga"), files, judge)

    return run


def labels(campaign: Campaign, judge: str = "gpt") -> list[tuple[str, str, int]]:
    return [(*row,) for topic in model_qrels(campaign, judge) for row in topic.rows()]


def stored(campaign: Campaign) -> list[ModelAnswer]:
    return [each.answer for each in answers.each_answer(campaign)]


@pytest.mark.parametrize(
    "text", ["1 0 d1 2\n2 0 d2 0\n", "1\t0\td1\t2\r\n2\tQ0\td2\t0\n", "# note\n1 0 d1 2.0\n\n2 0 d2 0\n"]
)
def test_qrels_are_labels_between_blanks_or_tabs(small: Campaign, add: Add, text: str) -> None:
    added = add(text, model="some-7b")
    assert (added.answers, added.labels, added.unlabelled, added.unchanged) == (2, 2, 0, 0)
    assert labels(small) == [("1", "d1", 2), ("2", "d2", 0)]
    assert judges.judge_named(small, "gpt").scale == (-2, 0, 1, 2)
    again = add(text)
    assert (again.answers, again.unchanged, len(answers.batches(small))) == (0, 2, 1)
    assert [finding for finding in audit(small) if finding.wrong] == []


def test_grades_of_made_up_documents_of_a_probe_are_answers_and_no_labels(small: Campaign, add: Add) -> None:
    (made, *_) = probe_documents(small, each=1)["1"]
    added = add(f"1 0 {made} 1\n1 0 probe-9 1\n")  # a document of that name may be in a collection
    assert (added.answers, added.labels, added.unlabelled) == (2, 1, 0)
    assert labels(small) == [("1", "probe-9", 1)]
    assert [(each.document_id, each.grade) for each in stored(small)] == [(made, 1), ("probe-9", 1)]
    assert [finding for finding in audit(small) if finding.wrong] == []


def test_a_repeat_has_a_number_and_a_changed_judge_a_version(small: Campaign, add: Add) -> None:
    add("1 0 d1 2\n", prompt="One")
    add("1 0 d1 1\n", sample=1)
    assert labels(small) == [("1", "d1", 1)]
    add("1 0 d1 2\n", prompt="Two", cut="the first 300 words")
    assert labels(small) == [("1", "d1", 2)]
    assert [(each.prompt, each.cut) for each in judges.versions(small, "gpt")] == [
        ("One", ""),
        ("Two", "the first 300 words"),
    ]


def test_six_columns_are_labels_with_their_confidence_in_the_raw_text(small: Campaign, add: Add) -> None:
    add("1 Q0 d1 2 0.75 ours\n\n2\tQ0\td2\t0\t1\tours\n", "rag25")
    assert labels(small) == [("1", "d1", 2), ("2", "d2", 0)]
    assert [each.raw for each in stored(small)] == ["1 Q0 d1 2 0.75 ours", "2\tQ0\td2\t0\t1\tours"]


@pytest.mark.parametrize(
    "text",
    [
        "1 Q0 d1 1 12.5 bm25\n",
        "1 Q0 d1 x 0.5 ours\n",
        "1 Q0 d1 1.5 0.5 ours\n",
        "1 Q0 d1 1 nan ours\n",
        "1 Q0 d1 1 0.5 ours\n1 Q0 d2 1 0.5 theirs\n",
        "1 0 d1 1\n",
        "1 Q0 d1 1 0.5 ours\n1 Q0 d1 2 0.5 ours\n",
        "1 Q0 d1 3 0.5 ours\n",
        "9 Q0 d1 1 0.5 ours\n",
        "",
    ],
)
def test_what_is_no_label_of_six_columns_is_refused(small: Campaign, add: Add, text: str) -> None:
    before = list(small.db.conn.iterdump())
    with refused(InputError):
        add(text, "rag25")
    assert list(small.db.conn.iterdump()) == before


def test_true_false_decimals_and_hashes_of_texts_are_taken_from_autojudge(small: Campaign, add: Add) -> None:
    hashed = "md5:" + md5(b"The text of document 3.").hexdigest()
    add(f"1 0 d1 True\n1 0 d2 False \n2 0 d2 2.0\n2 0 {hashed} 1\n", "autojudge")
    assert labels(small) == [("1", "d1", 1), ("1", "d2", 0), ("2", "d2", 2), ("2", "d3", 1)]
    with refused(InputError, "labels:1"):
        add("1 0 d1 0.5\n", "autojudge")
    with refused(InputError, "labels:2"):
        add(f"1 0 d1 1\n1 0 md5:{'0' * 32} 1\n", "autojudge")


def test_hashes_of_answers_are_units_of_a_question_about_answers(small: Campaign, add: Add) -> None:
    add_answers(small.by("Olga"), answer("1", run="one"))
    declare(small.by("Olga"), USUAL[ANSWERS])
    hashed = "md5:" + md5(b"Reefs recover slowly. Cooler years help.").hexdigest()
    add(f"1 0 {hashed} 3\n", "autojudge", question="quality")
    assert labels(small) == [("1", units.of_topic(small, "1!quality").units[0].unit_id, 3)]
    with refused(InputError, "unit:0"):
        add("1 0 unit:0 3\n", question="quality")
    with refused(InputError, "quality"):
        add("9 0 unit:0 3\n", question="quality")


def test_umbrela_is_joined_by_the_order_of_its_input_and_a_failed_parse_is_no_label(
    small: Campaign, add: Add
) -> None:
    told = {"prediction": "##final score: 2", "prompt": "Is …", "model": "local-7b"}
    added = add(lines(OUT[0] | told, OUT[1] | {"prompt": "[redacted]"}), "umbrela", lines(*IN))
    assert (added.unlabelled, added.warnings, labels(small)) == (1, (), [("1", "d1", 2)])
    first, second = stored(small)
    assert (first.raw, first.model, first.prompt_sha256) == (
        "##final score: 2", "local-7b", sha256("Is …".encode()).hexdigest(),
    )  # fmt: skip
    assert (second.document_id, second.grade, second.failure, second.prompt_sha256) == (
        "d2",
        None,
        UNREADABLE,
        "",
    )


def test_umbrela_is_joined_by_texts_where_the_order_is_another(small: Campaign, add: Add) -> None:
    envelope = {"schema_version": "castorini.cli.v1", "artifacts": [{"value": IN}]}
    add(lines(*reversed(OUT)), "umbrela", lines(envelope))
    assert labels(small) == [("1", "d1", 2)]
    assert [each.document_id for each in stored(small)] == ["d2", "d1"]


def test_equal_texts_are_joined_by_order_alone(small: Campaign, add: Add) -> None:
    same = [{"docid": each, "doc": "The text of document 1."} for each in ("d1", "d4")]
    given = lines({"query": IN[0]["query"], "candidates": same})
    add(lines(OUT[0], OUT[0] | {"judgment": 1}), "umbrela", given)
    assert labels(small) == [("1", "d1", 2), ("1", "d4", 1)]
    with refused(InputError, "labels:1"):
        add(lines(OUT[0]), "umbrela", given)


def test_records_without_a_status_are_told(small: Campaign, add: Add) -> None:
    bare = [{name: each[name] for name in ("query", "passage", "judgment")} for each in OUT]
    added = add(lines(*bare), "umbrela", lines(*IN))
    assert says(str(added.warnings[0]), "2")
    assert labels(small) == [("1", "d1", 2), ("1", "d2", 0)]


@pytest.mark.parametrize(
    ("out", "given"),
    [
        (lines(OUT[0] | {"judgment": "2"}), lines(*IN)),
        (lines(OUT[0] | {"judgment": 1.5}), lines(*IN)),
        (lines(OUT[0] | {"judgment": float("nan")}), lines(*IN)),
        (lines(OUT[0] | {"result_status": True}), lines(*IN)),
        (lines(OUT[0] | {"passage": None}), lines(*IN)),
        (lines(OUT[0] | {"passage": "Another text."}), lines(*IN)),
        (lines(OUT[0] | {"judgment": 7}, OUT[1]), lines(*IN)),
        (lines(OUT[0]), lines({"query": "frozen rivers", "candidates": ["The text of document 1."]})),
        (lines(OUT[0]), lines(IN[0] | {"candidates": [{"doc": "The text of document 1."}]})),
        ("[" * 100_000, lines(*IN)),
        ('{"query": "' + "x" * 10_000_000 + '"}\n', lines(*IN)),
        ("{}\n", lines(*IN)),
        ("", lines(*IN)),
    ],
    ids=range(13),
)
def test_what_umbrela_does_not_write_is_refused(small: Campaign, add: Add, out: str, given: str) -> None:
    with refused(InputError):
        add(out, "umbrela", given)
    assert judges.judges(small) == []


def test_umbrela_needs_its_input(add: Add) -> None:
    with refused(CampaignError, "--against"):
        add(lines(*OUT), "umbrela")


def test_assigned_nuggets_are_labels_of_units(judged: Campaign) -> None:
    path = written(judged, "nuggetizer", unjudged="failed")
    judge = judge_with(judged, "gpt", question="nuggets")
    added = add_model_labels(judged.by("Olga"), LabelFiles([str(path)], "nuggetizer"), judge)
    assert (added.answers, added.unlabelled) == (6, 2)
    own = {unit.unit_id: (unit.run, unit.text) for unit in units.of_topic(judged, "1!nuggets").units}
    assert {own[document_id]: grade for _, document_id, grade in labels(judged)} == {
        (3, "How long?\n– decades"): 2, (3, "years are warm"): 1,
        (4, "How long?\n– decades"): 0, (4, "years are warm"): 2,
    }  # fmt: skip
    assert [finding for finding in audit(judged) if finding.wrong] == []


def test_nuggets_that_are_not_there_are_refused(judged: Campaign, tmp_path: Path) -> None:
    path = written(judged, "nuggetizer")
    judge = judge_with(judged, "gpt", question="nuggets")
    for before, after in (
        ("years are warm", "years are cold"),
        ('"one"', '"three"'),
        ('"qid": "1"', '"qid": "2"'),
    ):
        (tmp_path / "b.jsonl").write_text(
            path.read_text(encoding="utf-8").replace(before, after), encoding="utf-8"
        )
        with refused(InputError, "b.jsonl:1"):
            add_model_labels(judged.by("Olga"), LabelFiles(["b.jsonl"], "nuggetizer"), judge)
    with refused(CampaignError, "--question"):
        add_model_labels(judged.by("Olga"), LabelFiles([str(path)], "nuggetizer"), judge_with(judged, "gpt"))


def test_own_labels_come_back_as_they_were(small: Campaign, tmp_path: Path, small_file: Path) -> None:
    with small.write():
        olga = small.by("Olga")
        judges.put_judge(
            olga, Judge("gpt", "m", prompt="é", parameters={"temperature": 0.5}, scale=(0, 1, 2))
        )
        answers.put_answers(
            olga,
            "gpt",
            [ModelAnswer("1", "d1", grade=2, raw="2", seconds=1), ModelAnswer("1", "d2", failure="refused")],
        )
        judges.put_judge(olga, Judge("bert"))
        answers.put_answers(olga, "bert", [ModelAnswer("2", "d1", grade=1)])
        judges.put_judge(olga, Judge("gpt", "m2", scale=(0, 1, 2)))
        answers.put_answers(olga, "gpt", [ModelAnswer("1", "d1", grade=0), ModelAnswer("1", "d1", 1, 1)])
        answers.put_answers(olga, "bert", [ModelAnswer("1", "d1", grade=0)])
    text = "".join(exported_lines(model_label_steps(small)))
    (tmp_path / "l.jsonl").write_text(text, encoding="utf-8")
    copyfile(small_file, tmp_path / "again.db")
    with open_campaign(tmp_path / "again.db") as again:
        added = add_model_labels(again.by("Olga"), LabelFiles([str(tmp_path / "l.jsonl")], "workbench"), None)
        assert (added.judges, added.answers, added.unlabelled, added.labels) == (("gpt", "bert"), 6, 1, 4)
        assert "".join(exported_lines(model_label_steps(again))) == text
        assert labels(again, "gpt") == [("1", "d1", 0)]
        assert labels(again, "bert") == [("1", "d1", 0), ("2", "d1", 1)]
        assert judges.versions(again, "gpt") == judges.versions(small, "gpt")
        with refused(CampaignError, "gpt"):
            add_model_labels(again.by("Olga"), LabelFiles([str(tmp_path / "l.jsonl")], "workbench"), None)


def own(*steps: Judge | ModelAnswer) -> str:
    """Lines of the workbench's own form."""
    made = [Step(each, [], []) if isinstance(each, Judge) else Step(None, [each], []) for each in steps]
    return "".join(exported_lines(made))


GPT, ONE = Judge("gpt"), ModelAnswer("1", "d1", grade=1)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{}\n",
        "3\n",
        own(GPT).replace('"scale":[0,1]', '"scale":"01"'),
        own(GPT).replace('"name"', '"nam"'),
        own(GPT) + '{"batch": 1, "topic_id": "1"}\n',
        own(ONE),
        own(GPT, ONE._replace(grade=7)),
        own(GPT, ONE._replace(topic_id="9")),
        own(GPT, ONE).replace("null", "NaN", 1),
    ],
    ids=range(10),
)
def test_what_the_workbench_does_not_write_is_refused(small: Campaign, add: Add, text: str) -> None:
    with refused(InputError):
        add(text, "workbench")
    assert judges.judges(small) == []


TEXTS = st.text(st.characters(exclude_categories=("Cs",)))
IDS = st.text(st.characters(exclude_categories=("Cs", "Cc", "Zs", "Zl", "Zp")), min_size=1, max_size=9)
ANSWERED = st.builds(
    lambda ids, sample, grade, raw: ModelAnswer(*ids, sample, grade, "" if grade is not None else "refused", raw),
    st.tuples(IDS, IDS), st.integers(0, 99), st.integers(-9, 9) | st.none(), TEXTS,
)  # fmt: skip


@given(
    st.lists(st.lists(ANSWERED, min_size=1, max_size=3), max_size=3),
    IDS,
    st.text(st.characters(exclude_categories=("Cs",))),
)
def test_whatever_is_exported_is_read_again(
    tmp_path_factory: pytest.TempPathFactory, batches: Sequence[list[ModelAnswer]], name: str, prompt: str
) -> None:
    steps = [
        Step(Judge(name, prompt=prompt, scale=(0, 3)), [], []),
        *(Step(None, each, []) for each in batches),
    ]
    path = tmp_path_factory.mktemp("out") / "l.jsonl"
    path.write_text("".join(exported_lines(steps)), encoding="utf-8", newline="")
    assert [step._replace(lines=[]) for step in read_exported(path)] == steps


def test_grades_off_the_scale_are_refused_until_it_is_named(small: Campaign, add: Add) -> None:
    with refused(InputError, "labels:2", "'gpt'"):
        add("1 0 d1 2\n1 0 d2 3\n")
    add("1 0 d1 2\n1 0 d2 3\n", scale=(0, 1, 2, 3))
    assert labels(small) == [("1", "d1", 2), ("1", "d2", 3)]


def test_a_campaign_that_forbids_labels_of_models_refuses_their_files(small: Campaign, add: Add) -> None:
    choose_sources(small.by("Olga"), model_labels="forbidden")
    with refused(CampaignError, "small"):
        add("1 0 d1 2\n")


def test_a_judge_and_people_who_judge_have_different_names(small: Campaign, add: Add, tmp_path: Path) -> None:
    add("1 0 d1 2\n")
    with refused(CampaignError, "gpt"):
        add_qrels(small.by("Olga"), [str(tmp_path / "labels")], assessor="gpt")


def test_labels_that_count_ask_the_questions_that_follow_from_them(small: Campaign, add: Add) -> None:
    scale = USUAL[ANSWERS].grades
    declare(small.by("Olga"), Question("readable", "Readable?", scale, asked_from=2))
    choose_sources(small.by("Olga"), model_labels="gaps")
    add("1 0 d1 2\n1 0 d2 1\n")
    assert pools.all_pairs(small.asking("readable")) == [("1!readable", "d1")]


@pytest.mark.data
def test_the_labels_of_a_real_model_come_in_and_go_out_as_they_were(
    data_folder: Path, tmp_path: Path
) -> None:
    path = data_folder / "agreement" / "qrels.rag25.test-umbrela2.txt"
    given = sorted(
        (t, d, int(g)) for t, _, d, g in map(str.split, path.read_text(encoding="utf-8").splitlines())
    )
    with new_campaign(
        tmp_path / "rag.db", title="Rag", grades=tuple(Grade(n, str(n)) for n in range(5)), actor="Olga"
    ) as campaign:
        judge = judge_with(campaign, "umbrela")
        added = add_model_labels(campaign.by("Olga"), LabelFiles([str(path)], "qrels"), judge)
        assert (added.answers, added.labels) == (len(given), len(given))
        assert labels(campaign, "umbrela") == given
        assert [finding for finding in audit(campaign) if finding.wrong] == []
