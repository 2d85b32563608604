"""A language that puts each message between brackets, and what of a page is outside of them."""

from __future__ import annotations

import re

from lxml import html

DATA = (
    ".//script|.//style|.//code|.//pre|.//kbd|.//bdi|.//time|.//title"
    "|.//*[@dir='auto']|.//*[contains(@class,'languages')]"
)
LETTERS = re.compile(r"[^\W\d_]{2,}")
NAMES = {"Workbench", "UTC", "Ben", "Aa"}
"""Aa is the face of a button, which has a name besides."""


class Brackets:
    """A catalogue in which each message is itself, between brackets."""

    def ugettext(self, message: str) -> str:
        return f"⟦{message}⟧"

    def ungettext(self, one: str, many: str, number: int) -> str:
        return f"⟦{one if number == 1 else many}⟧"


def outside(page: str) -> list[str]:
    """The words of a page that no message has."""
    root = html.document_fromstring(page)
    for each in root.xpath(DATA):
        if each.getparent() is not None:
            each.drop_tree()
    names = ("title", "aria-label", "placeholder", "alt", "aria-description")
    said = [each.get(name, "") for each in root.iter() for name in names if isinstance(each.tag, str)]
    texts = [
        *(each for each in said if "⟦" not in each),
        re.sub(r"⟦[^⟦⟧]*⟧", " ", innermost(root.text_content())),
    ]
    return [word for text in texts for word in LETTERS.findall(text) if word not in NAMES]


def innermost(text: str) -> str:
    """A text without the messages that are values of others."""
    while (shorter := re.sub(r"⟦([^⟦⟧]*)⟦[^⟦⟧]*⟧", r"⟦\1", text)) != text:
        text = shorter
    return text
