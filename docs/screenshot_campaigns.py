"""The campaigns of docs/screenshots.py: the demo, judged in part, and three small ones with what the demo has not.

And the demo's pages that organisers see.
"""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

from playwright.sync_api import Browser
from waitress.server import create_server

from workbench.campaign import assessing, guidelines, training
from workbench.campaign.assessor_settings import change_terms
from workbench.campaign.changing_settings import change_settings
from workbench.campaign.ingest import add_documents, add_runs, add_topics
from workbench.campaign.new_campaign import new_campaign
from workbench.campaign.pools.making import add_pool
from workbench.cli.demo.campaign import ready_demo
from workbench.cli.demo.documents import read_standard_library
from workbench.cli.demo.topics import GRADES, GUIDELINES
from workbench.core.records import Topic
from workbench.storage.campaign import Campaign, open_campaign
from workbench.storage.campaign.assigning.training import EXAMPLE, PRACTICE, TrainingPair
from workbench.storage.campaign.organising import settings
from workbench.web.app import create_app

JUDGE = "Ada"
JUDGED_SHARE = 0.7
OTHER_JUDGE = "Grace"
OTHER_TOPICS = ("102", "104")
"""Who judges some of the same documents, and of which topics: grades that differ."""

TOPIC = "101"
OWN_TERM = "section"
TWINS = ("103", "shutil.make_archive", "distutils.archive_util.make_archive")
"""Two documents of a topic that are almost the same."""

DONE = "124"
"""The topic that is judged to its end."""

COMPARED = "run=robertson-text&run=lucene&run=bm25plus"
ORGANISERS_PAGES = {
    "dashboard": "dashboard",
    "runs": "runs",
    "run": "run?run=lucene",
    "pool": "pool?depth=20",
    "topic-list": "topics?sort=median",
    "topic": "topic?topic=104",
    "board": "board",
    "compare": f"compare?{COMPARED}",
    "pairs": "compare/pairs",
    "two-boards": "compare/boards",
    "topic-set": "compare/topics",
    "publish": "publish",
    "add-runs": "add/runs",
    "assignments": "assignments",
    "people": "people",
    "norming": "norming",
    "agreement": "agreement",
    "effect": "agreement/effect",
    "assessors": "assessors",
    "assessor": f"assessor?name={JUDGE}",
    "conflicts": "adjudication",
    "adjudicate": "adjudicate",
    "new": "../../new",
}
"""The organiser's pages by the names of their pictures."""

PAIRS = {
    "tempfile.NamedTemporaryFile": (EXAMPLE, 2, "It makes such a file, and says when it is deleted."),
    "urllib.request.urlcleanup": (EXAMPLE, 1, "It deletes temporary files, but only those of one function."),
    "tempfile.TemporaryDirectory": (
        PRACTICE,
        2,
        "All in the directory is deleted with it, so its files are too.",
    ),
    "tkinter.Text.tag_delete": (PRACTICE, 0, "It deletes tags of a text. The topic asks for files."),
}
"""What the topic PAIRS_TOPIC gives to examples and to the practice set, each with its use, grade and reason."""

PAIRS_TOPIC = "102"
CARDS, KINDS, COPIES = "cards", "kinds", "copies"
REPORT = (
    "The river froze from bank to bank in the night, and in the morning children walked over it to their school, "
    "while the fishermen cut holes into the ice and waited there for the whole of the short day, and the mayor "
    "asked everybody to keep away from the bridge until the wind had turned again to the {}."
)
SUM = Topic("1", "Rounding errors of sums", "How is a long sum of floating-point numbers kept exact?")
PRINTED = "<title>Errors of long sums</title>" + "".join(
    f"<h2>{number}. Partial sums</h2>"
    + "<p>Rounding errors of a long sum grow with each number that is added.</p>" * 20
    for number in range(1, 5)
)
"""What is printed as the PDF."""

