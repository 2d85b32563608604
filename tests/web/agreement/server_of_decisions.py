"""What stands in for the server where a page sends an adjudicator's decisions."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page, Route

Answer = tuple[int, dict[str, Any]]


class Server:
    """Answers decisions with what is put into `answers` (None is no network), holds them where nothing is there, and
    keeps what it was sent.
    """

    def __init__(self, page: Page) -> None:
        self.sent: list[str] = []
        self.answers: list[Answer | None] = []
        self.held: list[Route] = []
        page.route("**/decide", self._answer)

    def _answer(self, route: Route) -> None:
        self.sent.append(route.request.post_data or "")
        answer = self.answers.pop(0) if self.answers else ()
        if answer is None:
            route.abort()
        elif answer:
            route.fulfill(status=answer[0], json=answer[1])
        else:
            self.held.append(route)

    def answer(self, status: int, body: dict[str, Any]) -> None:
        """Answer what was held for the longest time."""
        self.held.pop(0).fulfill(status=status, json=body)
