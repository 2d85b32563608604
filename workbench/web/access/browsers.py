"""A browser in the words that its owner knows it by: "Firefox on Linux"."""

from __future__ import annotations

BROWSERS = (  # the first that is found: most browsers also name those that they descend from
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("Vivaldi/", "Vivaldi"),
    ("Firefox/", "Firefox"),
    ("FxiOS/", "Firefox"),
    ("CriOS/", "Chrome"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
)
SYSTEMS = (
    ("iPhone", "an iPhone"),
    ("iPad", "an iPad"),
    ("Android", "Android"),
    ("Windows", "Windows"),
    ("CrOS", "ChromeOS"),
    ("Macintosh", "a Mac"),
    ("Linux", "Linux"),
)


def browser_words(user_agent: str) -> str:
    """The browser and the system that a User-Agent header names; what calls itself nothing known is a program."""
    browser = _first(BROWSERS, user_agent)
    system = _first(SYSTEMS, user_agent)
    if not browser:
        return f"A program on {system}" if system else "An unknown program"
    return f"{browser} on {system}" if system else browser


def _first(known: tuple[tuple[str, str], ...], user_agent: str) -> str:
    return next((words for mark, words in known if mark in user_agent), "")
