"""A shared task on real files, by the doors alone: 1,400 documents, 22 runs of four teams, 225 topics."""

from __future__ import annotations

import csv
import gzip
import json
import re
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import ir_measures
import pytest
from ir_measures import AP, P, nDCG
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect

from tests.stories import Program, best_documents, expect_saved, judge, on_screen, pairs, person, sign_in
from workbench.core.natural_order import natural
from workbench.formats.topics.reading import read_topics

pytestmark = [pytest.mark.browser, pytest.mark.data, pytest.mark.slow]

TEAMS = ("teamA", "teamB", "teamC", "teamD")
ORGANISERS_PAGES = ("board", "runs", "pool", "api/board", "download/qrels", "download/scores")
PASSWORDS = {"anna": "long live the wind tunnel", "olga": "boundary layers everywhere"}
MEASURES = (AP, nDCG @ 10, P @ 10)


class Files(NamedTuple):
    """The real files, and what they say when read by a few lines of one's own."""

    folder: Path
    titles: dict[str, str]
    runs: dict[str, str]
    first_ten: dict[str, dict[str, list[str]]]

    def pool(self, depth: int) -> set[tuple[str, str]]:
        """Pairs that some run has among its first documents, ten at most."""
        return {
            (topic_id, document_id)
            for rankings in self.first_ten.values()
            for topic_id, ranking in rankings.items()
            for document_id in ranking[:depth]
        }

    def run_with(self, topic_id: str, document_id: str) -> str:
        """The tag of a run that has this document among its first ten."""
        return next(
            tag for tag, rankings in self.first_ten.items() if document_id in rankings.get(topic_id, ())
        )


@pytest.fixture
def files(data_folder: Path) -> Files:
    folder = data_folder / "cranfield"
    topics = read_topics(str(folder / "trec-xml/cran.qry.xml")).topics
    titles = {str(position): topic.title for position, topic in enumerate(topics, start=1)}
    paths = sorted((folder / "runs").glob("*.txt.gz"))
    runs = {path.name.removesuffix(".txt.gz"): gzip.decompress(path.read_bytes()).decode() for path in paths}
    return Files(folder, titles, runs, {tag: best_documents(run, 10) for tag, run in runs.items()})


def test_a_shared_task_goes_from_run_files_to_scores_that_others_calculate_too(
    browser: Browser, tmp_path: Path, files: Files
) -> None:
    program = Program(tmp_path)
    make_campaign(program, files)
    refuse_the_run_with_wrong_topics(program, files)
    assert pool(program, depth=5) == files.pool(5)
    topic_id, size = min(Counter(topic_id for topic_id, _ in files.pool(5)).items(), key=lambda row: row[1])
    invite(program, "anna", "assessor")
    invite(program, "olga", "organiser")

    with (
        program.serving("serve", "--host", "127.0.0.1", "--port", "0", "--no-open") as server,
        person(browser) as annas,
        person(browser) as olgas,
    ):
        campaign = f"{server.address}c/cranfield/"
        received = record(annas)
        page, board = annas.new_page(), olgas.new_page()
        sign_in(page, server.address, "anna", PASSWORDS["anna"])
        sign_in(board, server.address, "olga", PASSWORDS["olga"])
        board.goto(f"{campaign}board?m=P@10")

        page.goto(f"{campaign}judge?topic={topic_id}")
        meant = [(judge(page, "1").document_id, 1)]
        expect_saved(page)
        row = board.locator(f'tr[data-run="{files.run_with(topic_id, meant[0][0])}"]')
        expect(row).to_contain_text("0.1000")
        expect(board.locator("#sentence")).to_contain_text("1 of 5,254 pooled pairs judged")

        meant += [(judge(page, key).document_id, int(key)) for key in (size * "01")[: size - 1]]
        expect_saved(page)
        take_the_next_topic(page, files, topic_id)
        assert pairs(program.judgments("cranfield")) == meant
        assert {document_id for document_id, _ in meant} == {
            document_id for topic, document_id in files.pool(5) if topic == topic_id
        }

        assert pool(program, depth=10) == files.pool(10)
        page.goto(f"{campaign}judge?topic={topic_id}")
        expect(page.locator("#progress")).to_contain_text(f"{size} of {topic_size(files.pool(10), topic_id)}")
        meant.append((judge(page, "1").document_id, 1))
        expect_saved(page)
        assert pairs(program.judgments("cranfield")) == meant
        assert exported_qrels(program, "cranfield") == {(topic_id, *judged) for judged in meant}

        for place in ORGANISERS_PAGES:
            assert status_of(page, campaign + place) == 403
        assert_nothing_tells_of_runs(received, files, topic_id)

        program.run("add", "qrels", "cranfield", official_qrels(files), "--assessor", "NIST")
        scores = assert_others_calculate_the_same(program)
        for tag, values in scores.items():
            expect(board.locator(f'tr[data-run="{tag}"]')).to_contain_text(f"{values['P@10']:.4f}")

        program.run("backup", "cranfield", "monday.db")
        assert exported_qrels(program, "monday.db") == exported_qrels(program, "cranfield")
        assert program.judgments("monday.db") == program.judgments("cranfield")

    assert "FAILED" not in program.run("audit", "cranfield")
    assert "FAILED" not in program.run("audit", "monday.db")


