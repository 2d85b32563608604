"""Documents of a new run that were judged before the open round began: its residual collection does not have them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from workbench.core.findings import Findings
from workbench.core.wording import counted, listed
from workbench.formats.runs import RunFile
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection.rounds import Round
from workbench.storage.campaign.grades import residual
from workbench.storage.campaign.organising.settings import Settings

if TYPE_CHECKING:
    import polars as pl


class JudgedBefore(NamedTuple):
    """The pairs judged before a round, by topic_id and document_id, and whether runs that rank one are refused."""

    round: str
    pairs: pl.DataFrame
    refuses: bool

    @classmethod
    def of(cls, campaign: Campaign, at: Round, current: Settings) -> JudgedBefore | None:
        """Those of a round, by a campaign's settings; None where nothing was judged before it."""
        import polars as pl

        judged = residual.judged_before(campaign.now, at)
        rows = [(topic_id, each) for topic_id, documents in judged.items() for each in documents]
        schema = {"topic_id": pl.String, "document_id": pl.String}
        refuses = current.judged_in_runs == "refuse"
        return cls(at.name, pl.DataFrame(rows, schema, orient="row"), refuses) if rows else None

    def add_to(self, findings: Findings, run: RunFile) -> None:
        """Count what the run has of them, as one finding with the first of them."""
        on = ["topic_id", "document_id"]
        found = run.frame.with_row_index("row").join(self.pairs, on=on, how="semi", maintain_order="left")
        if found.is_empty():
            return
        examples = [
            f"topic {topic_id} {document_id}" for topic_id, document_id in found.select(on).iter_rows()
        ]
        so_many = f"{counted(len(found), 'line')} of {len(run.frame):,} with documents judged before round {self.round}"
        way_out = (
            "leave these lines out: the qrels of earlier rounds name them"
            if self.refuses
            else "they count in whole rankings, and residual scores and pools leave them out"
        )
        kind = "judged-before-refused" if self.refuses else "judged-before"
        findings.add(run.line_of(found["row"][0]), kind, f"{so_many}: {listed(examples)}; {way_out}")
