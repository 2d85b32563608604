"""Ids that changed between releases: the made task of three rounds with other ids gives the same numbers as without."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.conftest import write_run
from tests.made_covid import means
from tests.sentences import refused, says
from tests.three_rounds import ROUNDS, Data, Grades, add_round, judge
from workbench.analysis.comparing.documents import influential_documents
from workbench.analysis.reuse.origin import origin_of
from workbench.analysis.run_profiles.one_run import ranked_page, run_scores
from workbench.analysis.run_profiles.table import run_table
from workbench.campaign.changed_ids import IdChanges, change_ids
from workbench.campaign.content_changes import withdraw_runs
from workbench.campaign.ingest import add_runs, check_runs
from workbench.campaign.nuggets import add_nuggets
from workbench.campaign.pools.choosing import choose_next
from workbench.campaign.pools.making import add_pool
from workbench.campaign.pools.plan import plan_pool
from workbench.campaign.rounds import find_round, open_round, seen_by_name
from workbench.core.errors import AlreadyDone, CampaignError, InputError
from workbench.formats.answers.banks import Bank, GoldAnswer, Nugget, Reference
from workbench.formats.answers.banks_written import banks_text
from workbench.formats.qrels import qrels_lines
from workbench.formats.text.content import content_of
from workbench.release.audit.checks import audit
from workbench.release.bundle.importing import import_bundle
from workbench.release.bundle.writing import BundleOptions, save_bundle
from workbench.release.export import StreamedQrels, export_qrels
from workbench.release.round_files import qrels_of_rounds
from workbench.scoring.board import board_of, score_campaign
from workbench.scoring.board.past_boards import scoring_of
from workbench.storage.campaign import Campaign, create_campaign, open_campaign
from workbench.storage.campaign.collection import documents, nuggets, pools, runs
from workbench.storage.campaign.log import log

TABLES = {"2": {"d2": "e2", "d6": "e6", "d3": "e3"}, "3": {"e2": "f2", "n1": "m1", "e3": "d3"}}
"""By round; d2 changes twice, and d3 gets its first id back."""
NAMES = {"1": {}, "2": TABLES["2"], "3": {"d2": "f2", "d6": "e6", "n1": "m1"}}
"""What each round calls the documents of ROUNDS."""

PARTS = ("1", "2", "2-residual", "2-own", "3", "3-residual", "3-own", "all")
MEASURES = {"map": "AP", "P_5": "P@5", "ndcg_20": "nDCG@20", "bpref": "Bpref", "rbp_p5": "TrecRBP(p=0.5)"}


def renamed(data: Data, names: dict[str, str]) -> Data:
    runs = {
        tag: {topic: " ".join(names.get(each, each) for each in ids.split()) for topic, ids in run.items()}
        for tag, run in data.runs.items()
    }
    grades = {(topic, names.get(each, each)): grade for (topic, each), grade in data.grades.items()}
    return data._replace(runs=runs, grades=grades)


def change(campaign: Campaign, text: str, *, dry_run: bool = False) -> IdChanges:
    return change_ids(campaign.by("org"), content_of("ids.csv", text.encode()), dry_run=dry_run)


def table(ids: dict[str, str]) -> str:
    return "".join(f"{old},{new}\n" for old, new in {"old": "new", **ids}.items())


def qrels_file(campaign: Campaign, name: str) -> str:
    (found,) = (each for each in qrels_of_rounds(campaign) if f"_{name}." in each.name)
    return "".join(found.lines(campaign))


@contextmanager
def built(
    path: Path, names: dict[str, dict[str, str]], tables: dict[str, dict[str, str]]
) -> Iterator[Campaign]:
    """The three rounds with a pool of each."""
    with create_campaign(path) as campaign:
        for name, data in ROUNDS.items():
            if name != "1":
                open_round(campaign.by("org"), name)
            if name in tables:
                change(campaign, table(tables[name]))
            add_round(campaign, renamed(data, names.get(name, {})), path.parent)
            add_pool(campaign.by("org"), depth=3, residual=name != "1")
            judge(campaign, renamed(data, names.get(name, {})).grades)
        yield campaign


@pytest.fixture
def covid(tmp_path: Path) -> Iterator[Campaign]:
    """The three rounds, whose documents have other ids in the second and third."""
    with built(tmp_path / "covid.db", NAMES, TABLES) as campaign:
        yield campaign


@pytest.fixture
def same(tmp_path: Path) -> Iterator[Campaign]:
    """The three rounds with ids that stay."""
    with built(tmp_path / "same.db", {}, {}) as campaign:
        yield campaign


@pytest.fixture
def second(tmp_path: Path) -> Iterator[Campaign]:
    """The second round is open; all of the first is pooled and judged, and nothing has changed."""
    with create_campaign(tmp_path / "second.db") as campaign:
        add_round(campaign, ROUNDS["1"], tmp_path)
        add_pool(campaign.by("org"), depth=4)
        judge(campaign, ROUNDS["1"].grades)
        open_round(campaign.by("org"), "2")
        add_round(campaign, renamed(ROUNDS["2"], NAMES["2"]), tmp_path)
        yield campaign.by("org")


def assert_sound(campaign: Campaign) -> None:
    found = [each for each in audit(campaign) if each.wrong or each.not_checked]
    assert [each.question for each in found] == ["every judgment was made on the text that is stored"]


@pytest.mark.parametrize("name", PARTS)
def test_scores_are_those_of_the_same_task_with_ids_that_stay(
    covid: Campaign, same: Campaign, name: str
) -> None:
    names = [*MEASURES.values(), "num_rel", "num_rel_ret", "Judged@3"]
    found, expected = (score_campaign(seen_by_name(each, name), names) for each in (covid, same))
    assert found.rows == expected.rows != ()
    assert (found.judgments, found.waiting, found.topics) == (
        expected.judgments,
        expected.waiting,
        expected.topics,
    )


@pytest.mark.parametrize("name", ["2-own", "3-own", "2", "3"])
def test_scores_are_those_of_plain_python(covid: Campaign, name: str) -> None:
    number, _, own = name.partition("-")
    grades: Grades = {}
    for each in map(str, range(1, int(number) + 1)):
        before, grades = grades, grades | ROUNDS[each].grades
    if own:
        grades = {pair: grade for pair, grade in grades.items() if pair not in before}
    rows = {
        row.tag: row.values for row in score_campaign(seen_by_name(covid, name), list(MEASURES.values())).rows
    }
    assert rows == {
        tag: pytest.approx([means(run, grades)[each] for each in MEASURES])
        for tag, run in ROUNDS[number].runs.items()
    }


def test_what_runs_brought_and_what_others_have_is_the_same(covid: Campaign, same: Campaign) -> None:
    withdraw_runs(covid.by("org"), ["b1"])
    withdraw_runs(same.by("org"), ["b1"])
    for name in PARTS:
        tables = [run_table(seen_by_name(each, name)).runs for each in (covid, same)]
        rows = [[(row.contribution.unique_relevant, row.judged) for row in each] for each in tables]
        assert rows[0] == rows[1]
    for run in runs.all_runs(covid):
        assert run_scores(covid, run.record.tag) == run_scores(same, run.record.tag)
        pages = [ranked_page(each, scoring_of(each), run, "1").documents for each in (covid, same)]
        assert [(one.grade, one.others) for one in pages[0]] == [(one.grade, one.others) for one in pages[1]]
    cells = []
    for each in (covid, same):
        scoring = scoring_of(each)
        cells.append(sorted(scoring.labels.label[origin_of(each, scoring).cell].tolist()))
    assert cells[0] == cells[1]


def test_what_makes_the_difference_of_two_runs_is_the_same(covid: Campaign, same: Campaign) -> None:
    for name in ("all", "2", "2-own", "2-residual"):
        tags = ("a1", "b2") if name == "all" else ("a2", "b2")
        found, expected = (
            influential_documents(seen_by_name(each, name), *tags, "1") for each in (covid, same)
        )
        assert [each[1:] for each in found.judged] == [each[1:] for each in expected.judged]
        assert (found.score, found.baseline_score) == (expected.score, expected.baseline_score)


def test_qrels_of_earlier_rounds_stay_to_the_byte_and_later_ones_have_the_new_ids(
    covid: Campaign, same: Campaign
) -> None:
    assert qrels_file(covid, "d1_j1") == qrels_file(same, "d1_j1")
    assert qrels_file(covid, "d2_j1-2").splitlines() == sorted(
        f"{topic} 0 {NAMES['2'].get(each, each)} {grade}"
        for (topic, each), grade in (ROUNDS["1"].grades | ROUNDS["2"].grades).items()
    )
    assert "d2" not in qrels_file(covid, "d3_j1-3")
    assert "1 0 f2 1\n" in qrels_file(covid, "d3_j1-3")
    assert [len(qrels_file(covid, f"d{n}_j{n}").splitlines()) for n in (2, 3)] == [8, 4]


def test_as_of_a_row_before_the_table_nothing_has_changed(covid: Campaign, same: Campaign) -> None:
    at, there = (find_round(each, "2").opened for each in (covid, same))
    found, expected = covid.at(at), same.at(there)
    assert score_campaign(found).rows == score_campaign(expected).rows
    assert export_qrels(found).qrels == export_qrels(expected).qrels
    assert ("1", "e2") in [qrel[:2] for qrel in export_qrels(covid.at(at + 1)).qrels]


D2, E2, D9 = (
    Reference("d2", (3, 9), {"doc_id": "d2", "offsets": None}),
    Reference("e2", (3, 9)),
    Reference("d9"),
)
DEEP = Nugget("How deep?", "n1", True, answers=(GoldAnswer("9 m", references=(D9,)),), references=(D2, E2))
WIDE = Nugget("Wide", "n2", references=(Reference("d2"),), proposed=True)


def set_bank(campaign: Campaign, *found: Nugget) -> None:
    with campaign.write():
        nuggets.put(campaign.by("org"), Bank("1", found, "argue"))


def referred(campaign: Campaign) -> list[tuple[str, tuple[int, int] | None]]:
    """Documents and spans of the references of topic 1, of nuggets and their answers."""
    bank = nuggets.bank_of(campaign, "1")
    every = [one for each in bank.nuggets for one in (each, *each.answers)] if bank else []
    return [reference[:2] for each in every for reference in each.references]


def test_nuggets_refer_to_documents_by_their_new_ids_from_the_table_on(
    second: Campaign, tmp_path: Path
) -> None:
    set_bank(second, DEEP, WIDE)
    before = log.head(second).seq
    shown = change(second, "d2,e2\nd9,e9\nd8,e8\n", dry_run=True)
    assert (shown.referred, shown.unknown) == (2, ["d8"])
    assert says("\n".join(shown.sentences), "2 of these documents")
    assert referred(second) == [("d2", (3, 9)), ("e2", (3, 9)), ("d9", None), ("d2", None)]
    change(second, "d2,e2\nd9,e9\n")
    now = [("e2", (3, 9)), ("e9", None), ("e2", None)]
    assert referred(second) == now
    assert referred(second.at(before)) == [("d2", (3, 9)), ("e2", (3, 9)), ("d9", None), ("d2", None)]
    assert_sound(second)
    save_bundle(second, tmp_path / "bundle")
    import_bundle(tmp_path / "bundle", tmp_path / "again.db", actor="Ida")
    with open_campaign(tmp_path / "again.db") as again:
        assert referred(again) == now
        assert list(nuggets.wrong_banks(again)) == []


def test_what_is_exported_and_sent_again_has_the_new_ids(second: Campaign, tmp_path: Path) -> None:
    path = tmp_path / "bank.json"
    path.write_text(
        '{"query_id":"1","claim_bank":[{"claim":"Wide","references":["d2",{"doc_id":"d6","page":"4"}]}]}\n'
    )
    add_nuggets(second, [str(path)])
    change(second, "d2,e2\nd6,e6\n")
    (line,) = banks_text(nuggets.bank_file(second, ["1"]), "argue").splitlines()
    (claim,) = json.loads(line)["claim_bank"].values()
    assert claim["references"] == [{"doc_id": "e2"}, {"doc_id": "e6", "page": "4"}]
    head = log.head(second)
    assert add_nuggets(second, [str(path)])[0].is_same
    assert log.head(second) == head


def test_the_live_board_follows_judgments_under_either_id(covid: Campaign, same: Campaign) -> None:
    for name in ("3", "all"):
        for pair, old, grade in ((("1", "f2"), "d2", 0), (("1", "d2"), "d2", 1), (("2", "e6"), "d6", 0)):
            before = board_of(seen_by_name(covid, name)).table(seen_by_name(covid, name))
            judge(covid, {pair: grade})
            judge(same, {(pair[0], old): grade} if pair[1] != "d2" else {})
            seen = seen_by_name(covid, name)
            assert board_of(seen).table(seen).rows == score_campaign(seen).rows
            assert board_of(seen).table(seen).head != before.head
    # A grade under the newest id stays whatever is said under an older one.
    assert ("1", "f2", 0) in export_qrels(covid).qrels


def test_a_document_that_one_run_ranks_by_both_ids_counts_once(covid: Campaign, tmp_path: Path) -> None:
    add_runs(covid.by("org"), [write_run(tmp_path / "both.run", "both", {"1": "x f2 d2 e2 z2 d1"})])
    once = {"1": "x d2 z2 d1"}
    grades = ROUNDS["1"].grades | ROUNDS["2"].grades | ROUNDS["3"].grades
    rows = {
        row.tag: row.values for row in score_campaign(seen_by_name(covid, "3"), list(MEASURES.values())).rows
    }
    assert rows["both"] == pytest.approx([means(once, grades)[each] for each in MEASURES])


def test_the_check_of_a_run_names_documents_judged_under_their_old_ids(
    covid: Campaign, tmp_path: Path
) -> None:
    path = write_run(tmp_path / "new.run", "new", {"1": "new f2 m1", "2": "e6 d2"})
    (check,) = check_runs([path], covid).checks
    (warning,) = (each for each in check.problems if each.kind == "judged-before")
    assert "3 lines of 5" in warning.message
    assert "topic 1 f2, topic 1 m1, topic 2 e6" in warning.message


@pytest.mark.parametrize("residual", [True, False])
def test_what_was_judged_or_pooled_under_an_old_id_is_not_pooled_again(
    second: Campaign, residual: bool
) -> None:
    change(second, table(TABLES["2"]))
    plan = plan_pool(second, depth=5, residual=residual)
    made = add_pool(second, depth=5, residual=residual)
    found = set(pools.all_pairs(second))
    # Of topic 1, d3 was pooled in the first round and had no judgment.
    assert plan.at_depth.new == made.pool.pairs == len(found) - 7
    assert found.isdisjoint({("1", "e2"), ("2", "e6"), ("1", "e3")})
    assert found >= {("1", "n1"), ("3", "d2")} or found >= {("1", "n1"), ("3", "e2")}
    assert_sound(second)


def test_imported_judgments_under_old_ids_keep_documents_out_of_pools(covid: Campaign) -> None:
    add_pool(covid.by("org"), depth=9)
    assert {each for _, each in pools.all_pairs(covid)}.isdisjoint({"f2", "m1", "e6"})
    assert_sound(covid)


def test_an_adaptive_pool_does_not_choose_them(second: Campaign) -> None:
    change(second, table(TABLES["2"]))
    add_pool(second, strategy="mtf", depth=5, budget=12)
    for _ in range(5):
        judge(second, dict.fromkeys(set(pools.all_pairs(second)), 1))
        choose_next(second)
    assert set(pools.all_pairs(second)).isdisjoint({("1", "e2"), ("2", "e6"), ("1", "e3")})
    assert_sound(second)


def test_a_release_holds_the_tables(second: Campaign, tmp_path: Path) -> None:
    change(second, table(TABLES["2"]))
    add_pool(second, depth=5, residual=True)
    judge(second, renamed(ROUNDS["2"], NAMES["2"]).grades)
    save_bundle(second, tmp_path / "covid.zip", options=BundleOptions(runs=True))
    assert import_bundle(tmp_path / "covid.zip", tmp_path / "again.db", actor="Ida").same_scores
    with open_campaign(tmp_path / "again.db") as again:
        assert qrels_file(again, "d1_j1") == qrels_file(second, "d1_j1")
        assert qrels_file(again, "d2_j1-2") == qrels_file(second, "d2_j1-2")
        assert_sound(again)


def test_a_preview_says_what_changes_and_changes_nothing(second: Campaign) -> None:
    head = log.head(second)
    found = change(second, "old\tnew\nd1\tx1\nd4\tx1\nd5\td5\ngone\tx2\n", dry_run=True)
    # d1 is judged for both topics, d4 for the first, where their grades differ.
    assert (found.ids, found.idle, found.judged, found.pairs, found.unknown) == (3, 1, 2, 3, ["gone"])
    assert found.unlike == ["topic 1: d1 (1) and d4 (0) become x1 (1)"]
    assert says(" ".join(found.sentences), "gone")
    assert log.head(second) == head
    assert change(second, "d1,x1\nd4,x1\n").row == head.seq + 1
    assert ("1", "x1", 1) in export_qrels(second).qrels
    judge(second, {("1", "x1"): 0})
    assert ("1", "x1", 0) in export_qrels(second).qrels
    assert says(" ".join(change(second, "d2,x9\n", dry_run=True).sentences), "1 judgment")


@pytest.mark.parametrize(
    "text",
    [
        "old,new\nd1,x1\nd2,d1\n",
        "d1,x1\nd2,d1\n",
        "NEW_ID;title;Old_Id\nx1;a;d1\nd1;b;d2\n",
        '{"old": "d2", "new": "d1"}\n{"old": "d1", "new": "x1"}\n',
        '[{"old_id": "d2", "new_id": "x1"}, {"old_id": "d1", "new_id": "x1"}]',
        "d1,x1\nd2,x1\nd2,x1\n",
    ],
)
def test_tables_in_several_forms_lead_to_the_end_of_each_chain(second: Campaign, text: str) -> None:
    change(second, text)
    (event,) = log.events(second, "changed ids")
    assert event.content == {"ids": [["d1", "x1"], ["d2", "x1"]]}


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("d1,x1\nd2,x2\nd1,x3\n", ("ids.csv:3", "x3", "x1", "line 1")),
        ("d1,b2\nb2,c4\nc4,d1\n", ("ids.csv:1", "d1 → b2 → c4 → d1")),
        ("old,new\nd1,\nd2\n", ("ids.csv:2", "ids.csv:3")),
        ("d 1,x1\n", ("ids.csv:1", "d 1")),
        ('{"old": "d1", "new": null}\n["d1", "d2"]\n', ("ids.csv:1", "ids.csv:2")),
        ("old,new\n", ("ids.csv",)),
        ("d3,x\nd9,e9\n", ("ids.csv:1", "e3,x")),
        ("d9,d3\n", ("ids.csv:1", "d9,e3")),
    ],
    ids=["twice", "circle", "missing", "blank", "json", "empty", "old changed before", "new changed before"],
)
def test_a_table_that_makes_no_sense_is_refused_by_its_lines(
    second: Campaign, text: str, named: tuple[str, ...]
) -> None:
    change(second, "d3,e3\n")
    head = log.head(second)
    with refused(InputError, *named):
        change(second, text)
    assert log.head(second) == head


def test_what_is_in_force_already_changes_nothing(second: Campaign) -> None:
    change(second, "d1,x1\n")
    with refused(AlreadyDone):
        change(second, "d1,x1\nd2,d2\n")
    assert change(second, "d1,y1\nx1,y1\n").idle == 1, "a list of all changes since the first release"
    assert ("1", "y1", 1) in export_qrels(second).qrels


def test_in_the_first_round_no_table_is_taken(tmp_path: Path) -> None:
    with create_campaign(tmp_path / "first.db") as campaign, refused(CampaignError, "--open 2"):
        change(campaign, "d1,x1\n")


def test_a_long_chain_takes_no_longer_than_as_many_rows(second: Campaign) -> None:
    found = change(second, "".join(f"c{n},c{n + 1}\n" for n in range(30_000)))
    assert found.ids == len(found.unknown) == 30_000
    with second.write():
        documents.put_ids(second, ["c7"])
    assert StreamedQrels(second).written == 0
    assert list(qrels_lines("q", StreamedQrels(second)))
