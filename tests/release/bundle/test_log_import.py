"""What many assessors bring along comes out of a bundle in its order: rules, assignments, draws, sessions."""

from __future__ import annotations

import json
import zipfile
from functools import partial
from pathlib import Path

import pytest

from tests.conftest import SMALL_DOCUMENTS
from tests.log_rows import row
from tests.release.bundle.test_importing import changed
from tests.sentences import refused, says
from workbench.analysis.between_assessors.coefficients import agreement
from workbench.analysis.between_assessors.gathering import drawn_sample
from workbench.analysis.norming import outcome_of
from workbench.campaign import assigning
from workbench.campaign.assessing.repeats import set_repeats
from workbench.campaign.content_changes import mark_broken, mark_not_broken, restore_topics, withdraw_topics
from workbench.campaign.ingest import add_documents
from workbench.campaign.pools.making import add_pool
from workbench.campaign.pools.pool_job import retire_pool
from workbench.campaign.rounds import cancel_round, open_round
from workbench.campaign.submissions.correcting import Correction, correct_run
from workbench.core.errors import InputError
from workbench.core.model_answers import Judge, ModelAnswer
from workbench.core.records import REPEAT
from workbench.release.audit.checks import audit
from workbench.release.bundle.importing import import_bundle
from workbench.release.bundle.judging_arrangements import SETTINGS
from workbench.release.bundle.writing import BundleOptions, save_bundle
from workbench.release.export import export_qrels
from workbench.storage.campaign import Campaign, open_campaign
from workbench.storage.campaign.assigning import assignments, norming
from workbench.storage.campaign.collection import broken, run_details, runs, topic_withdrawals
from workbench.storage.campaign.collection.run_details import RunDetails
from workbench.storage.campaign.grades import judging_again
from workbench.storage.campaign.log import log
from workbench.storage.campaign.models import judges
from workbench.storage.campaign.models.answers import put_answers
from workbench.storage.campaign.organising import settings


def replaced(data: bytes, before: bytes, after: bytes) -> bytes:
    """The data with one thing in the place of another that is there."""
    assert before in data
    return data.replace(before, after, 1)


@pytest.fixture
def arranged(small: Campaign) -> Campaign:
    """A campaign with a bit of everything that many assessors bring along."""
    assigning.choose_who_judges(small.by("Olga"), "assigned")
    wanted = [("1", "whole", "Zoë"), ("2", "whole", "anna"), ("10", "whole", "Nobody yet")]
    with small.write():
        assignments.put(small.by("Olga"), [], wanted)
        settings.change(small.by("Olga"), {"label_rule": "most lenient"})
    assigning.draw_double(small.by("Olga"), 0.6, 7, stratify="topic", assessors=["Ben"])
    with small.write():
        norming.put_open(small.by("Olga"), "2", ["d1", "d2"])
        log.append_judgments(
            small, [row(who, "2", "d1", grade, kind="norming") for who, grade in (("Ben", 0), ("anna", 2))]
        )
        norming.put_revealed(small.by("Olga"), 1)
        log.append_judgments(small, [row("Ben", "2", "d1", 1, kind="norming")])
        log.append_judgments(small, [row("anna", "2", "d1", 2, source=norming.source_of(1))])
        norming.put_closed(small.by("Olga"), 1, counts=True)
        told = [("Zoë", "d1", 1), ("Ben", "d1", 0), ("Zoë", "d2", 2), ("Ben", "d2", 2), ("Ben", "d4", 1)]
        log.append_judgments(small, [row(who, "1", *rest) for who, *rest in told])
        log.append_judgments(small, [row("Zoë", "1", "d1", 2, kind=REPEAT), row("Ben", "2", "d1", 0)])
        settings.change(small.by("Olga"), {"label_rule": "adjudicated first"})
        log.append_judgments(small, [row("Zoë", "1", "d1", 0, kind="adjudication", comment="a secret")])
        assignments.close_topics(small.by("Olga"), ["2"], reason="a secret")
    set_repeats(small.by("Olga"), 0.25, 3, 9)
    return small


