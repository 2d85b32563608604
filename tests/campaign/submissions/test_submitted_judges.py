"""Teams submit labels of judges before a deadline; organisers compare all judges with people's labels."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from zipfile import ZipFile

import pytest

from tests.conftest import judge_as
from tests.sentences import refused, says
from workbench.analysis.models.every_judge import EVERY_JUDGE
from workbench.campaign.ingest import check_runs
from workbench.campaign.ingest.run_checks import RunOptions, RunsRefused
from workbench.campaign.ingest.senders import Sender
from workbench.campaign.model_labels import AddedModelLabels, LabelUpload, take_labels
from workbench.campaign.nuggets import add_nuggets
from workbench.campaign.rounds import open_round
from workbench.campaign.run_codes import draw_codes, named_codes, under_codes
from workbench.campaign.submission_rules import Rules, change_rules
from workbench.campaign.submissions.judges import change_judges, take_judge
from workbench.campaign.submissions.overview import judge_receipt_lines, missing_words, overview
from workbench.core.errors import AlreadyDone, CampaignError, InputError, NotThere
from workbench.core.model_answers import Judge, ModelAnswer
from workbench.formats.text.content import load
from workbench.release.bundle.importing import import_bundle
from workbench.release.bundle.writing import BundleOptions, save_bundle
from workbench.storage.campaign import Campaign, open_campaign
from workbench.storage.campaign.log import log
from workbench.storage.campaign.models import answers, judges, submitted
from workbench.storage.campaign.models.submitted import files
from workbench.storage.campaign.people import members

DEADLINE = datetime(2027, 3, 1, 13, tzinfo=UTC)
NOON = DEADLINE - timedelta(hours=1)
LABELS = "1 0 d1 1\n1 0 d2 0\n2 0 d1 2\n"


@pytest.fixture
def task(small: Campaign) -> Campaign:
    """Open for judges, one of each team, until DEADLINE; Daan is of team Delft, Aïda of Αθήνα."""
    with small.write():
        for name, team in (("Daan", "Delft"), ("Aïda", "Αθήνα")):
            members.put(small.by("Olga"), name, "participant", team=team)
    change_rules(small.by("Olga"), Rules(True, DEADLINE, 1, judges=True))
    return small


def send(
    task: Campaign,
    text: str = LABELS,
    name: str = "gpt-4.1.qrels.gz",
    *,
    team: str = "Delft",
    received: datetime = NOON,
    dry_run: bool = False,
) -> AddedModelLabels:
    path = Path(task.path).with_name("sent")
    path.write_text(text, encoding="utf-8")
    sender = Sender(team, received=received)
    return take_labels(task.by("Daan"), str(path), name, LabelUpload(), sender, dry_run=dry_run)


def labels_of(task: Campaign, judge: str) -> list[tuple[str, str, int | None]]:
    every = (each for each, _ in log.hashed_judgments(task))
    return [(each.topic_id, each.document_id, each.grade) for each in every if each.assessor == judge]


def test_a_file_becomes_labels_of_a_judge_named_by_team_and_file_with_a_receipt(task: Campaign) -> None:
    assert says(send(task, dry_run=True).sentence, "Delft/gpt-4.1")
    assert files(task) == []
    assert send(task).judges == ("Delft/gpt-4.1",)
    assert labels_of(task, "Delft/gpt-4.1") == [("1", "d1", 1), ("1", "d2", 0), ("2", "d1", 2)]
    (receipt,) = files(task, "Delft")
    assert files(task, "Αθήνα") == []
    batch = receipt
    assert (batch.team, batch.source, batch.received) == (
        "Delft",
        "gpt-4.1.qrels.gz",
        "2027-03-01T12:00:00.000+00:00",
    )
    text = "".join(judge_receipt_lines(task, receipt))
    assert all(f": {value}\n" in text for value in (batch.file_sha256, batch.seq, receipt.hash, "Daan"))
    assert missing_words(overview(task)) == "1 team of 2 with 1 judge. Missing: Αθήνα."


@pytest.mark.parametrize(
    ("words", "values"),
    [
        ({"received": DEADLINE + timedelta(seconds=1)}, ("2027-03-01 13:00:00 UTC",)),
        ({"team": ""}, ()),
        ({"name": "other.txt"}, ("Delft", "Delft/gpt-4.1")),
        ({"team": "Αθήνα", "name": "taken"}, ("Αθήνα/taken",)),
    ],
)
def test_what_comes_late_of_no_team_beyond_the_limit_or_with_a_taken_name_is_refused(
    task: Campaign, words: dict[str, str], values: tuple[str, ...]
) -> None:
    send(task)
    with task.write():
        judges.put_judge(task.by("Olga"), Judge("Αθήνα/taken"))
    head = log.newest_seq(task)
    with refused(CampaignError, *values):
        send(task, **words)  # type: ignore[arg-type]
    assert log.newest_seq(task) == head


def test_a_file_with_errors_is_refused_by_line_and_changes_nothing(task: Campaign) -> None:
    with refused(InputError, "gpt-4.1.qrels.gz:2", "gpt-4.1.qrels.gz:1", "7", "99"):
        send(task, "99 0 d1 1\n1 0 d1 7\n")
    assert files(task) == []


def test_a_file_of_the_same_name_replaces_its_labels_and_the_limit_is_that_of_a_round(task: Campaign) -> None:
    send(task)
    send(task, "1 0 d2 1\n")
    assert labels_of(task, "Delft/gpt-4.1")[3:] == [("1", "d2", 1)]
    assert {each.judge for each in overview(task).teams[0].files} == {"Delft/gpt-4.1"}
    open_round(task.by("Olga"), "2")
    send(task, name="bert.txt")
    sent = [{file.judge for file in each.files} for each in overview(task).teams]
    assert sent == [{"Delft/bert"}, set()]


def test_where_judges_are_submitted_runs_are_not_and_the_other_way_round(
    task: Campaign, tmp_path: Path
) -> None:
    path = tmp_path / "delft.run"
    path.write_text("1 Q0 d1 1 1 delft\n", encoding="utf-8")
    options = RunOptions(senders={str(path): Sender("Delft", received=NOON)})
    with refused(RunsRefused, "delft.run"):
        check_runs([str(path)], task, options=options)
    change_rules(task.by("Olga"), Rules(True, DEADLINE))
    check_runs([str(path)], task, options=options)
    with refused(CampaignError):
        send(task)


@pytest.fixture
def judged(task: Campaign) -> Campaign:
    """People judged three pairs, of which Delft's judge has all; jay has two, for 10 tokens and .02 each answer."""
    send(task)
    for topic_id, document_id, grade in (("1", "d1", 1), ("1", "d2", 1), ("2", "d1", 2)):
        judge_as(task, "Zoe", topic_id, document_id, grade)
    with task.write():
        judges.put_judge(task.by("Olga"), Judge("jay"))
        given = [
            ModelAnswer("1", "d1", grade=1, input_tokens=8, output_tokens=2, cost=0.02),
            ModelAnswer("1", "d2", grade=1, input_tokens=8, output_tokens=2, cost=0.02),
            ModelAnswer("2", "d1", failure="refused", input_tokens=8, output_tokens=2, cost=0.02),
        ]
        answers.put_answers(task.by("Olga"), "jay", given)
    return task


