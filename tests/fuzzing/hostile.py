"""Texts that cost a careless reader the square or cube of their length: one piece again and again, in every place."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from time import process_time
from typing import NamedTuple

from tests.images import png
from tests.pdfs import pdf
from workbench.campaign.near_duplicates import html_words
from workbench.core.errors import WorkbenchError
from workbench.core.records import Document, Topic
from workbench.formats.documents.reading import read_documents
from workbench.formats.pair_lists import read_pairs
from workbench.formats.people_lists import read_assignments
from workbench.formats.qrels import read_qrels, read_subtopic_qrels
from workbench.formats.runs import read_run
from workbench.formats.scale import parse_scale
from workbench.formats.text.content import load
from workbench.formats.topics.reading import read_topics
from workbench.formats.zscores import read_zscores
from workbench.methods.measures.parsing import parse_measures
from workbench.methods.text.duplicates import shingles_of
from workbench.methods.text.terms import Term, topic_terms
from workbench.web.judging.document.body import Look, body_of, title_of

FIRST, LARGEST = 250, 16_000
"""How many pieces a text has at first, and at most."""

NOTICED = 0.05
"""Less time than this, in seconds, stops nothing and is too short to be compared."""

STEEPEST = 10.0
"""What four times the text may cost at most: 4 is a cost in proportion to the length, 16 to its square."""

TIMES = 3
"""What seems steep is timed so often again, and the least counts."""

BLANKS = [" ", "\t", "\n", "\r", "\r\n", " \n", "\xa0", "\u3000", "\0", "\f"]
SIGNS = [*"<>&\"'{}[](),:;|-_.=/\\#*`~!@1x", '""', "''", "{}", "[]", *"é\u0301日のカก\u200b"]
LATEX = r"""
    $ $$ $x$ \( \) \[ \] \frac \frac{ \left( \begin{matrix} \hat \text{ ^{ _ x^ & \\ \newcommand{\x}{\x\x}\x
""".split()
WORDS = """a|ice|ice-|1|1.|-|>|a,|a.|http://|a=|a:|1:|![|[a](|**|#|1:a|"a",|{"a":|\\u0041|a\tb""".split("|")
TAGS = """
    a b p br li td div table font svg math mi mfrac mtable mfenced script title textarea select template pre html body
    doc docno dochdr text top num desc topic query iframe
""".split()
MARKUP = """
    <!-- --> <![CDATA[ ]]> <! <!DOCTYPE <!DOCTYPE[ <!DOCTYPE[]> <? <?xml <?xml?> &amp; &x; &#1 &#x41; a="b" a=" a='
    style="x:y" > >> --b --b-- =?utf-8?q?a?= =?utf-8?b? From:
    Content-Type:multipart/mixed;boundary=b </doc </docno </top </title <b/x=1> .I .W
""".split()
TAGGED = ("<{0}>", "<{0} ", "<{0}", "</{0}>", "<{0}></{0}>", "<{0}/>")
NUMBER = "№"
"""Stands for the place of a piece among the others, so that no two are alike."""

NUMBERED = [' a№="1"', " a№", "a№/", " a№=№", "<b a№>", "<p№>", "&a№;", ' a№=">"']
PIECES = [
    *BLANKS,
    *SIGNS,
    *(word + blank for word in WORDS for blank in (" ", "\n")),
    *(word + blank for word in LATEX for blank in ("", " ")),
    *(word + blank for word in MARKUP for blank in ("", " ", "\n")),
    *(form.format(tag) for tag in TAGS for form in TAGGED),
    *NUMBERED,
]
"""What is repeated."""


class Reader(NamedTuple):
    """What reads a text of which the file or document stands between `before` and `after`."""

    read: Callable[[str], object]
    frames: tuple[tuple[str, str], ...] = (("", ""),)


class Cost(NamedTuple):
    """Seconds of the processor for so many pieces, and for a quarter of them."""

    pieces: int
    seconds: float
    of_a_quarter: float

    @property
    def is_steep(self) -> bool:
        """Whether it grows by much more than the text does."""
        return self.seconds > NOTICED and self.seconds > STEEPEST * self.of_a_quarter


def cost(read: Callable[[str], object], before: str, piece: str, after: str) -> Cost:
    """The cost at the first number of pieces at which it is steep, else that of the largest."""
    found = Cost(0, 0.0, 0.0)
    pieces = FIRST
    while pieces <= LARGEST and not found.is_steep:
        found = Cost(pieces, _seconds(read, before + repeated(piece, pieces) + after), found.seconds)
        pieces *= 4
    if found.is_steep:  # once more: a pause of the machine is not what the text costs
        texts = (before + repeated(piece, number) + after for number in (found.pieces // 4, found.pieces))
        quarter, whole = (min(_seconds(read, text) for _ in range(TIMES)) for text in texts)
        return Cost(found.pieces, min(whole, found.seconds), max(quarter, found.of_a_quarter))
    return found


def repeated(piece: str, number: int) -> str:
    """The piece again and again, numbered where it says so."""
    if NUMBER not in piece:
        return piece * number
    return "".join(piece.replace(NUMBER, str(place)) for place in range(number))


_NUMBERS = count()


def _seconds(read: Callable[[str], object], text: str) -> float:
    text += f"\n{next(_NUMBERS)}"  # pages that were made before are remembered
    gc.disable()  # what it collects was left by all the tests before
    start = process_time()
    try:
        read(text)
    except WorkbenchError as error:
        assert str(error)
    finally:
        seconds = process_time() - start
        gc.enable()
    return seconds


def readers(folder: Path) -> dict[str, Reader]:
    """All that reads or shows what others wrote, by name, with the places that it knows in a text."""

    def of_file(read: Callable[[Path], object], suffix: str = "") -> Callable[[str], object]:
        path = folder / f"file{suffix}"

        def write_and_read(text: str) -> object:
            path.write_text(text, encoding="utf-8", newline="")
            return read(path)

        return write_and_read

    def with_image(path: Path) -> object:
        (folder / "a.png").write_bytes(png())
        return list(read_documents(path))

    documents = {
        f"documents {suffix}": Reader(of_file(lambda path: list(read_documents(path)), suffix), frames)
        for suffix, frames in DOCUMENTS.items()
    }
    tables = ((first, last) for first in ("", "1 0 d 1\n", "1 ") for last in ("", "\n1 0 d 1\n"))
    runs = (("", ""), ("1 Q0 d 1 1 t\n", ""), ("1 ", " 1"), ("1 Q0 d", " 1 1 t"))
    return documents | {
        "page of a folder": Reader(
            of_file(with_image, ".html"),
            (
                ("", ""),
                ("<img ", ">"),
                ("<img src=a.png ", ""),
                ("<img src='", "'>"),
                ("<img src=", "a.png>"),
                ("<img srcset='", "'>"),
                ("<img src=a.png srcset='a.png ", "'>"),
            ),
        ),
        "Markdown of a folder": Reader(
            of_file(with_image, ".md"),
            (
                ("", ""),
                ("![", "](a.png)"),
                ("![](", "a.png)"),
                ("[1]:", " a.png"),
                ("```\n", "```"),
                ("![](a.png)", ""),
            ),
        ),
        "topics": Reader(of_file(read_topics), TOPICS),
        "run": Reader(of_file(read_run), runs),
        "qrels": Reader(of_file(read_qrels), tuple(tables)),
        "pairs": Reader(of_file(read_pairs), (("", ""), ("1 d\n", ""), ("", " d"))),
        "subtopic qrels": Reader(of_file(read_subtopic_qrels), (("", ""), ("1 1 d ", ""))),
        "z-scores": Reader(of_file(read_zscores), (("", ""), ("1 map ", ""))),
        "assignments": Reader(
            of_file(lambda path: read_assignments(load(path))),
            (("", ""), ("topic,assessor\n", ""), ("[", "")),
        ),
        "scale": Reader(lambda text: parse_scale(text, 1), (("", ""), ("0:No,1:Yes", ""), ("0:No|", ",1:x"))),
        "measures": Reader(parse_measures, (("", ""), ("nDCG(", ")@10"), ("nDCG@", ""), ("nDCG", "x"))),
        "page": Reader(
            _shown_as("text/html"),
            (
                ("", ""),
                ("<p>", "</p>ice"),
                ("<p ", ">ice"),
                ("<svg>", ""),
                ("<math>", ""),
                ("<math><mi ", ">ice"),
            ),
        ),
        "page with LaTeX": Reader(
            _shown_as("text/html", latex=True),
            (("", ""), ("<p>$", "$</p>ice"), ("<script type=math/tex>", "")),
        ),
        "Markdown with LaTeX": Reader(_shown_as("text/markdown", latex=True), (("", ""), ("$", "$ ice"))),
        "text with LaTeX": Reader(
            _shown_as("text/plain", latex=True),
            (("", ""), ("$", "$ ice"), ("\\(", "\\)"), ("$\\frac{", "}$")),
        ),
        "markdown": Reader(
            _shown_as("text/markdown"),
            (("", ""), ("# ice\n\n", "\n\nice"), ("![](data:image/png;base64,AAAA) <img src=", ">")),
        ),
        "plain text": Reader(_shown_as("text/plain"), (("", ""), ("ice\n\n", "ice"))),
        "code": Reader(_shown_as("text/x-code"), (("", ""), ("ice\n", "\nice"))),
        "title": Reader(lambda text: title_of(text, LOOK, before="ice"), (("", ""),)),
        "terms": Reader(lambda text: topic_terms(Topic("1", text)), (("", ""), ("ice ", "ice"))),
        "near duplicates": Reader(lambda text: shingles_of(html_words(text))),
    }


LOOK = Look((Term("ice"), Term("frozen rivers"), Term("日本")), "en")


def _pdf_frames() -> Iterator[tuple[str, str]]:
    """A PDF parted at places that its reader knows."""
    whole = pdf("ice", title="ice").decode()
    places = "%PDF-|/Catalog|/Kids [|/Count |/Title (|BT |(ice|/Length |xref\n|trailer\n|<< /Size ".split("|")
    for place in places:
        before, found, after = whole.partition(place)
        yield before + found, after
    yield whole, ""


_DOC = "<DOC><DOCNO>d1</DOCNO>"
DOCUMENTS = {
    ".trec": (
        ("<DOC><DOCNO>", "</DOCNO><TEXT>ice</TEXT></DOC>"),
        ("<DOC><DOCNO>", "ice"),
        ("<DOC><DOCNO> x", "ice"),
        ("<DOC ", "><DOCNO>d1</DOCNO>ice</DOC>"),
        (f"{_DOC}<TEXT>", "</TEXT></DOC>"),
        (f"{_DOC}<TITLE>", "</TITLE></DOC>"),
        (f"{_DOC}<DOCHDR>", "</DOCHDR><html>ice</DOC>"),
        (f"{_DOC}", "ice"),
        (f"{_DOC}ice</DOC>", ""),
    ),
    ".html": (("", ""), ("<html><title>", "</html>"), ("<html ", ">")),
    ".txt": (("", ""),),
    ".smart": ((".I 1\n.W\n", ""), (".I ", "\n.W\nice")),
    ".jsonl": (
        ('{"id":"1","text":"', '"}'),
        ('{"id":"1","text":"x"}', ""),
        ("[", ""),
        ('{"id":', "}"),
        ('{"id":"1","turns":[{"speaker":"', '","text":"ice"}]}'),
        ('{"id":"1","turns":[{"speaker":"a","text":"', '"}]}'),
        ('{"id":"1","turns":[{"speaker":"a","text":"ice","time":"', '"}]}'),
        ('{"id":"1","turns":[{"speaker":"a","text":"ice"}', "]}"),
        ('{"id":"1","turns":[', ""),
    ),
    ".eml": (
        ("", ""),
        ("From: a@b\n\n", ""),
        ("From: ", "\n\nice"),
        ("Date: ", "\n\nice"),
        ("Subject: =?utf-8?q?", "?=\n\nice"),
        ("Content-Type: ", "\n\nice"),
        ("Content-Type: text/html\n\n", ""),
        ("Content-Type: text/html\n\n<p>", "</p>"),
        ('Content-Type: multipart/mixed; boundary="b"\n\n--b\n', "\n--b--"),
        ("Content-Transfer-Encoding: base64\n\n", ""),
    ),
    ".mbox": (("", ""), ("From a\nFrom: a\n\n", ""), ("From ", "\n\nice")),
    ".pdf": tuple(_pdf_frames()),
    ".tsv": (("", ""), ("id\ttext\n1\t", "")),
    ".csv": (("id,text\n1,", ""), ('id,text\n1,"', '"')),
    ".warc": (("WARC/1.0\r\n", "\r\n\r\n"), ("WARC/1.0\r\nContent-Length: 5\r\n\r\n", "")),
}
TOPICS = (
    ("", ""),
    ("<top><num>1<title>", "</top>"),
    ("<top ", "><num>1<title>ice</top>"),
    ("<top><num>1<title>ice<desc>", ""),
    ("<num>", ""),
    ("<?xml version='1.0'?>", "<topics><topic id='1'><title>ice</title></topic></topics>"),
    ("<topics><topic id='1'><title>", "</title></topic></topics>"),
    ("<topics><topic id='1' ", "><title>ice</title></topic></topics>"),
    ("<topics>", ""),
    ("<DOC><DOCNO>1</DOCNO>", "</DOC>"),
    ("<DOC><DOCNO>", "</DOC>"),
    (".I 1\n.W\n", ""),
    ("1\t", "\n2\tice"),
    ("id,title\n1,", ""),
    ('{"id": "1", "title": "', '"}'),
    ("[", ""),
)


def cases(reader: Reader) -> Iterator[tuple[str, str, str]]:
    """Every piece in every place of a reader."""
    for before, after in reader.frames:
        for piece in PIECES:
            yield before, piece, after


def _shown_as(media_type: str, *, latex: bool = False) -> Callable[[str], object]:
    def show(text: str) -> object:
        return body_of(Document("d", "", text, media_type), LOOK._replace(latex=latex))

    return show
