"""Plain text falls into blocks: slices of the stored text that know whether their line breaks mean something."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.web.judging.document.blocks import LONGEST_BLOCK, cuts, text_blocks


def test_paragraphs_part_at_blank_lines_of_every_kind() -> None:
    blocks = text_blocks("one\n\n\ntwo\r\n\r\nthree\r\rfour\n  \t \nfive")
    assert " ".join(block.text for block in blocks) == "one two three four five"


FAIRS = "The Thames froze in the winters of 1683 and 1739, when\n"
AGAIN = (
    "The Thames froze again in the winter of that year, when\nfairs were held upon it and many more people\n"
)


@pytest.mark.parametrize(
    ("text", "kinds"),
    [(f"{FAIRS}fairs were held upon the ice between the bridges, and\nnever since.", "flowing"),
     (f"{FAIRS * 2}fairs were\nheld upon it.", "flowing"),
     (f"{FAIRS * 3}fairs were\nheld upon it.", "flowing"), (f"{AGAIN * 3}saw   years of it.", "flowing"),
     ("Tyger Tyger,\nburning bright", "lines"), ("one\n  two\nthree", "preformatted"),
     ("May 12 was a cold day.\nThe river froze.\nNothing moved on it.\nMay 13 was warmer.", "lines"),
     ("    one\n    two\n\n    three", "lines flowing"),
     ("for river in rivers:\n    freeze(river)", "preformatted"),
     (">>> freeze('Rhine')\nTrue", "preformatted"), ("def freeze(river: str) -> bool", "preformatted"),
     ("Intro:\n\n    indented = True", "flowing preformatted"),
     ("name      year\nRhine     1929", "preformatted")],
)  # fmt: skip
def test_breaks_of_prose_mean_nothing_short_lines_keep_theirs_and_code_and_tables_their_blanks(
    text: str, kinds: str
) -> None:
    assert " ".join(block.kind for block in text_blocks(text)) == kinds


def test_a_wrapped_definition_hangs_and_an_indented_first_line_begins_a_paragraph() -> None:
    definition = (
        "thickness: how thick the ice was, in centimetres, measured\n"
        "    at the middle of the river, or None if nobody did"
    )
    assert [(block.kind, block.text) for block in text_blocks(definition)] == [("hanging", definition)]
    newspaper = (
        "   LONDON - The Thames has frozen over for the first time\nsince 1739, and a fair is held on it."
    )
    assert text_blocks(newspaper + "\n\nMore.")[0] == ("flowing", 3, newspaper[3:], False)


def test_paragraphs_that_only_an_indent_parts_are_paragraphs() -> None:
    abstract = (
        "experimental investigation of the aerodynamics of a\nwing in a slipstream .\n"
        "  an experimental study of a wing in a propeller slipstream was\nmade in order to determine the lift .\n"
        "  an empirical evaluation of the destalling effects was made\nfor it .\n"
    )
    blocks = text_blocks(abstract)
    assert [block.kind for block in blocks] == ["flowing"] * 3
    assert [block.text[:15] for block in blocks] == ["experimental in", "an experimental", "an empirical ev"]


def test_two_blanks_more_than_the_others_begin_a_paragraph() -> None:
    line = "made in order to determine the lift of a wing,\n"
    for outer, inner, blocks in (("", "  ", 2), ("", " ", 1), ("   ", "\t", 1), ("  ", "\t", 2)):
        assert len(text_blocks(f"{outer}{line}{inner}{line}{outer}for it .")) == blocks


@given(st.text(alphabet="ab .\n\r\t\u0085\u3000。", max_size=60))
def test_blocks_are_slices_of_the_stored_text_and_leave_out_nothing_but_blanks(text: str) -> None:
    blocks = text_blocks(text)
    assert [text[block.start : block.end] for block in blocks] == [block.text for block in blocks]
    borders = [0, *(border for block in blocks for border in (block.start, block.end)), len(text)]
    assert borders == sorted(borders)
    assert "".join(text.split()) == "".join("".join(block.text.split()) for block in blocks)


def test_a_block_begins_where_its_words_do_and_a_preformatted_one_where_its_line_does() -> None:
    text = "\n  one\n\n    two = 2\n"
    assert [(block.kind, block.start, block.text) for block in text_blocks(text)] == [
        ("flowing", 3, "one"),
        ("preformatted", 8, "    two = 2"),
    ]


def test_a_text_without_blank_lines_is_cut_after_sentences() -> None:
    sentence = "The Thames froze again that winter. "
    text = sentence * 200
    blocks = text_blocks(text)
    assert "".join(block.text for block in blocks) == text.rstrip()
    assert [block.continued for block in blocks] == [False] + [True] * (len(blocks) - 1)
    assert all(block.text.startswith("The") and len(block.text) <= LONGEST_BLOCK for block in blocks)


@pytest.mark.parametrize(
    ("text", "longest", "found"),
    [
        ("河水结冰了。" * 5, 15, [12, 24]),
        ("aaaa bbbb cccc", 8, [5, 10]),
        ("a" * 10, 4, [4, 8]),
        ("aaa. bbbbbbbb", 10, [10]),  # a piece is at least half as long as it may be
        ("aaae\u0301aa", 4, [3]),
    ],
)
def test_text_is_cut_after_sentences_else_at_a_blank_else_anywhere_but_inside_a_letter(
    text: str, longest: int, found: list[int]
) -> None:
    assert list(cuts(text, longest=longest)) == found


def test_long_poems_and_code_are_cut_between_lines() -> None:
    text = "a short line. And more\n" * 200
    blocks = text_blocks(text)
    assert {block.kind for block in blocks} == {"lines"}
    assert len(blocks) > 1
    assert all(block.text.endswith("\n") for block in blocks[:-1])


@pytest.mark.parametrize(
    "lines",
    [
        ["2024-05-01 12:00:01,331 INFO renewed", "2024-05-01 12:00:02,332 INFO renewed"],
        ["May  1 12:00:01 host sshd[1]: closed", "May 11 12:00:02 host sshd[1]: open"],
        ["[2024-05-01T12:00:01Z] started", "[2024-05-01T12:00:02Z] ended"],
        ['10.0.0.1 - - [01/May/2024:12:00:01] "GET /"', '10.0.0.12 - - [01/May/2024:12:00:02] "GET /a"'],
        ["INFO started", "ERROR: ended"],
    ],
)
def test_lines_that_begin_as_a_log_does_are_preformatted_with_the_lines_between_them(
    lines: list[str],
) -> None:
    text = "\n".join([*lines, "  at lock.py, line 3", "TimeoutError: gate", *lines])
    (block,) = text_blocks(text)
    assert (block.kind, block.text) == ("preformatted", text)