def test_all_judges_are_compared_with_people_and_absent_costs_are_absent(judged: Campaign) -> None:
    delft, jay = EVERY_JUDGE.answer(judged, {}).labels
    assert (delft.judge, delft.pairs, delft.precision.all, delft.recall.all) == (
        "Delft/gpt-4.1",
        3,
        1.0,
        pytest.approx(2 / 3),
    )
    assert (delft.tokens, delft.cost) == (None, None)
    assert (jay.judge, jay.pairs, jay.pairs_missing) == ("jay", 2, 1)
    # Three answers, of which one failed, made two labels.
    assert (jay.tokens, jay.cost) == (15.0, pytest.approx(0.03))
    sheet = EVERY_JUDGE.for_people(EVERY_JUDGE.answer(judged, {}))
    assert [row[-2:] for row in sheet.rows] == [("–", "–"), (15.0, pytest.approx(0.03))]


def test_under_codes_no_team_is_named(judged: Campaign, tmp_path: Path) -> None:
    with refused(CampaignError):
        under_codes(judged)
    draw_codes(judged.by("Olga"))
    code = next(each.run_code for each in named_codes(judged) if each.run == "Delft/gpt-4.1")
    found = EVERY_JUDGE.answer(under_codes(judged), {})
    assert {each.judge for each in found.labels} == {code, "jay"}
    bundle = save_bundle(under_codes(judged), tmp_path / "blind.zip", options=BundleOptions())
    with ZipFile(bundle.path) as archive:
        inside = {name.split("/")[-1]: archive.read(name) for name in archive.namelist()}
    assert [name for name, text in inside.items() if b"Delft" in text or b"gpt-4.1" in text] == []
    assert str(code).encode() in inside["arrangements.jsonl"]
    import_bundle(bundle.path, tmp_path / "new.db", actor="Olga")
    with open_campaign(tmp_path / "new.db") as imported:
        assert labels_of(imported, str(code)) == labels_of(judged, "Delft/gpt-4.1")


