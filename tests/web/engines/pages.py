"""What tests of the judging page ask of an engine: wait for a document, find a place in it, look into the log."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

from tests.web.engines.engine import Engine
from tests.web.engines.webdriver import Point, Refused
from tests.web.judging.judging_page import log

PATIENCE = 30.0  # seconds, until what does not come is taken for lost
INSIDE = "document.querySelector('iframe.current').contentDocument"
VIEW = "document.querySelector('iframe.current').contentWindow"
SAVED = "document.querySelector('#save-state').dataset.state === 'saved'"
CAN_JUDGE = "document.querySelector('#document').getAttribute('aria-busy') === 'false'"


def until(engine: Engine, condition: str) -> Any:
    """Wait until an expression is true; its value. From one page to the next there is nothing to ask."""
    given_up = time.monotonic() + PATIENCE
    while not (found := asked(engine, condition)):
        assert time.monotonic() < given_up, f"{engine.name} {engine.version}: not {condition}\n{look(engine)}"
        time.sleep(0.03)
    return found


def asked(engine: Engine, condition: str) -> Any:
    try:
        return engine.ask(condition)
    except Refused:
        return None


def look(engine: Engine) -> str:
    """What somebody would see who looked at the page now, in a few words."""
    focus = "(({tagName, id, className}) => `${tagName} #${id} .${className}`)(document.activeElement)"
    return str(
        engine.ask(f"[document.title, {focus}, document.querySelector('#said')?.textContent].join(' | ')")
    )


def ready(engine: Engine, title: str) -> None:
    """Wait until this document can be judged."""
    heading = "document.querySelector('iframe.current')?.contentDocument?.querySelector('h1')?.textContent"
    until(engine, f"{heading}?.trim() === {json.dumps(title)} && {CAN_JUDGE}")


def saved(engine: Engine) -> None:
    """Wait until the server has every judgment."""
    until(engine, f"{CAN_JUDGE} && {SAVED}")


def loaded_ahead(engine: Engine) -> None:
    """Wait until the documents that come next are there."""
    frames = "[...document.querySelectorAll('iframe')]"
    until(engine, f"{frames}.length > 1 && {frames}.every((frame) => frame.title !== 'Document')")


def place_of(engine: Engine, words: str) -> tuple[Point, Point]:
    """Where words of the document begin and end on the screen, at the middle of their line."""
    found = engine.ask(
        f"""(() => {{
            const frame = document.querySelector("iframe.current");
            const inside = frame.contentDocument;
            const {{ x, y }} = frame.getBoundingClientRect();
            const walker = inside.createTreeWalker(inside.body, NodeFilter.SHOW_TEXT);
            for (let node = walker.nextNode(); node; node = walker.nextNode()) {{
                const at = node.data.indexOf({json.dumps(words)});
                if (at === -1) continue;
                const range = inside.createRange();
                range.setStart(node, at);
                range.setEnd(node, at + {len(words)});
                const {{ left, right, top, bottom }} = range.getBoundingClientRect();
                const middle = y + (top + bottom) / 2;
                return [[x + left, middle], [x + right, middle]];
            }}
        }})()"""
    )
    assert found, f"“{words}” is not in the document"
    (left, top), (right, bottom) = found
    return (left, top), (right, bottom)


def click_in(engine: Engine, words: str, times: int = 1) -> None:
    """Click into the document, a little behind where these words begin."""
    (left, middle), _ = place_of(engine, words)
    engine.click((left + 10, middle), times)


def grades(path: Path) -> str:
    """Those of a campaign's log, in which the documents come in the order of their ids."""
    rows = log(path)
    assert [row.document_id for row in rows] == sorted({row.document_id for row in rows})
    return " ".join(str(row.grade) for row in rows)


def scrolled(engine: Engine) -> float:
    return float(engine.ask(f"{VIEW}.scrollY"))


def text(document: int) -> str:
    """Longer than the window, and like no other."""
    name = f"river{document}"
    return "\n\n".join(
        f"Paragraph {number} of a long text: {name} freezes, {name} thaws." for number in range(80)
    )


def at_rest(engine: Engine) -> None:
    """Wait until nothing in the document has moved for a while."""
    before = None
    while before != (before := scrolled(engine)):
        time.sleep(0.2)
