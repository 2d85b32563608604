"""What a release tells of its judging: who judged which pairs how often, how well they agree, what settled the rest."""

from __future__ import annotations

from pathlib import Path

from tests.log_rows import row
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
    assert counts.startswith("Any assessor could judge any topic (as of this row;")
    assert "Graded, each on their own: no pair. Rows of `judgments.jsonl`" in counts
    assert drawn == "None were drawn: where several judged a pair, it was not chosen by chance."
    assert agree == "No pair has the own grades of two assessors, so nothing is known of it."
    assert again == "No pair was judged twice by the same assessor, so it is unknown."
    assert session == "There was no norming session in this campaign."
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
    assert "7 grades, 1 adjudication, 1 hidden repeat, 1 judgment in norming sessions." in counts
    assert (
        "5 pairs of 7, within each topic (a share of 0.5, each stratum in proportion to its size, seed 7)"
        in drawn
    )
    assert "with inclusion probabilities from 0.6667 to 1." in drawn
    weighted, of_all = agree.split(" About the 3 pairs that several assessors judged")
    assert weighted.startswith(
        "Estimated for all pairs from which second judgments were drawn: 2 drawn pairs, "
    )
    assert "As relevant or not raw agreement 1.000, " in weighted
    assert "As relevant or not raw agreement 0.667, " in of_all
    assert agree.endswith("No intervals: there are too few pairs. Relevant from grade 1.")
    assert again.startswith(
        "Of the pairs that an assessor graded a share of 0.1 came again, after at least 3 other"
    )
    assert "1 pair judged again, 1 of them with a grade both times" in again
    assert session.startswith(
        "Norming session 1: 1 document of topic 1, grades not shown to all, closed at row"
    )
    assert session.endswith("its grades do not count.")
    assert "an adjudication counts before any other grade" in rule
    assert rule.endswith("1 pair has an adjudication in force.")
    with small.write():
        norming.put_open(small.by("Olga"), "2", ["d1", "d2"])
    assert told(small)[4].endswith(
        "Norming session 2: 2 documents of topic 2, grades not shown to all, still open."
    )
    with small.write():
        norming.put_revealed(small.by("Olga"), 2)
        shown = log.newest_seq(small)
        norming.put_closed(small.by("Olga"), 2, counts=True)
    assert told(small)[4].endswith(
        f"Norming session 2: 2 documents of topic 2, grades shown to all at row {shown}, closed at row {shown + 1}; "
        "its grades were taken over where an assessor had none."
    )
    assert told(small, before)[2] == "No pair has the own grades of two assessors, so nothing is known of it."