HTML = """<h1>Compensated sums</h1><p>The error of the sum is bounded by
<math display="block"><mrow><mo>|</mo><msub><mi>E</mi><mi>n</mi></msub><mo>|</mo><mo>≤</mo><mfrac><mrow><mi>n</mi>
<mi>ε</mi></mrow><mrow><mn>1</mn><mo>−</mo><mi>n</mi><mi>ε</mi></mrow></mfrac><munderover><mo>∑</mo><mrow><mi>i</mi>
<mo>=</mo><mn>1</mn></mrow><mi>n</mi></munderover><mo>|</mo><msub><mi>x</mi><mi>i</mi></msub><mo>|</mo></mrow></math>
and so by the number of rounding steps.</p>"""
MARKDOWN = r"""# Sums of many numbers

With $n$ numbers the rounding errors of a plain sum grow as $O(n\varepsilon)$, of pairs as $O(\varepsilon \log n)$:

$$ s_n = \sum_{i=1}^{n} x_i, \qquad \frac{|\hat s_n - s_n|}{|s_n|} \le \frac{n\varepsilon}{1 - n\varepsilon}
\cdot \frac{\sum_{i=1}^{n} |x_i|}{\left|\sum_{i=1}^{n} x_i\right|} $$

An unknown command stays as it is: $\unknown{x}$. A table of costs is "$5 and $10".
"""
CODE = '''def partial_sums(numbers: list[float]) -> list[float]:
    """The partial sums that hold a sum without rounding errors."""
    partials: list[float] = []
    for number in numbers:
        for at, partial in enumerate(partials):
            number, partials[at] = number + partial, (number - (number + partial)) + partial  # what was rounded away
        partials.append(number)
    return partials
'''
THREAD = """From ada Mon Jan  6 10:00:00 2025
From: Ada <ada@example.org>
To: numbers@example.org
Date: Mon, 06 Jan 2025 10:00:00 +0100
Subject: Rounding errors of long sums

My sum of ten million prices is wrong in the fourth digit.
How do I keep rounding errors small?

From grace Mon Jan  6 11:30:00 2025
From: Grace <grace@example.org>
To: Ada <ada@example.org>
Date: Mon, 06 Jan 2025 11:30:00 +0100
Subject: Re: Rounding errors of long sums

> My sum of ten million prices is wrong in the fourth digit.
> How do I keep rounding errors small?

math.fsum tracks the partial sums and rounds once, at the end.

From ada Mon Jan  6 12:00:00 2025
From: Ada <ada@example.org>
Date: Mon, 06 Jan 2025 12:00:00 +0100
Subject: Re: Rounding errors of long sums

> math.fsum tracks the partial sums and rounds once, at the end.

That was it, thank you.
"""
CHAT = {
    "id": "chat",
    "title": "Sums that drift",
    "turns": [
        {"speaker": "user", "text": "Why does adding 0.1 ten times not give 1?", "time": "10:30"},
        {"speaker": "assistant", "text": "Each addition rounds. The rounding errors add up over a long sum."},
        {"speaker": "user", "text": "And if I need the exact one?"},
        {
            "speaker": "assistant",
            "text": "Use a sum that keeps what was rounded away:\n\nmath.fsum([0.1] * 10)",
        },
    ],
}


@contextmanager
def served(folder: Path, browser: Browser) -> Iterator[str]:
    """The campaigns, and where they are served."""
    printed = folder / "printed.pdf"
    page = browser.new_page()
    page.set_content(PRINTED)
    page.pdf(path=printed)
    page.close()
    instance = folder / "instance"
    instance.mkdir()
    make_campaigns(instance, printed)
    server = create_server(create_app(instance, demo=True), host="127.0.0.1", port=0)
    threading.Thread(target=server.run, daemon=True).start()
    yield f"http://127.0.0.1:{server.effective_port}"
    server.close()


def make_campaigns(folder: Path, printed: Path) -> None:
    """The demo and the others; `printed` is the PDF."""
    with open_campaign(ready_demo(folder)) as campaign:
        judge_in_part(campaign)
        for document_id, (use, grade, reason) in PAIRS.items():
            training.choose_pair(
                campaign.by(JUDGE), TrainingPair(PAIRS_TOPIC, document_id, use, grade, reason)
            )
    make_cards(folder)
    make_kinds(folder, printed)
    make_copies(folder)


