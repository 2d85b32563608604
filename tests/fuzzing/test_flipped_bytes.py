"""Single bits of a campaign file flipped: the same answers as before, or a sentence that says what is damaged.

Each trial flips one bit, four of five of them in a byte that is not zero (nine of ten bytes of a small file are
unused), and asks commands and pages. Their answers are those of before the flip, byte for byte, or say that the file is
damaged: with exit status 1, or as a page with status 503. Never a traceback, never another number.
"""

from __future__ import annotations

import logging
import random
import re
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import timedelta
from difflib import unified_diff
from pathlib import Path
from typing import NamedTuple

import pytest
from click.testing import CliRunner
from flask import Flask
from flask.testing import FlaskClient

from tests.at_length import at_length
from tests.flipping import flip, flip_a_score
from tests.fuzzing.conftest import NOW
from tests.sentences import says
from workbench.cli import main
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.assigning import claims
from workbench.storage.campaign.opening import damage
from workbench.storage.campaign.opening.damage import forget
from workbench.storage.campaign.people import bookmarks, own_terms, preferences
from workbench.web.access.errors import DAMAGED_SENTENCE, SENTENCES
from workbench.web.app import create_app

FLIPS = at_length(500, 100)
"""How many bits are flipped in each of the slow tests."""

PARTS = at_length(4, 1)
COMMANDS = (("score",), ("export", "qrels"))
PAGES = ("board", "dashboard", "compare", "judge?topic=1")
AUDIT = ("audit",)
OWN = "judge?topic=1"
"""Where the reader's own terms and postponed documents are shown, which no hash covers."""

SIGNATURE = re.compile(r"[\w-]{20,}\.[\w-]{5,7}\.[\w-]{20,}")
SENTENCE = re.compile(
    r"damaged|not a campaign|triggers or views|written by a newer version|an empty file|do not trust"
)


class Answer(NamedTuple):
    """An exit status or that of a page, what was printed or shown, and what was said on standard error."""

    status: int
    text: str
    error: str = ""