def numbers(campaign: Campaign) -> list[object]:
    """Agreement in every way to ask for it, without names."""
    both = [agreement(campaign, sample=sample) for sample in (None, drawn_sample(campaign))]
    found = [*both, agreement(campaign, "topic"), agreement(campaign, "assessor")]
    return [
        (each.judged, each.shared, [(scope.pairs, scope.binary, scope.graded) for scope in each.scopes])
        for each in found
    ]


def test_agreement_comes_out_of_a_bundle_as_it_was_with_all_that_it_rests_on(
    arranged: Campaign, tmp_path: Path
) -> None:
    path = save_bundle(arranged, tmp_path / "small.zip", options=BundleOptions(runs=True)).path
    assert import_bundle(path, tmp_path / "again.db", actor="Olga").same_scores
    with open_campaign(tmp_path / "again.db") as again:
        assert [finding for finding in audit(again) if finding.wrong] == []
        assert numbers(again) == numbers(arranged)
        assert export_qrels(again).qrels == export_qrels(arranged).qrels
        rules, told = settings.read(again), settings.read(arranged)
        for name in SETTINGS:
            assert getattr(rules, name) == getattr(told, name)
        assert list(assignments.closed(again)) == ["2"]
        given = assignments.stored(again).now
        assert [name for (topic_id, name), (part, *_) in given.items() if part == "whole"] == [
            "assessor-3",
            "assessor-2",
        ]
        outcomes = [
            [outcome_of(each, session)[3:] for session in norming.all_sessions(each)]
            for each in (again, arranged)
        ]
        for found, first in zip(*outcomes, strict=True):
            assert [(scope.pairs, scope.graded) for scope in found if scope] == [
                (scope.pairs, scope.graded) for scope in first if scope
            ]
        rules_then = [
            event.content for event in log.events(again, "settings") if "label_rule" in event.content
        ]
    assert [each["label_rule"] for each in rules_then] == ["most lenient", "adjudicated first"]


def test_a_bundle_of_many_assessors_names_none_of_them_and_gives_no_reasons(
    arranged: Campaign, tmp_path: Path
) -> None:
    path = save_bundle(arranged, tmp_path / "small.zip").path
    with zipfile.ZipFile(path) as source:
        texts = {name.partition("/")[2]: source.read(name).decode() for name in source.namelist()}
    for text in texts.values():
        assert not any(name in text for name in ("Zoë", "Ben", "anna", "Nobody yet", "Olga", "a secret"))
    assert {len(json.loads(line)["day"]) for line in texts["arrangements.jsonl"].splitlines()} == {10}, (
        "no time"
    )
    rows = [json.loads(line) for line in texts["judgments.jsonl"].splitlines()]
    assert [line["kind"] for line in rows if "norming" in line] == ["norming", "norming", "norming", "grade"]


def test_a_bundle_without_runs_passes_the_audit_which_says_what_it_lacks(
    arranged: Campaign, tmp_path: Path
) -> None:
    import_bundle(save_bundle(arranged, tmp_path / "small.zip").path, tmp_path / "again.db", actor="Olga")
    with open_campaign(tmp_path / "again.db") as again:
        findings = audit(again)
        assert numbers(again) == numbers(arranged)
    assert [finding for finding in findings if finding.wrong] == []
    assert says("\n".join([sentence for finding in findings for sentence in finding.not_checked]))


