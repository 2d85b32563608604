from __future__ import annotations

import pytest

from workbench.formats.text.character_references import decode_references, has_references


@pytest.mark.parametrize(
    ("written", "text"),
    [
        ("R&amp;D", "R&D"),
        ("&amp;amp;", "&amp;"),
        ("&#233;&#xE9;&eacute;", "ééé"),
        ("a&hyph;b&blank;c", "a-b c"),
        ("AT&T ?a=1&copy=2 &nosuch; &", "AT&T ?a=1&copy=2 &nosuch; &"),
        ("&#0; &#xD800; &#1114112; &#99999999;", "&#0; &#xD800; &#1114112; &#99999999;"),
    ],
)
def test_references_are_decoded_once_and_others_stay(written: str, text: str) -> None:
    assert decode_references(written) == text
    assert has_references(written) == (written != text)