def send_file(
    task: Campaign, text: str, name: str, form: str, *, team: str = "Delft", dry_run: bool = False
) -> str:
    """Send a leaderboard or nuggets; what came of it, with the warnings."""
    path = Path(task.path).with_name("sent")
    path.write_text(text, encoding="utf-8")
    sender, labels = Sender(team, received=NOON), LabelUpload(form)
    said, warnings = take_judge(task.by("Daan"), (path, name), labels, sender, dry_run=dry_run)
    return "\n".join([said, *map(str, warnings)])


BOARD = "alpha 1 M .9\nbeta 1 M .2\nalpha 2 M .8\nbeta 2 M .1\nalpha 3 M .3\nbeta 3 M .4\nother 1 M .5\n"


def test_a_leaderboard_is_compared_with_the_campaigns_over_the_runs_and_topics_of_both(
    judged: Campaign,
) -> None:
    change_rules(judged.by("Olga"), Rules(True, DEADLINE, judges=True))
    assert says(send_file(judged, BOARD, "gpt.eval", "ir_measures", dry_run=True), "Delft/gpt", "other", 3)
    assert len(files(judged)) == 1
    send_file(judged, BOARD, "gpt.eval", "ir_measures")
    send_file(judged, "1 Q0 beta 1 3 me\n1 Q0 alpha 2 1 me\n", "rank.txt", "ranking", team="Αθήνα")
    receipt = files(judged, "Delft")[-1]
    assert (receipt.what, receipt.holds) == ("leaderboard", "3 runs, 3 topics, 1 measure")
    assert "Leaderboard: 3 runs, 3 topics, 1 measure\n" in judge_receipt_lines(judged, receipt)
    found = EVERY_JUDGE.answer(judged, {"of": "leaderboards", "measure": "P@2", "best": (2,)})
    whole, best, ranked = found.boards[0], found.boards[1], found.boards[2]
    # By P@2 beta has .5 on topic 1, as alpha, and neither has a document of topic 2 at the top.
    assert (whole.judge, whole.runs, whole.runs_missing, best.best) == ("Delft/gpt", 2, 0, 2)
    assert (ranked.judge, ranked.measure, ranked.topics) == ("Αθήνα/rank", "score", 1)


def test_codes_name_runs_on_leaderboards_and_judges_and_their_measures_in_the_comparison(
    judged: Campaign,
) -> None:
    change_rules(judged.by("Olga"), Rules(True, DEADLINE, judges=True))
    draw_codes(judged.by("Olga"))
    of = {each.run: str(each.run_code) for each in named_codes(judged)}
    text = BOARD.replace("alpha", of["alpha"]).replace("beta", of["beta"]).replace(" M ", " gpt_score ")
    send_file(judged, text, "gpt.eval", "ir_measures")
    asked = {"of": "leaderboards", "measure": "P@2"}
    named = EVERY_JUDGE.answer(judged, asked).boards[0]
    draw_codes(judged.by("Olga"))
    code = next(each.run_code for each in named_codes(judged) if each.run == "Delft/gpt")
    (coded, _) = EVERY_JUDGE.answer(under_codes(judged), asked).boards
    assert (coded.judge, coded.measure) == (code, "measure 1")
    assert (named.judge, named.measure, named.runs) == ("Delft/gpt", "gpt_score", 2)
    assert coded._replace(judge="", measure="") == named._replace(judge="", measure="")


@pytest.mark.parametrize(
    ("form", "text", "values"),
    [
        ("ir_measures", "alpha 1 M .9\nbeta 1 M much\n", ("gpt.eval:2",)),
        ("ir_measures", "alpha 1 M .9\ngamma 1 M .2\n", ("gamma",)),
        ("ir_measures", "alpha 9 M .9\nbeta 9 M .2\n", ("9",)),
        ("trec_eval", "M 1 .9\nrunid all alpha\n", ("gpt.eval",)),
        ("nuggets", '{"qid": "1", "nuggets": [{"importance": "vital"}]}\n', ("gpt.eval:1",)),
    ],
)
def test_a_leaderboard_or_bank_with_errors_changes_nothing(
    task: Campaign, form: str, text: str, values: tuple[str, ...]
) -> None:
    head = log.newest_seq(task)
    with refused(InputError, *values):
        send_file(task, text, "gpt.eval", form)
    assert log.newest_seq(task) == head