def make_campaign(program: Program, files: Files) -> None:
    """As an organiser would: topics by their position, the whole collection, the runs team by team."""
    lines = [json.dumps({"topic_id": name, "title": title}) for name, title in files.titles.items()]
    (program.folder / "topics.jsonl").write_text("\n".join(lines) + "\n")
    program.run("new", "cranfield", "--title", "Cranfield")
    assert "225 topics added" in program.said("add", "topics", "cranfield", "topics.jsonl")
    documents = files.folder / "trec-xml/cran.all.1400.xml"
    assert "1,400 documents seen" in program.said("add", "documents", "cranfield", documents, "--complete")
    for team in TEAMS:
        sent_in = sorted((files.folder / "runs").glob(f"{team}-*.txt.gz"))
        said = program.said("add", "runs", "cranfield", *sent_in, "--team", team)
        assert f"{len(sent_in)} runs added" in said


def refuse_the_run_with_wrong_topics(program: Program, files: Files) -> None:
    """It is caught by the check and by the door, and leaves the campaign as it was."""
    wrong = files.folder / "runs-bad/wrong-topic-ids.txt"
    for command in (("check", wrong, "--campaign", "cranfield"), ("add", "runs", "cranfield", wrong)):
        said = program.refused(*command)
        assert said.startswith(f"{wrong}: refused: ")
        assert f"\n  {wrong}:1: topic '001' is not in the campaign" in said
    tags = [
        row["run"]
        for row in csv.DictReader(program.run("score", "cranfield", "--format", "csv").splitlines())
    ]
    assert sorted(tags) == sorted(files.runs)


def pool(program: Program, *, depth: int) -> set[tuple[str, str]]:
    """Make or grow the pool; the pooled pairs as they are exported, each of them once."""
    said = program.said("pool", "cranfield", "--depth", str(depth))
    assert "without a text" not in said
    lines = [line.split() for line in program.run("export", "pool", "cranfield").splitlines()]
    exported = {(topic_id, document_id) for topic_id, document_id in lines}
    assert len(exported) == len(lines)
    return exported


def topic_size(pooled: set[tuple[str, str]], topic_id: str) -> int:
    return sum(topic == topic_id for topic, _ in pooled)


def invite(program: Program, name: str, role: str) -> None:
    program.run("user", "add", name, "--password", PASSWORDS[name])
    program.run("member", "add", "cranfield", name, "--role", role)


