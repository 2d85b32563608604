from __future__ import annotations

from workbench.formats.text.markup_comments import with_plain_cdata, without_comments


def test_comments_go_and_their_line_breaks_stay() -> None:
    assert without_comments("a<!-- b\nc -->d<!---->e<!-- open") == "a\nde<!-- open"


def test_cdata_is_text() -> None:
    assert with_plain_cdata("a<![CDATA[<b> & c]]>d") == "a&lt;b> &amp; cd"


def test_a_million_openings_cost_one_look() -> None:
    text = "<!--" * 1_000_000
    assert without_comments(text) == text
