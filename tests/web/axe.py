"""axe-core in a page: what it finds against WCAG 2.2 AA and its own best practices, in words."""

from __future__ import annotations

from typing import Any

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Frame, Page

TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]

ALSO = ["target-size", "label-content-name-mismatch"]
"""Rules that axe-core does not run by their tags: WCAG 2.5.8, and 2.5.3, that a name contains the words one sees."""

RUN = """async ([tags, rules]) => {
    const { violations } = await axe.run(document, {
        runOnly: tags, resultTypes: ["violations"], iframes: false,
        rules: Object.fromEntries(rules.map((rule) => [rule, { enabled: true }])),
    });
    return violations.map(({ id, help, nodes }) => ({
        id, help, nodes: nodes.map(({ target, html, failureSummary }) => ({ target, html, failureSummary })),
    }));
}"""


def found(place: Page | Frame, where: str) -> list[str]:
    """A sentence for each element that breaks a rule, naming page, rule and element; documents in frames apart."""
    place.evaluate(AXE_SCRIPT)
    return [
        _sentence(where, violation, node)
        for violation in place.evaluate(RUN, [TAGS, ALSO])
        for node in violation["nodes"]
    ]


def complaints(page: Page, where: str) -> list[str]:
    """What `found` says of a page in dark on a phone and in light at a desk, and where it is wider than the window."""
    told = []
    for scheme, width, height in (("dark", 320, 640), ("dark", 390, 844), ("light", 1440, 900)):
        page.emulate_media(color_scheme=scheme)
        page.set_viewport_size({"width": width, "height": height})
        if (needed := page.evaluate("document.documentElement.scrollWidth")) > width:
            told.append(f"{where} is {needed} pixels wide in a window of {width}")
        if width != 320:
            told += found(page, f"{where}, {scheme}")
    return told


def _sentence(where: str, violation: dict[str, Any], node: dict[str, Any]) -> str:
    # An element inside a shadow tree or a frame has a list of selectors where others have one.
    element = " ".join(str(part) for part in node["target"])
    rule = f"{violation['help']} ({violation['id']})"
    return f"{where}: {rule}: {element}: {node['html'][:160]}\n{node['failureSummary']}"
