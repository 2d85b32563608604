"""Runs that are scored one by one and then put together: every number, warning and error of all at once."""

from __future__ import annotations

import io
import pickle
import random
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.clusters import InThisProcess, without_processes
from tests.sentences import refused
from workbench.core.errors import InputError
from workbench.formats.text.content import Content, load
from workbench.jobs.cluster import Task, Workers
from workbench.scoring.evaluation import on_cluster
from workbench.scoring.evaluation.evaluate import Options
from workbench.scoring.evaluation.from_files import Evaluated, combined, evaluate_files
from workbench.scoring.evaluation.on_cluster import (
    _reported_once,
    _scored,
    _Shared,
    evaluate_named,
    evaluate_on,
)
from workbench.scoring.evaluation.selection import PROFILES, choose
from workbench.scoring.evaluation.tables import RENDERINGS

TOPICS = ("10", "9", "x1", "q")


def made(folder: Path, runs: int = 5) -> tuple[str, list[str]]:
    """Qrels with a warning, and runs: two have the same tag, one lacks a topic, one has a topic without judgments."""
    chance = random.Random(7)
    lines = [
        f"{topic} 0 d{document} {chance.choice([-1, 0, 0, 1, 1, 2, 3])}\n"
        for topic in TOPICS
        for document in range(40)
    ]
    (folder / "qrels").write_text("#1 0 d1 1\n" + "".join(lines))
    files = []
    for number in range(runs):
        topics = TOPICS[1:] if number == 1 else (*TOPICS, "other") if number == 2 else TOPICS
        file = folder / f"run{number}"
        file.write_text(
            "".join(
                f"{topic} Q0 d{document} 0 {chance.randrange(30) / 7} tag{number % 4}\n"
                for topic in topics
                for document in chance.sample(range(60), 25 + number)
            )
        )
        files.append(str(file))
    return str(folder / "qrels"), files


def one_by_one(
    qrels: str, runs: Sequence[str], names: Sequence[str], options: Options, profile: str = "trec_eval-10"
) -> Evaluated:
    """What a cluster does, in this process; what goes from one process to another is pickled."""
    followed = PROFILES[profile]
    requested = choose(names, followed, {"rel": 1})
    shared = _Shared(load(qrels), tuple(requested), options._replace(profile=followed))
    found = [pickle.loads(pickle.dumps(_scored(pickle.loads(pickle.dumps(shared)), run))) for run in runs]
    problems = [each for each in found if isinstance(each, tuple) and not hasattr(each, "evaluation")]
    if problems:
        raise InputError(_reported_once(qrels, problems))
    return combined(found, requested, options)


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize(
    "options", [Options(), Options(complete=True), Options(depth=5, judged_only=True), Options(depth=0)]
)
def test_runs_one_by_one_have_the_numbers_and_the_warnings_of_all_at_once(
    tmp_path: Path, options: Options, profile: str
) -> None:
    qrels, runs = made(tmp_path)
    names = ["all_trec", "runid", "relstring.7", "nDCG@10", "RBP(p=0.8)", "AP(rel=2)", "ERR@5", "INST"]
    requested = choose(names, PROFILES[profile], {"rel": 1})
    whole = evaluate_files(qrels, runs, requested, options._replace(profile=PROFILES[profile]))
    parts = one_by_one(qrels, runs, names, options, profile)
    assert parts.warnings == whole.warnings
    assert parts.warnings
    for kind in ("trec", "csv", "json"):
        one, other = ("".join(RENDERINGS[kind](each.evaluation, True, True)) for each in (whole, parts))
        assert one == other
    for one, other in zip(whole.evaluation.scores.values(), parts.evaluation.scores.values(), strict=True):
        assert one.requested.name == other.requested.name
        np.testing.assert_array_equal(one.by_topic, other.by_topic)
        np.testing.assert_array_equal(one.overall, other.overall)


