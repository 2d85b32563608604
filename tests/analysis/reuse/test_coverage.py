"""How much is judged, and topics in which relevant documents are left."""

from __future__ import annotations

from pathlib import Path

from tests.analysis.reuse.conftest import Made
from tests.fixture_types import JudgeAs
from tests.labels_of_models import add_labels_of_model
from workbench.analysis.reuse.coverage import Coverage, DenseTopic, LateTopic
from workbench.analysis.reuse.report import reuse
from workbench.campaign.ingest import add_documents
from workbench.storage.campaign import Campaign


def test_judged_goes_down_to_the_cutoff_of_the_measure(made: Made) -> None:
    campaign = made(depth=3)
    # Of a1 d1 d2 d3 are judged, of a2 d1 d2 d6, of b1 d7 d1 d8 d2: of the first five 3, 3 and 4.
    assert reuse(campaign, "P@4").coverage == Coverage(4, {"a1": 0.75, "a2": 0.75, "b1": 1.0}, {"1": 2.5 / 3})
    assert reuse(campaign, "AP").coverage == Coverage(10, {"a1": 0.6, "a2": 0.6, "b1": 0.8}, {"1": 2 / 3})


def test_a_topic_that_a_run_lacks_is_not_unjudged(made: Made) -> None:
    runs = {"a": ("A", {"1": "d1 d2", "2": "d1"}), "b": ("B", {"1": "d3 d2"})}
    grades = {"1": {"d1": 1, "d2": 1, "d3": 1}, "2": {"d1": 1}}
    found = reuse(made(runs, grades, depth=2), "AP").coverage
    assert found.runs == {"a": 1.0, "b": 1.0}
    assert found.topics == {"1": 1.0, "2": 1.0}


def test_dense_topics_have_more_than_a_third_relevant(made: Made) -> None:
    runs = {
        "a": ("A", {"1": "d1 d2 d3", "2": "d1 d2 d3", "3": "d1 d2"}),
        "b": ("B", {"1": "d1", "2": "d1", "3": "d1"}),
    }
    grades = {"1": {"d1": 1, "d2": 0, "d3": 0}, "2": {"d1": 1, "d2": 2, "d3": 0}, "3": {"d1": 1, "d2": 0}}
    campaign = made(runs, grades, depth=3)
    assert reuse(campaign, "AP").dense == (DenseTopic("2", 3, 2), DenseTopic("3", 2, 1))
    # Relevant from 2 on only one of three is.
    assert reuse(campaign, "AP(rel=2)").dense == ()


def judged_in_order(campaign: Campaign, judging_as: JudgeAs, grades: list[int]) -> None:
    for number, grade in enumerate(grades, start=1):
        judging_as(campaign, "Anna", "1", f"d{number}", grade)


def ten_documents(made: Made, name: str) -> Campaign:
    documents = " ".join(f"d{number}" for number in range(1, 12))
    runs = {"a": ("A", {"1": documents}), "b": ("B", {"1": "d1"})}
    campaign = made(runs, {}, name=name, depth=11)
    path = campaign.path.parent / "documents.jsonl"
    path.write_text("".join(f'{{"id": "d{number}", "text": "text"}}\n' for number in range(1, 12)))
    add_documents(campaign.by("Olga"), [str(path)])
    return campaign


def test_late_topics_still_find_relevant_documents(made: Made, judging_as: JudgeAs) -> None:
    # Of eleven judgments the last tenth are two, in the order in which they were first made.
    late = ten_documents(made, "late")
    judged_in_order(late, judging_as, [1] + 8 * [0] + [1, 0])
    judging_as(late, "Ben", "1", "d1", 1)
    assert reuse(late, "AP").late == (LateTopic("1", 2, 1),)
    early = ten_documents(made, "early")
    judged_in_order(early, judging_as, [1, 1] + 9 * [0])
    assert reuse(early, "AP").late == ()
    few = ten_documents(made, "few")
    judged_in_order(few, judging_as, 8 * [0] + [1])
    assert reuse(few, "AP").late == ()


def test_imported_judgments_have_no_order(made: Made) -> None:
    ids = [f"d{number}" for number in range(1, 12)]
    runs = {"a": ("A", {"1": " ".join(ids)}), "b": ("B", {"1": "d1"})}
    grades = {"1": {each: int(number > 7) for number, each in enumerate(ids)}}
    assert reuse(made(runs, grades, depth=11), "AP").late == ()


def test_labels_of_models_have_no_order_either_also_of_pairs_outside_the_pool(
    made: Made, judging_as: JudgeAs, tmp_path: Path
) -> None:
    late = ten_documents(made, "late")
    path = tmp_path / "model.qrels"
    path.write_text("1 0 d2 1\n1 0 nowhere 1\n", encoding="utf-8")
    add_labels_of_model(late, path, "model")
    judged_in_order(late, judging_as, [1] + 8 * [0] + [1, 0])
    assert reuse(late, "AP").late == (LateTopic("1", 2, 1),)
