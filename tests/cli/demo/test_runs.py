from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from workbench.cli.demo.runs import DEPTH, RECIPES, Recipe, run_lines, singular
from workbench.cli.demo.topics import TOPICS
from workbench.core.records import Document, Topic
from workbench.formats.runs import RunFile, read_run

CATS = Topic("1", "cats and boxes", "Where do cats sleep?")
DOCUMENTS = [
    Document("a", "Cats", "A cat sleeps."),
    Document("b", "Dogs", "A dog sleeps."),
    Document("c", "Cats", "A cat sleeps."),
    Document("d", "CatBox", "A box."),
]


@pytest.fixture(scope="module")
def documents() -> list[Document]:
    """Enough documents for a full ranking of any topic: each topic's own words, repeated more or less often."""
    texts = [f"{topic.title} {topic.description} {topic.narrative}" for topic in TOPICS]
    return [
        Document(f"{number:04}", title=text[: number % 60], text=" ".join([text] * (1 + number % 3)))
        for number, text in enumerate(texts * 8)
    ]


@pytest.fixture(scope="module")
def files(documents: list[Document], tmp_path_factory: pytest.TempPathFactory) -> list[RunFile]:
    folder = tmp_path_factory.mktemp("runs")
    for recipe in RECIPES:
        lines = run_lines(recipe, TOPICS, documents)
        (folder / recipe.tag).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return [read_run(folder / recipe.tag) for recipe in RECIPES]


def documents_of(lines: list[str]) -> list[str]:
    return [line.split()[2] for line in lines]


def test_six_different_runs_of_several_teams_are_valid_and_have_every_topic(files: list[RunFile]) -> None:
    assert len({recipe.tag for recipe in RECIPES}) == len(RECIPES) >= 6
    assert len({recipe.team for recipe in RECIPES}) >= 2
    assert [(file.tag, file.warnings) for file in files] == [(recipe.tag, ()) for recipe in RECIPES]
    for file in files:
        lengths = Counter(file.frame["topic_id"])
        assert set(lengths) == {topic.topic_id for topic in TOPICS}
        assert max(lengths.values()) <= DEPTH
    rankings = {tuple(file.frame.select("topic_id", "document_id").iter_rows()) for file in files}
    assert len(rankings) == len(files)


def test_only_documents_with_a_word_of_the_topic_are_found() -> None:
    lines = list(run_lines(Recipe("tag", "team", stemmed=True), [CATS], DOCUMENTS))
    assert set(documents_of(lines)) == {"a", "c", "d"}


def test_equal_scores_stand_in_descending_order_of_the_ids() -> None:
    lines = list(run_lines(Recipe("tag", "team"), [Topic("1", "sleeps")], DOCUMENTS[:3]))
    assert documents_of(lines) == ["c", "b", "a"]
    assert len({line.split()[4] for line in lines}) == 1


def test_names_of_code_count_as_the_words_they_are_made_of() -> None:
    recipe = Recipe("tag", "team", document_fields=("title",))
    assert documents_of(list(run_lines(recipe, [Topic("1", "box")], DOCUMENTS))) == ["d"]


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        *(("queries", "query"), ("files", "file"), ("threads", "thread"), ("process", "process")),
        *(("status", "status"), ("trees", "trees"), ("goes", "goes"), ("is", "is"), ("cat", "cat")),
    ],
)
def test_a_plural_loses_its_ending(word: str, expected: str) -> None:
    assert singular(word) == expected


def test_runs_do_not_depend_on_the_seed_of_hashes() -> None:
    program = (
        "from workbench.cli.demo.runs import RECIPES, run_lines\n"
        "from workbench.cli.demo.topics import TOPICS\n"
        "from workbench.core.records import Document\n"
        "documents = [Document(topic.topic_id, topic.title, topic.narrative) for topic in TOPICS]\n"
        "print([list(run_lines(recipe, TOPICS[:4], documents)) for recipe in RECIPES])\n"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": seed},
            cwd=Path(__file__).parents[3],
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(outputs) == 1
