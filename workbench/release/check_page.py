"""The report of a check as one HTML page to send to a team: its files, what is wrong, where, and how to mend it.

Names and files are data: the template escapes them. Of runs of other teams the page says nothing: where a finding names
another run, its kind is said without its message.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from workbench.campaign.ingest.check_report import in_numbers, size_of, totals, without_hint
from workbench.campaign.ingest.file_checks import FileCheck
from workbench.core.findings import KINDS, REPAIRED
from workbench.core.wording import capital, counted
from workbench.release.markdown import html_page

NAMES_OTHERS = frozenset({"name-taken", "same-rankings"})
"""Kinds of findings whose messages name runs or files of others."""

VERDICTS = {
    "fine": "This file can be added as it is.",
    "warned": "This file can be added; look at the warnings below first.",
    "refused": "This file cannot be added as it is.",
}


def check_page(checks: Sequence[FileCheck], *, title: str = "") -> str:
    """One page with its style inside, to be sent and opened anywhere; `title` names the campaign, if there is one."""
    template = Path(__file__).with_name("check_page.html.jinja")
    lead = totals(checks) if len(checks) != 1 else f"1 file: {checks[0].verdict}"
    return html_page(template, title=title, lead=lead, files=list(map(_file, checks)))


def _file(check: FileCheck) -> dict[str, Any]:
    refusing = in_numbers(check, refusing=True)
    return {
        "name": check.file,
        "verdict": check.verdict,
        "says": VERDICTS[check.verdict],
        "why": capital(refusing),
        "size": size_of(check) if check.run else "",
        "sha256": check.sha256,
        "kinds": [_kind(check, kind) for kind in check.counts if kind != REPAIRED],
        "repairs": [repair.message for repair in check.repairs],
    }


def _kind(check: FileCheck, name: str) -> dict[str, Any]:
    kind, count = KINDS[name], check.counts[name]
    found = [] if name in NAMES_OTHERS else [problem for problem in check.problems if problem.kind == name]
    label = counted(count, kind.one, kind.many)
    said: set[str] = set()
    others = [line for line in check.lines[name][len(found) :] if line]
    return {
        "label": label,
        "refuses": kind.refuses,
        "way_out": kind.way_out,
        "found": [
            {"line": problem.line, "message": without_hint(problem.message, said)} for problem in found
        ],
        "more": count - len(found) if found else 0,
        "lines": ", ".join(map(str, others)) + (", …" if len(others) < count - len(found) else ""),
    }