def test_topics_are_withdrawn_and_restored_in_turn(small: Campaign, tmp_path: Path) -> None:
    withdraw_topics(small.by("Olga"), ["1", "2"], reason="too easy")
    restore_topics(small.by("Olga"), ["1"])
    path = save_bundle(small, tmp_path / "small.zip").path
    import_bundle(path, tmp_path / "again.db", actor="Olga")
    with open_campaign(tmp_path / "again.db") as again:
        assert list(topic_withdrawals.withdrawn(again)) == ["2"]
    for before, after in (
        (b'"kind":"topic restoration","topics":["1"]', b'"kind":"topic restoration","topics":["10"]'),
        (b'"kind":"topic restoration","topics":["1"]', b'"kind":"topic withdrawal","topics":["1"]'),
        (b'"topics":["1","2"]', b'"topics":["1","2","1"]'),
    ):
        twice = changed(path, "arrangements.jsonl", partial(replaced, before=before, after=after))
        with refused(InputError):
            import_bundle(twice, tmp_path / "twice.db", actor="Olga")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('"label_rule":"most lenient"', '"label_rule":"the loudest"'),
        ('"label_rule":"adjudicated first"', '"label_rule":"newest"'),
        ('"repeat_share":0.25', '"repeat_share":2'),
        ('"repeat_gap":3', '"repeat_gap":0'),
        ('"who_judges":', '"title":'),
        ('["1","whole","assessor-3"]', '["7","whole","assessor-3"]'),
        ('["1","whole","assessor-3"]', '["1","half","assessor-3"]'),
        ('["1","whole","assessor-3"]', '["1","whole"]'),
        ('"norming":1', '"norming":2'),
        ('"kind":"norming opened"', '"kind":"norming closed","counts":true'),
        ('"kind":"norming revealed"', '"kind":"member"'),
        ('"documents":["d1","d2"]', '"documents":["d1","d1"]'),
        ('"counts":true', '"counts":"yes"'),
        ('"topics":["2"]', '"topics":["99"]'),
    ],
)
def test_an_arrangement_that_cannot_be_is_refused(
    arranged: Campaign, tmp_path: Path, before: str, after: str
) -> None:
    path = save_bundle(arranged, tmp_path / "small.zip", options=BundleOptions(runs=True)).path
    broken = partial(replaced, before=before.encode(), after=after.encode())
    with pytest.raises(InputError, match=r"arrangements\.jsonl"):
        import_bundle(changed(path, "arrangements.jsonl", broken), tmp_path / "again.db", actor="Olga")
    assert not (tmp_path / "again.db").exists()


@pytest.mark.parametrize(
    "changes",
    [
        {"topic": "99"},
        {"pool": 9},
        {"pairs": [["d1", 1, 1]]},
        {"pairs": [["d3", 3, 1], ["d3", 3, 1]]},
        {"seen": 8},
    ],
)
def test_a_choice_that_cannot_be_is_refused(
    small: Campaign, tmp_path: Path, changes: dict[str, object]
) -> None:
    add_pool(small.by("Olga"), strategy="mtf", depth=3)
    path = save_bundle(small, tmp_path / "small.zip", options=BundleOptions(runs=True)).path

    def broken(data: bytes) -> bytes:
        lines = data.decode().splitlines()
        rows = [json.loads(line) for line in lines]
        place = next(place for place, row in enumerate(rows) if row.get("kind") == "choice")
        lines[place] = json.dumps(rows[place] | changes)
        return ("\n".join(lines) + "\n").encode()

    with refused(InputError):
        import_bundle(changed(path, "arrangements.jsonl", broken), tmp_path / "again.db", actor="Olga")