class Visitor:
    """One server and the commands, asked about a file under a new name each time, so that nothing is remembered."""

    def __init__(self, instance: Path) -> None:
        self.instance, self.number, self.proved = instance, 0, ""
        self.app: Flask = create_app(instance, demo=True)
        self.client: FlaskClient = self.app.test_client()
        token = self.client.get("/session").get_json()["csrf_token"]
        self.client.post("/start", data={"name": "Olga"}, headers={"X-CSRFToken": token})

    def prove(self, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """Have that file proved, as a large one is, and every later file say so of itself."""
        monkeypatch.setattr(damage, "LARGE", 0)
        forget(path)
        open_campaign(path).close()
        self.proved = path.with_name(f"{path.name}-proved").read_text()

    def answers(self, data: bytes) -> dict[str, Answer]:
        """What commands and pages answer about these bytes, the audit where nothing else is said."""
        self.number += 1
        path = self.instance / f"flip{self.number:05}.db"
        path.write_bytes(data)
        if self.proved:
            path.with_name(f"{path.name}-proved").write_text(self.proved)
        try:
            found = {" ".join(command): self._command(command, path) for command in COMMANDS}
            found |= {page: self._page(page, path) for page in PAGES}
            if all(answer.status in {0, 200} for answer in found.values()):
                found["audit"] = self._command(AUDIT, path)
            return found
        finally:
            self.app.extensions["workbench_connections"].reopen(path)
            for file in self.instance.glob(f"{path.stem}*"):
                file.unlink()

    def _command(self, command: tuple[str, ...], path: Path) -> Answer:
        done = CliRunner().invoke(main, [*command, str(path)])
        if done.exception is not None and not isinstance(done.exception, SystemExit):
            raise done.exception
        return Answer(done.exit_code, _known_as_one(done.stdout, path), _known_as_one(done.stderr, path))

    def _page(self, page: str, path: Path) -> Answer:
        answer = self.client.get(f"/c/{path.stem}/{page}")
        return Answer(answer.status_code, _known_as_one(answer.get_data(as_text=True), path))


def _known_as_one(text: str, path: Path) -> str:
    return SIGNATURE.sub("", text.replace(str(path), "PATH").replace(path.stem, "small"))


@pytest.fixture
def path(small_judged: Path) -> Path:
    """The campaign `small`, half judged, with what belongs to one assessor's screen."""
    with open_campaign(small_judged) as campaign, campaign.write():
        own_terms.put(campaign, "Olga", "1", "rivers")
        bookmarks.put(campaign, "Olga", "1", "d2")
        preferences.put(campaign, "Olga", {"serif": True})
        claims.put(campaign, "2", "Ben", now=NOW + timedelta(days=3650), minutes=60)
    return small_judged


@pytest.fixture
def visitor(tmp_path: Path) -> Iterator[Visitor]:
    """The commands, and a server of an empty folder."""
    (tmp_path / "flipped").mkdir()
    logging.disable(logging.ERROR)
    visitor = Visitor(tmp_path / "flipped")
    yield visitor
    visitor.app.extensions["workbench_connections"].close()
    logging.disable(logging.NOTSET)


def outcome(good: dict[str, Answer], found: dict[str, Answer]) -> str:
    """What became of a flip: one of `same`, `said`, `said by the audit`, `own`; an AssertionError for all else."""
    changed = {what for what in found if found[what] != good[what]}
    if not changed:
        return "same"
    said = {what for what in changed if found[what].status not in {0, 200}}
    for what in said:
        assert_is_a_sentence(what, found[what])
    if said == {"audit"} and changed - said <= {OWN}:
        return "said by the audit"
    if changed == {OWN} and not said:
        return "own"
    assert changed == said, [line for what in changed - said for line in differing(good[what], found[what])]
    return "said"


def differing(before: Answer, after: Answer) -> list[str]:
    return list(unified_diff(before.text.splitlines(), after.text.splitlines(), n=0, lineterm=""))


def assert_is_a_sentence(what: str, answer: Answer) -> None:
    if what == "audit":
        assert answer.status == 1, answer
        assert "FAILED" in answer.text or SENTENCE.search(answer.error), answer
    elif what in PAGES:
        assert answer.status == 503, answer
        assert any(sentence in answer.text for sentence in (DAMAGED_SENTENCE, SENTENCES[503])), answer
    else:
        assert (answer.status, answer.text) == (1, ""), answer
        assert answer.error.startswith("PATH: "), answer
        assert SENTENCE.search(answer.error), answer


def try_flips(path: Path, visitor: Visitor, number: int, seed: int) -> Counter[str]:
    """Flip bits one after the other; how many had which outcome."""
    whole = path.read_bytes()
    good, rng, outcomes = visitor.answers(whole), random.Random(seed), Counter[str]()
    assert all(answer.status in {0, 200} for answer in good.values()), good
    assert visitor.answers(whole) == good
    used = [place for place, byte in enumerate(whole) if byte]
    for _ in range(number):
        place = rng.choice(used) if rng.random() < 0.8 else rng.randrange(len(whole))
        flipped = bytearray(whole)
        flipped[place] ^= 1 << rng.randrange(8)
        outcomes[outcome(good, visitor.answers(bytes(flipped)))] += 1
    return outcomes


@pytest.mark.parametrize(
    "command",
    [["score"], ["pool", "--depth", "3"], ["export", "scores"], ["export", "topic-scores"]],
    ids=" ".join,
)
def test_a_flipped_bit_in_a_ranking_is_said_and_no_score_is_printed(path: Path, command: list[str]) -> None:
    flip_a_score(path)
    said = CliRunner().invoke(main, [*command, str(path)])
    assert (said.exit_code, said.stdout) == (1, "")
    assert says(said.stderr)


def test_an_invalid_byte_in_a_vocabulary_is_said_by_commands_and_pages(path: Path, visitor: Visitor) -> None:
    data = path.read_bytes()
    flip(path, data.index(b'["d'), 0x80)
    found = visitor.answers(path.read_bytes())
    for what in ("score", "board", "compare"):
        assert_is_a_sentence(what, found[what])


@pytest.mark.parametrize("proved", [False, True], ids=["compared", "proved before"])
def test_a_flipped_bit_is_without_effect_or_said(
    path: Path, visitor: Visitor, monkeypatch: pytest.MonkeyPatch, proved: bool
) -> None:
    if proved:
        visitor.prove(path, monkeypatch)
    outcomes = try_flips(path, visitor, 3, seed=0)
    assert outcomes.keys() <= {"same", "said", "said by the audit", "own"}


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
def test_no_flipped_bit_makes_a_traceback_or_another_number(
    path: Path,
    visitor: Visitor,
    monkeypatch: pytest.MonkeyPatch,
    part: int,
    record_property: Callable[[str, object], None],
) -> None:
    if part % 2:
        visitor.prove(path, monkeypatch)
    outcomes = try_flips(path, visitor, FLIPS, seed=1 + part)
    record_property("outcomes", dict(outcomes))
    assert outcomes.total() == FLIPS
    assert outcomes["said"] > FLIPS // 2
    assert outcomes["own"] < FLIPS // 50
