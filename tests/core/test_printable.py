"""Which names can be printed: joiners that a script needs are let in, whatever else is invisible is not."""

from __future__ import annotations

import pytest

from workbench.core.normal_forms import is_printable


@pytest.mark.parametrize(
    "name",
    [
        "",
        "Team Oslo 2",
        "北京大学",
        "پژوهش\u200cگران",  # researchers, in Persian: the non-joiner parts the word from its ending
        "می\u200cرود",
        "क्\u200dष",  # a half form in Hindi, after a virama
        "ශ්\u200dරී",  # Sinhala
        "ಕ್\u200cಷ",
    ],
)
def test_a_name_that_its_script_writes_so_can_be_printed(name: str) -> None:
    assert is_printable(name)


@pytest.mark.parametrize(
    "name",
    [
        "Os\u200clo",
        "Os\u200dlo",
        "\u200cگران",
        "پژوهش\u200c",
        "پژوهش\u200c گران",
        "پژوهش\u200c\u200cگران",
        "پژوهش\u200dگران",
        "क\u200dष",
        "क्\u200d",
        "१\u200c२",
        "👩\u200d🔬",
        "A\u200bB",
        "A\u202eB",
        "A\nB",
    ],
)
def test_what_cannot_be_seen_and_shapes_no_word_cannot_be_printed(name: str) -> None:
    assert not is_printable(name)