def test_sources_of_labels_and_how_they_count_come_out_of_a_bundle(small: Campaign, tmp_path: Path) -> None:
    with small.write():
        log.append_judgments(small, [row("Ann", "1", "d1", 2), row("NIST", "1", "d1", 0, kind="import")])
        judges.put_judge(small.by("Olga"), Judge("gpt"))
        put_answers(small.by("Olga"), "gpt", [ModelAnswer("1", each, grade=1) for each in ("d1", "d2")])
        settings.change(small.by("Olga"), {"model_labels": "gaps"})
    path = save_bundle(small, tmp_path / "small.zip", options=BundleOptions(runs=True)).path
    assert import_bundle(path, tmp_path / "again.db", actor="Olga").same_scores
    with open_campaign(tmp_path / "again.db") as again:
        found = [(qrel.document_id, qrel.grade) for qrel in export_qrels(again).qrels]
        assert found == [("d1", 2), ("d2", 1)]
        rows = again.db.execute(
            "SELECT name, source_class FROM judgment JOIN person ON id = assessor ORDER BY seq"
        ).fetchall()
        assert rows == [
            ("assessor-1", "assessor"),
            ("assessor-2", "import"),
            ("gpt", "model"),
            ("gpt", "model"),
        ]
        assert [finding for finding in audit(again) if finding.wrong] == []


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('"kind":"round","name":"3"', '"kind":"round","name":"2"'),
        ('"kind":"round cancelled","name":"3"', '"kind":"round cancelled","name":"2"'),
        ('"kind":"round","name":"3"', '"kind":"round","name":"a b"'),
        ('"kind":"retirement","pool":2', '"kind":"retirement","pool":7'),
        ('"kind":"retirement","pool":2', '"kind":"retirement","pool":"2"'),
    ],
)
def test_what_begins_is_not_there_before_and_what_ends_is(
    small: Campaign, tmp_path: Path, before: str, after: str
) -> None:
    retire_pool(small.by("Olga"), add_pool(small.by("Olga"), depth=1).pool.pool, reason="wrong")
    open_round(small.by("Olga"), "2")
    with small.write():
        log.append_judgments(small, [row("Ann", "1", "d1", 1)])
    open_round(small.by("Olga"), "3")
    cancel_round(small.by("Olga"), "3")
    path = save_bundle(small, tmp_path / "small.zip", options=BundleOptions(runs=True)).path
    broken = partial(replaced, before=before.encode(), after=after.encode())
    with refused(InputError):
        import_bundle(changed(path, "arrangements.jsonl", broken), tmp_path / "again.db", actor="Olga")


def test_what_is_said_of_runs_what_is_judged_again_and_broken_texts_come_out_of_a_bundle(
    small: Campaign, tmp_path: Path
) -> None:
    correct_run(small.by("Olga"), "alpha", Correction(priority=2, depth=50))
    with small.write():
        log.append_judgments(small, [row("Ben", "1", "d1", 0), row("Zoë", "1", "d2", 2)])
        judging_again.put(
            small.by("Olga"), [("1", "d1", "Zoë"), ("1", "d2", "Nobody yet")], reason="a secret"
        )
        judging_again.put(small.by("Olga"), [("1", "d2", "Ben")], reason="a secret")
        log.append_judgments(small, [row("Ben", "1", "d2", 1)])
    mark_broken(small.by("Olga"), ["d1"], reason="a secret")
    mark_broken(small.by("Olga"), ["d2"], reason="a secret")
    mark_not_broken(small.by("Olga"), ["d2"])
    saved = save_bundle(small, tmp_path / "small.zip", options=BundleOptions(runs=True, names="names"))
    with zipfile.ZipFile(saved.path) as archive:
        told = [archive.read(name).decode() for name in archive.namelist() if name.endswith("l")]
    assert not any("a secret" in text or "Nobody yet" in text for text in told)
    import_bundle(saved.path, tmp_path / "again.db", actor="Olga")
    texts = [{"id": id_, "title": f"Document {id_}", "text": SMALL_DOCUMENTS[id_]} for id_ in ("d1", "d2")]
    (tmp_path / "texts.jsonl").write_text("".join(json.dumps(text) + "\n" for text in texts))
    with open_campaign(tmp_path / "again.db") as again:
        said = {run.record.tag: run_details.details(again).get(run.run) for run in runs.all_runs(again)}
        assert said == {"alpha": RunDetails(priority=2, depth=50), "beta": None}
        assert [request[:3] + request[4:] for request in judging_again.holding(again)] == [
            ("1", "d1", "Zoë", True),
            ("1", "d2", "Ben", False),
        ]
        assert broken.marked(again) == {}, "its texts are not here yet"
        add_documents(again.by("Olga"), [str(tmp_path / "texts.jsonl")], keep_all=True)
        assert set(broken.marked(again)) == {"d1"}, "the text is the one that was marked"
        assert not [finding.wrong for finding in audit(again) if finding.wrong]
