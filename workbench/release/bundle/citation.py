"""How to cite a release: CITATION.cff, Citation File Format 1.2.0 (citation-file-format.github.io)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from workbench.release.campaign_summary import CampaignSummary

NOT_PRINTABLE = re.compile("[\x7f-\x84\x86-\x9f\u2028\u2029\ufeff\ufffe\uffff]")
"""What YAML does not allow as it is, and JSON's writer leaves (yaml.org/spec/1.2.2, section 5.1)."""


def citation_lines(facts: CampaignSummary) -> Iterator[str]:
    """The lines of CITATION.cff; the organisers put their names in the place of the one author."""
    title = facts.settings.title
    fields: dict[str, object] = {
        "cff-version": "1.2.0",
        "message": "If you use this test collection, please cite it as below.",
        "type": "dataset",
        "title": f"{title}: relevance judgments",
        "abstract": _abstract(facts),
        "version": f"log row {facts.head.seq}",
        "keywords": ["information retrieval", "test collection", "relevance judgments"],
    }
    yield "# Before you publish: write the authors, the licence, and the address or DOI of the release.\n"
    for name, value in fields.items():
        yield f"{name}: {scalar(value)}\n"
    if facts.at:
        yield f"date-released: {scalar(facts.at[:10])}\n"
    yield "authors:\n"
    yield f"  - name: {scalar(f'The organisers of {title}')}\n"


def scalar(value: object) -> str:
    """A value as YAML reads it: JSON in double quotes, which is YAML too, on one line."""
    text = json.dumps(value, ensure_ascii=False)
    return NOT_PRINTABLE.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def _abstract(facts: CampaignSummary) -> str:
    return (
        f"{facts.lines:,} judged pairs of topic and document for {facts.judged_topics:,} topics, "
        f"with a table of {len(facts.runs):,} runs."
    )