@pytest.mark.parametrize("nothing_judged", [False, True])
def test_what_is_wrong_with_several_files_is_told_as_of_all_at_once(
    tmp_path: Path, nothing_judged: bool
) -> None:
    qrels, runs = made(tmp_path)
    if nothing_judged:
        wrong = [runs[0], runs[3]]
        for file in wrong:
            Path(file).write_text("other Q0 d1 0 1 t\n")
    else:
        runs.append(str(tmp_path / "missing"))
        wrong = [qrels, runs[1], runs[3], runs[-1]]
        Path(qrels).write_text("9 0 d1 1\n9 0 d1 0\n9 0 d2 much\n")
        Path(runs[1]).write_text("9 Q0 d1 0 x t\n9 Q0 d1 0 1 t\n")
        Path(runs[3]).write_text("9 Q0 d1 0 1 t\n9 Q0 d1 0 1 t\n")
    with pytest.raises(InputError) as whole:
        evaluate_files(qrels, runs, choose(["AP"], PROFILES["trec_eval-10"], {"rel": 1}))
    with pytest.raises(InputError) as parts:
        one_by_one(qrels, runs, ["AP"], Options())
    assert parts.value.problems == whole.value.problems
    assert {problem.file for problem in whole.value.problems} == set(wrong)


def test_runs_that_others_score_have_the_numbers_and_the_warnings_of_all_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = without_processes(monkeypatch, "workbench.scoring.evaluation.on_cluster")
    qrels, runs = made(tmp_path)
    followed = PROFILES["trec_eval-10"]
    requested = choose(["map", "relstring.5", "P.5"], followed, {"rel": 1})
    alone = evaluate_files(qrels, runs, requested, Options(profile=followed))
    found = evaluate_on(Workers(number=2), qrels, runs, requested, Options(profile=followed))
    assert found.warnings == alone.warnings
    for rendering in RENDERINGS.values():
        one, other = ("".join(rendering(each.evaluation, True, True)) for each in (alone, found))
        assert one == other
    named = dict(zip("edcba", runs, strict=True))
    again = evaluate_named(Workers(number=2), qrels, named, requested, Options(profile=followed))
    assert again.evaluation.tags == tuple("edcba")
    assert len(asked) == 2
    with refused(InputError):
        evaluate_named(
            Workers(number=2), qrels, {"a": {"1": {"d1": 1.0}}}, requested, Options(profile=followed)
        )
    with refused(InputError):
        evaluate_on(Workers(number=2), "-", ["-"], requested)


def test_runs_from_standard_input_and_patterns_go_to_others_as_what_they_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    qrels, (first, second, *_) = made(tmp_path, 2)
    requested = choose(["map"], PROFILES["trec_eval-10"], {"rel": 1})
    alone = evaluate_files(qrels, [first, second], requested).evaluation
    sent: list[tuple[str, type]] = []

    class Noting(InThisProcess):
        def each(self, function: Any, shared: Any, tasks: Sequence[Task]) -> Any:
            sent.extend((task.name, type(task.given)) for task in tasks)
            return super().each(function, shared, tasks)

    @contextmanager
    def cluster(_: Workers) -> Iterator[InThisProcess]:
        yield Noting()

    monkeypatch.setattr(on_cluster, "cluster", cluster)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(Path(first).read_bytes())))
    found = evaluate_on(Workers(number=2), qrels, ["-", second], requested).evaluation
    assert sent == [("-", Content), (second, str)]
    monkeypatch.setattr(on_cluster, "expanded", lambda runs: [first, *runs[1:]])
    listed = evaluate_named(
        Workers(number=2), qrels, ["mem://*", Path(second)], requested, Options()
    ).evaluation
    one = evaluate_named(Workers(number=2), qrels, Path(first), requested, Options()).evaluation
    (name,) = alone.scores
    for other, columns in ((found, 2), (listed, 2), (one, 1)):
        assert other.tags == alone.tags[:columns]
        assert (other.scores[name].by_topic == alone.scores[name].by_topic[:, :columns]).all()
