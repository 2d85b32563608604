"""Two assessors judge an adaptive pool to its budget, while the server is killed twice."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.sentences import says
from tests.stories import (
    A_WHILE,
    Program,
    expect_saved,
    judge,
    loaded_ahead,
    own_port,
    pairs,
    person,
    sign_in,
)

pytestmark = [pytest.mark.browser, pytest.mark.slow]

PASSWORD = "the river is deep"
TOPIC_OF = {"anna": "1", "ben": "2"}
SHARE = 15
"""Pairs that each topic may have, of 30 candidates."""
KILLED_AT = (5, 10)
"""The server is killed after each has made so many judgments; one more is made before it is started again."""


def test_two_assessors_judge_an_adaptive_pool_to_its_budget_while_the_server_is_killed_twice(
    browser: Browser, tmp_path: Path
) -> None:
    program = Program(tmp_path)
    make_campaign(program)
    with own_port() as port, person(browser) as annas, person(browser) as bens:
        pages = {"anna": annas.new_page(), "ben": bens.new_page()}
        done = 0
        for until in (*KILLED_AT, SHARE):
            with program.serving("serve", "--host", "127.0.0.1", "--port", str(port), "--no-open") as server:
                if done == 0:
                    for name, page in pages.items():
                        sign_in(page, server.address, name, PASSWORD)
                        page.goto(f"{server.address}c/rivers/judge?topic={TOPIC_OF[name]}")
                for _ in range(done, until):
                    for page in pages.values():
                        judge(page, grade(page))
                if until == SHARE:
                    for page in pages.values():
                        expect(page.get_by_role("heading", name="Topic complete")).to_be_visible(
                            timeout=A_WHILE
                        )
                        expect_saved(page)
                else:
                    for page in pages.values():
                        loaded_ahead(page)
                    server.kill()
                    for page in pages.values():
                        judge(page, grade(page))
                    done = until + 1
    judged = topics_and_documents(program)
    assert len(judged) == len(set(judged)) == 2 * SHARE
    assert sorted(topic_id for topic_id, _ in judged) == ["1"] * SHARE + ["2"] * SHARE
    assert len(pairs(program.judgments("rivers"))) == 2 * SHARE
    proved = program.run("audit", "rivers")
    assert says(proved)
    assert "FAILED" not in proved


def grade(page: Page) -> str:
    """Documents whose number is a multiple of three are relevant."""
    title = page.locator("#stage").get_attribute("aria-label") or ""
    return str(int(int(title.split()[-1]) % 3 == 0))


def topics_and_documents(program: Program) -> list[tuple[str, str]]:
    return [(row["topic_id"], row["document_id"]) for row in program.judgments("rivers")]


def make_campaign(program: Program) -> None:
    """Two topics and three runs with 30 documents of each, in other orders; hedge chooses three at a time."""
    names = [f"n{number:02}" for number in range(1, 31)]
    texts = [{"id": name, "title": f"About {name[1:]}", "text": f"It says {name}."} for name in names]
    orders = {"alpha": names, "beta": names[::-1], "gamma": names[15:] + names[:15]}
    files = {
        "topics.tsv": ["1\tdeep rivers", "2\tcold lakes"],
        "documents.jsonl": list(map(json.dumps, texts)),
        **{
            f"{tag}.run": [
                f"{topic_id} Q0 {name} {rank} {100 - rank} {tag}"
                for topic_id in ("1", "2")
                for rank, name in enumerate(order, start=1)
            ]
            for tag, order in orders.items()
        },
    }
    for name, lines in files.items():
        (program.folder / name).write_text("\n".join(lines) + "\n")
    program.run("new", "rivers")
    program.run("add", "topics", "rivers", "topics.tsv")
    program.run("add", "documents", "rivers", "documents.jsonl")
    program.run("add", "runs", "rivers", "alpha.run", "beta.run", "gamma.run")
    budget = ("--budget", str(SHARE), "--per-topic", "--set", "batch=3", "--set", "burn_in=1")
    program.run("pool", "rivers", "--strategy", "hedge", "--depth", "30", *budget)
    for name in TOPIC_OF:
        program.run("user", "add", name, "--password", PASSWORD)
        program.run("member", "add", "rivers", name, "--role", "assessor")