def take_the_next_topic(page: Page, files: Files, topic_id: str) -> None:
    """The finished topic says so, and offers the one that follows as people count."""
    expect(page.locator("#document h2")).to_have_text("Topic complete")
    ordered = sorted(files.titles, key=natural)
    following = ordered[ordered.index(topic_id) + 1]
    offer = page.get_by_role("link", name="Next topic")
    expect(offer).to_have_text(f"Next topic: {files.titles[following]}")
    offer.click()
    expect(page).to_have_url(re.compile(rf"topic={following}&document="))
    on_screen(page)


def official_qrels(files: Files) -> Path:
    return files.folder / "trec-xml/cranqrel.trec.txt"


def exported_qrels(program: Program, campaign: str) -> set[tuple[str, str, int]]:
    lines = [line.split() for line in program.run("export", "qrels", campaign).splitlines()]
    assert lines == sorted(lines, key=lambda line: (line[0].encode(), line[2].encode()))
    return {(topic_id, document_id, int(grade)) for topic_id, _, document_id, grade in lines}


def assert_others_calculate_the_same(program: Program) -> dict[str, dict[str, float]]:
    """The program's scores of all runs, which those of another program equal to four digits."""
    program.run("export", "runs", "cranfield", "-o", "runs/")
    program.run("export", "qrels", "cranfield", "-o", "qrels.txt")
    words = [word for measure in MEASURES for word in ("-m", str(measure))]
    table = program.run("score", "cranfield", *words, "--format", "csv")
    ours = {
        row.pop("run"): {name: float(value) for name, value in row.items()}
        for row in csv.DictReader(table.splitlines())
    }
    assert len(ours) == 22
    qrels = list(ir_measures.read_trec_qrels(str(program.folder / "qrels.txt")))
    evaluator = ir_measures.evaluator(MEASURES, qrels)
    for tag, values in ours.items():
        run = ir_measures.read_trec_run(str(program.folder / f"runs/{tag}.run"))
        theirs = {str(measure): value for measure, value in evaluator.calc_aggregate(run).items()}
        assert {name: f"{value:.4f}" for name, value in values.items()} == {
            name: f"{value:.4f}" for name, value in theirs.items()
        }, tag
    return ours


class Received(NamedTuple):
    """One answer as a browser got it: its address, its head, and its body."""

    address: str
    head: str
    body: str


def record(context: BrowserContext) -> list[Received]:
    """Everything that a browser receives from here on, kept before the page gets it: nothing is seen too late."""
    received: list[Received] = []

    def keep(route: Route) -> None:
        answer = route.fetch(max_redirects=0)
        received.append(Received(route.request.url, json.dumps(answer.headers), answer.body().decode()))
        route.fulfill(response=answer)

    context.route("**/*", keep)
    return received


def status_of(page: Page, address: str) -> int:
    response = page.goto(address)
    assert response is not None
    return response.status


def assert_nothing_tells_of_runs(received: list[Received], files: Files, topic_id: str) -> None:
    """No run, team, rank or score is in any answer, be it in the address, the head or the body."""
    assert sum(answer.body.count("document-text") for answer in received) > 10
    assert sum("/api/judgments" in answer.address for answer in received) > 8
    of_topic = [
        line.split()
        for run in files.runs.values()
        for line in run.splitlines()
        if line.startswith(f"{topic_id} ")
    ]
    scores = {line[4] for line in of_topic if len(line[4].partition(".")[2]) >= 4}
    assert len(scores) > 100
    names = [*files.runs, *TEAMS]
    fields = re.compile(r'(?<!\\)"(run|runs|tag|team|rank|best_rank|score|scores|ranking)"\s*:')
    for answer in received:
        text = answer.address + answer.head + answer.body
        # A number counts as a whole: the digits of a score are also within the time that an ETag is made of.
        told = [name for name in names if name in text] + sorted(scores & set(re.findall(r"\d+\.\d+", text)))
        assert told == [], answer.address
        if "/static/" not in answer.address:
            assert not fields.search(answer.body), answer.address