def make_cards(folder: Path) -> None:
    """A campaign of short documents, which are shown as cards: what the demo has of files in few words."""
    short = [
        one for one in read_standard_library() if len(one.text or "") < 400 and "file" in one.title.lower()
    ]
    sources = folder / CARDS
    sources.mkdir()
    rows = ({"id": one.document_id, "title": one.title, "text": one.text} for one in short[:40])
    (sources / "documents.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows), "utf-8")
    topic = Topic("1", "Opening files", "How is a file opened for reading?")
    make(folder, CARDS, topic, [one.document_id for one in short[:40]], {"cards": "on"})


def make_kinds(folder: Path, printed: Path) -> None:
    """A campaign with a PDF, formulas, source code, a thread of mail and a chat, and a break after every document."""
    sources = folder / KINDS
    sources.mkdir()
    (sources / "pdf.pdf").write_bytes(printed.read_bytes())
    texts = {
        "mathml.html": HTML,
        "latex.md": MARKDOWN,
        "code.py": CODE,
        "thread.mbox": THREAD,
        "chat.json": json.dumps(CHAT),
    }
    for name, text in texts.items():
        (sources / name).write_text(text, "utf-8")
    ids = ["thread", "chat", "mathml", "latex", "code", "pdf"]
    make(folder, KINDS, SUM, ids, {"formulas": "latex", "break-documents": 1})


def make_copies(folder: Path) -> None:
    """A campaign of two documents that differ in one word, which nothing depends on."""
    sources = folder / COPIES
    sources.mkdir()
    rows = ({"id": wind, "title": "A cold day", "text": REPORT.format(wind)} for wind in ("south", "west"))
    (sources / "documents.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows), "utf-8")
    make(folder, COPIES, Topic("1", "Frozen rivers", "Which rivers froze?"), ["south", "west"], {})


def make(folder: Path, name: str, topic: Topic, ids: list[str], values: dict[str, object]) -> None:
    """A campaign with one topic, whose pool has these documents of the folder of its name."""
    path = folder / f"{name}.db"
    with new_campaign(path, title=topic.title, grades=GRADES, guidelines=GUIDELINES, actor=JUDGE) as campaign:
        topics, run = folder / f"{name}.topics.jsonl", folder / f"{name}.run"
        topics.write_text(json.dumps(dict(zip(("id", "title", "description"), topic, strict=False))))
        add_topics(campaign.by(JUDGE), [str(topics)])
        run.write_text("".join(f"1 Q0 {one} {at} {-at} alpha\n" for at, one in enumerate(ids, start=1)))
        add_runs(campaign.by(JUDGE), [str(run)])
        add_pool(campaign.by(JUDGE), depth=len(ids))
        add_documents(campaign.by(JUDGE), [str(file) for file in (folder / name).iterdir()])
        change_settings(campaign.by(JUDGE), values)
        guidelines.note_read(campaign, JUDGE, settings.read(campaign).guideline_version)


def judge_in_part(campaign: Campaign) -> None:
    """Judge most of each topic, all but TOPIC, which is left for the keys, and all of the topic DONE."""
    change_terms(campaign, JUDGE, TOPIC, add=OWN_TERM)
    for row in assessing.topic_progress(campaign, JUDGE):
        items = [] if row.topic_id == TOPIC else assessing.queue(campaign, row.topic_id, JUDGE)
        share = 1 if row.topic_id == DONE else JUDGED_SHARE
        for item in items[: round(share * len(items))]:
            if item.document_id not in TWINS:
                judge(campaign, row.topic_id, item.document_id)
    for topic_id in OTHER_TOPICS:
        for item in assessing.queue(campaign, topic_id, OTHER_JUDGE)[:12]:
            judge(campaign, topic_id, item.document_id, OTHER_JUDGE)


def judge(campaign: Campaign, topic_id: str, document_id: str, judge: str = JUDGE) -> None:
    """Give a document as many grades as it shares words with the topic, at most the highest.

    One judge goes by the topic's title, the other by its description too.
    """
    shown = assessing.show(campaign, topic_id, document_id, judge)
    text = f"{shown.document.title} {shown.document.text}" if shown.document else ""
    asked = shown.topic.title if judge == JUDGE else f"{shown.topic.title} {shown.topic.description}"
    shared = words(asked) & words(text)
    submission = shown.judged(
        document_id,
        uuid=str(uuid4()),
        kind="grade",
        grade=max(0, min(2, len(shared) - 1)),
        replaces=None,
        active_seconds=20.0,
        comment="Only a step on the way." if len(shared) == 2 else "",
    )
    assessing.judge(campaign, submission, assessor=judge)


def words(text: str) -> set[str]:
    """The longer words of a text."""
    return set(re.findall(r"[a-z]{4,}", text.lower()))
