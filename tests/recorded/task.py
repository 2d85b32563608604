"""The eventful campaign as a shared task goes on: teams submit, assessors are trained, an organiser corrects."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import UUID

import pytest

from workbench.analysis.dashboard.campaign_warnings import campaign_warnings, dismiss_warning
from workbench.analysis.dashboard.progress import state_of
from workbench.analysis.pairs.overruling import overrule
from workbench.campaign import training
from workbench.campaign.assigning.again import judge_again, take_back_again
from workbench.campaign.changing_settings import change_settings
from workbench.campaign.content_changes import (
    correct_topic,
    mark_broken,
    mark_not_broken,
    restore_topics,
    withdraw_topics,
)
from workbench.campaign.guidelines import note_read
from workbench.campaign.ingest.senders import Sender
from workbench.campaign.submission_rules import Rules, change_rules, parse_fields
from workbench.campaign.submissions.correcting import Correction, correct_run
from workbench.campaign.uploads import Sent, UploadOptions, receive
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.assigning.training import EXAMPLE, PRACTICE, TrainingPair
from workbench.storage.campaign.collection import documents
from workbench.storage.campaign.grades.labels import qrels
from workbench.storage.campaign.organising import settings
from workbench.storage.campaign.people import members

BEGUN = datetime(2026, 3, 3, 9, tzinfo=UTC)
DEADLINE = datetime(2026, 3, 3, 18, tzinfo=UTC)
GUIDELINES = "Read the **whole** document.\n\n1. Words alone are not enough.\n2. Ask whether it helps."


def go_on(campaign: Campaign, folder: Path) -> None:
    """All that the newer pages are about, once or twice of each kind."""
    _set(campaign)
    _submit(campaign, folder)
    judged = [(qrel.topic_id, qrel.document_id) for qrel in qrels(campaign)]
    there = [pair for pair in judged if documents.text_hash_of(campaign, pair[1]) is not None]
    _train(campaign, there)
    _correct(campaign, there)


def at(minutes: int) -> datetime:
    return BEGUN + timedelta(minutes=minutes)


def _set(campaign: Campaign) -> None:
    values = {
        "contact": "Otto <otto@example.org>",
        "guidelines": GUIDELINES,
        "break-documents": 30,
        "break-minutes": 45,
        "practice-required": 2,
        "judging-until": "2026-03-20",
        "key-order": "descending",
    }
    change_settings(campaign.by("Otto", at(0)), values)
    for name in ("anna", "ben"):
        note_read(campaign, name, settings.read(campaign).guideline_version, now=at(0))
    change_settings(campaign.by("Otto", at(1)), {"guidelines": GUIDELINES + "\n3. Ask Otto."})
    with campaign.write():
        for name, team in (("Zoë", "Beta"), ("Yan", "Gamma"), ("Xena", "")):
            members.put(campaign.by("Otto", at(2)), name, "participant", team=team)


def _submit(campaign: Campaign, folder: Path) -> None:
    fields = parse_fields(["Method*=method.automatic", "Model"])
    change_rules(campaign.by("Otto", at(3)), Rules(True, DEADLINE, 3, fields))
    contents = {
        "alpha.run": "1 Q0 {0} 1 2 alpha-1\n1 Q0 {1} 2 1 alpha-1\n2 Q0 {2} 1 1 alpha-1\n",
        "again.run": "1 Q0 {1} 1 2 alpha-1\n1 Q0 {2} 2 1 alpha-1\n2 Q0 {0} 1 1 alpha-1\n",
        "beta.run": "1 Q0 {2} 1 2 beta-1\n3 Q0 {1} 1 1 beta-1\n",
        "wrong.run": "1 Q0 {2} 1 2 beta-2\n3 Q0 {1} 1 high beta-2\n",
    }
    names = sorted({qrel.document_id for qrel in qrels(campaign)})[:3]
    for number, (name, content) in enumerate(contents.items()):
        path = folder / name
        path.write_text(content.format(*names), encoding="utf-8")
        actor, team = ("Zoë", "Beta") if "beta" in content else ("Paul", "Alpha")
        described = {"Method": "automatic", "Model": "BM25"} if number % 2 == 0 else {"Method": "manual"}
        sender = Sender(team, priority=number + 1, description=described, received=at(4 + number))
        options = UploadOptions(sender=sender, for_team=True)
        (report,) = receive(
            campaign.by(actor, at(4 + number)), "runs", [Sent(path, name)], options=options, expanded=10**6
        )
        assert report.added is (number < 3), report
    correct_run(
        campaign.by("Otto", at(9)),
        "beta-1",
        Correction(depth=50, description={"Model": "BM25+"}),
        reason="a slip",
    )


def _train(campaign: Campaign, there: list[tuple[str, str]]) -> None:
    for number, pair in enumerate(there[:4]):
        use = EXAMPLE if number % 2 else PRACTICE
        chosen = TrainingPair(*pair, use, number % 2, f"Because of sentence {number}.")
        training.choose_pair(campaign.by("Otto", at(10 + number)), chosen)
    for number, grade in enumerate((0, 1)):
        training.answer(campaign, "anna", *there[2 * number], grade, now=at(15 + number))
    training.practise_again(campaign, "anna", now=at(17))
    training.answer(campaign, "anna", *there[0], 0, now=at(18))
    for pair in (there[0], there[2]):
        training.answer(campaign, "ben", *pair, 0, now=at(19))


def _correct(campaign: Campaign, there: list[tuple[str, str]]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("workbench.analysis.pairs.overruling.uuid4", lambda: UUID(int=7))
        overrule(campaign.by("Otto", at(21)), *there[5], 2, reason="It names the river.")
    for number, by in ((6, "ben"), (7, "ben"), (8, None)):
        judge_again(campaign.by("Otto", at(22 + number)), [there[number]], by=by, reason="Look again.")
    take_back_again(campaign.by("Otto", at(31)), *there[7], "ben", reason="not needed")
    mark_broken(campaign.by("Otto", at(32)), [there[10][1], there[12][1]], reason="cut off")
    mark_not_broken(campaign.by("Otto", at(33)), [there[12][1]], reason="it is whole")
    correct_topic(campaign.by("Otto", at(34)), "2", {"title": "Another title"})
    withdraw_topics(campaign.by("Otto", at(35)), ["5", "6"], reason="too vague")
    restore_topics(campaign.by("Otto", at(36)), ["6"], reason="it is clear")
    current = campaign_warnings(campaign, state_of(campaign, now=at(37)))
    warned = next(each for each in current if each.warning == "warned")
    dismiss_warning(campaign.by("Otto", at(37)), "warned", warned.state, current=current, note="Known.")