def test_a_file_of_more_than_can_be_compared_is_refused(
    task: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(submitted, "MOST_ROWS", {submitted.LEADERBOARD: 7, submitted.BANK: 1})
    send_file(task, BOARD, "gpt.eval", "ir_measures")
    with refused(CampaignError, 2, 1):
        send_file(task, BANK.replace("\n", " "), "gpt.jsonl", "nuggets")
    with refused(CampaignError, 8, 7):
        send_file(task, BOARD + "alpha 3 N .3\n", "gpt.eval", "ir_measures")


def test_leaderboards_are_held_to_the_rules_of_labels_and_share_names_with_them(task: Campaign) -> None:
    send(task, name="gpt.qrels")
    send_file(task, BOARD, "gpt.eval", "ir_measures")
    with refused(CampaignError, "Delft/gpt"):
        send_file(task, BOARD, "other.eval", "ir_measures")
    assert {each.judge for each in overview(task).teams[0].files} == {"Delft/gpt"}


BANK = """{"qid": "1", "query": "rivers", "nuggets": [{"text": "The dam was built in 1966", "importance": "vital"},
 {"text": "It floods the valley", "importance": "okay"}]}"""


def test_nuggets_are_compared_with_the_campaigns_by_their_words(task: Campaign, tmp_path: Path) -> None:
    path = tmp_path / "bank.jsonl"
    path.write_text(BANK.replace("\n", " "), encoding="utf-8")
    add_nuggets(task.by("Olga"), [load(path)])
    own = '{"qid": "1", "query": "rivers", "nuggets": [{"text": "the DAM was built in 1966."}, {"text": "Fish"}]}\n'
    assert says(send_file(task, own, "gpt.jsonl", "nuggets"), "Delft/gpt", 2)
    (row,) = EVERY_JUDGE.answer(task, {"of": "banks"}).banks
    assert (row.judge, row.topics, row.nuggets, row.judge_nuggets, row.same) == ("Delft/gpt", 1, 2, 2, 0.5)
    # Of "It floods the valley" one of four words is among the six of the dam: 2 / (4 + 6).
    assert (row.recall.all, row.vital.all) == (pytest.approx(0.6), 1.0)
    assert (row.precision.all, row.by_chance) == (0.5, None)


def test_a_withdrawn_judge_takes_no_part_and_the_log_keeps_it(judged: Campaign, tmp_path: Path) -> None:
    before = log.newest_seq(judged)
    assert change_judges(judged.by("Daan"), ["Delft/gpt-4.1"], by_team=("Delft", NOON)) == 1
    assert [each.judge for each in EVERY_JUDGE.answer(judged, {}).labels] == ["jay"]
    assert [each.judge for each in EVERY_JUDGE.answer(judged.at(before), {}).labels] == [
        "Delft/gpt-4.1",
        "jay",
    ]
    found = overview(judged)
    assert (found.teams[0].submitted(found.rules), files(judged)[0].withdrawn) == (0, before + 1)
    with refused(CampaignError, "Delft/gpt-4.1"):
        send(judged)
    send(judged, name="other.txt")
    save_bundle(judged, tmp_path / "bundle.zip", options=BundleOptions())
    import_bundle(tmp_path / "bundle.zip", tmp_path / "new.db", actor="Olga")
    with open_campaign(tmp_path / "new.db") as imported:
        assert [each.judge for each in EVERY_JUDGE.answer(imported, {}).labels] == ["Delft/other", "jay"]
    change_judges(judged.by("Olga"), ["Delft/gpt-4.1"], back=True)
    assert len(EVERY_JUDGE.answer(judged, {}).labels) == 3


@pytest.mark.parametrize(
    ("team", "moment", "kind"),
    [
        ("Delft", DEADLINE + timedelta(seconds=1), CampaignError),
        ("Αθήνα", NOON, NotThere),
        ("", NOON, CampaignError),
    ],
)
def test_a_team_withdraws_its_own_judges_before_the_deadline_alone(
    judged: Campaign, team: str, moment: datetime, kind: type[Exception]
) -> None:
    head = log.newest_seq(judged)
    with refused(kind):
        change_judges(judged.by("Daan"), ["Delft/gpt-4.1"], by_team=(team, moment))
    with refused(AlreadyDone, "Delft/gpt-4.1"):
        change_judges(judged.by("Olga"), ["Delft/gpt-4.1"], back=True)
    assert log.newest_seq(judged) == head
