"""What an audit finds wrong with a campaign."""

from __future__ import annotations

from workbench.release.audit.checks import audit
from workbench.storage.campaign import Campaign


def wrong(campaign: Campaign) -> list[tuple[str, tuple[str, ...]]]:
    """Each question of the audit that has findings, with these."""
    return [(finding.question, finding.wrong) for finding in audit(campaign) if finding.wrong]
