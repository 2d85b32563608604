"""What a release tells of its judging: who judged which pairs how often, how well they agree, what settled the rest."""

from __future__ import annotations

from pathlib import Path

from tests.log_rows import row
from tests.sentences import says
from workbench.campaign import assigning
from workbench.campaign.assessing.repeats import set_repeats
from workbench.campaign.new_campaign import new_campaign
from workbench.release.bundle.how_judged import answers, how_judged
from workbench.release.campaign_summary import summarise_campaign
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.assigning import norming
from workbench.storage.campaign.log import log
from workbench.storage.campaign.organising import settings


def told(campaign: Campaign, as_of: int | None = None) -> list[str]:
    facts = summarise_campaign(campaign.at(as_of))
    return [answer for _, answer in answers(facts, how_judged(campaign.at(facts.head.seq)))]


def test_where_one_person_judged_nothing_else_is_claimed(tmp_path: Path) -> None:
    with new_campaign(tmp_path / "c.db", title="C", actor="Olga") as campaign:
        counts, drawn, agree, again, session, rule = told(campaign)
    assert says(counts)
    assert says(counts)
    assert says(drawn)
    assert says(agree)
    assert says(again)
    assert says(session)
    assert rule.endswith("Nothing was adjudicated.")


def test_kinds_of_judgments_are_distinguished_and_a_draw_with_its_probabilities(small: Campaign) -> None:
    assigning.choose_who_judges(small.by("Olga"), "assigned")
    assigning.draw_double(small.by("Olga"), 0.5, 7, stratify="topic", assessors=["Ben", "Eva"])
    set_repeats(small.by("Olga"), 0.1, 3, 9)
    before = log.newest_seq(small)
    with small.write():
        norming.put_open(small.by("Olga"), "1", ["d1"])
        log.append_judgments(small, [row("Ben", "1", "d1", 2, kind="norming")])
        norming.put_closed(small.by("Olga"), 1, counts=False)
        for document_id, ben, eva in (("d1", 1, 1), ("d2", 0, 2), ("d4", 0, 0)):
            log.append_judgments(
                small, [row("Ben", "1", document_id, ben), row("Eva", "1", document_id, eva)]
            )
        log.append_judgments(small, [row("Ben", "2", "d1", 1), row("Ben", "2", "d1", 0, kind="repeat")])
        log.append_judgments(small, [row("Ada", "1", "d2", 1, kind="adjudication")])
        settings.change(small.by("Olga"), {"label_rule": "adjudicated first"})
    counts, drawn, agree, again, session, rule = told(small)
    assert "1 pair by 1 assessor, 3 pairs by 2 assessors." in counts
    assert says(counts)
    assert says(drawn)
    assert "with inclusion probabilities from 0.6667 to 1." in drawn
    weighted, of_all = agree.split(" About the 3 pairs that several assessors judged")
    assert says(weighted)
    assert "As relevant or not raw agreement 1.000, " in weighted
    assert "As relevant or not raw agreement 0.667, " in of_all
    assert says(agree)
    assert says(again)
    assert says(again)
    assert says(session)
    assert says(session)
    assert "an adjudication counts before any other grade" in rule
    assert says(rule)
    with small.write():
        norming.put_open(small.by("Olga"), "2", ["d1", "d2"])
    assert says(told(small)[4])
    with small.write():
        norming.put_revealed(small.by("Olga"), 2)
        norming.put_closed(small.by("Olga"), 2, counts=True)
    assert says(told(small)[4])
    assert says(told(small, before)[2])
