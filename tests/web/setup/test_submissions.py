"""Teams submit runs, organisers see who is missing and correct; nobody learns of another team's runs."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zipfile import ZipFile

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from tests.conftest import judge_as
from tests.fixture_types import Post, SignIn, TokenOf
from tests.sentences import says
from tests.web.alerts import alerts
from workbench.campaign.pools.making import add_pool
from workbench.campaign.submission_rules import Rules, change_rules, mark_of, parse_fields, rules_of
from workbench.campaign.uploads import Sent, UploadOptions
from workbench.core.errors import SHOWN_PROBLEMS, Problem
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.collection import run_details, runs
from workbench.storage.campaign.log import log
from workbench.storage.campaign.people import members
from workbench.web.setup import tables_of_files
from workbench.web.setup.tables_of_files import refused_by_table, with_table

pytestmark = pytest.mark.usefixtures("teams")

PAGE = "/c/small/submissions"
FORM = {
    "open": "yes",
    "deadline": "2999-03-01 23:59",
    "limit": "2",
    "fields": "Method*=method.automatic\nModel",
}

Send = Callable[..., TestResponse]


def run_of(tag: str, documents: str = "d1 d2", header: str = "") -> bytes:
    lines = [f"1 Q0 {name} {rank} {9 - rank} {tag}\n" for rank, name in enumerate(documents.split(), 1)]
    return (header + "".join(lines) + f"2 Q0 d1 1 1 {tag}\n").encode()


@pytest.fixture
def teams(small: Path) -> Path:
    """`small`, open for submissions: Paul is of team Delft, Olga of Αθήνα, and Wilma has no team."""
    with open_campaign(small) as campaign:
        with campaign.write():
            for name, team in (("Paul", "Delft"), ("Olga", "Αθήνα"), ("Wilma", "")):
                members.put(campaign.by("Anna"), name, "participant", team=team)
        change_rules(campaign.by("Anna"), Rules(is_open=True, limit=2))
    return small


@pytest.fixture
def send_all(token_of: TokenOf) -> Send:
    """Submit files, each its name and content, from a form or, with `script`, from a script."""

    def post(
        client: FlaskClient, *files: tuple[str, bytes], script: bool = False, **fields: str
    ) -> TestResponse:
        headers = {"Accept": "application/json"} if script else {}
        sent = [(io.BytesIO(content), name) for name, content in files]
        data = {"csrf_token": token_of(client), "files": sent, **fields}
        return client.post("/c/small/submit", data=data, headers=headers, content_type="multipart/form-data")

    return post


@pytest.fixture
def send(send_all: Send) -> Send:
    """Submit one file."""
    return lambda client, content, name="mine.run", **more: send_all(client, (name, content), **more)


def in_force(path: Path) -> list[str]:
    with open_campaign(path) as campaign:
        return [run.record.tag for run in runs.in_force(campaign)]


def head(path: Path) -> log.Head:
    with open_campaign(path) as campaign:
        return log.head(campaign)


def test_a_task_from_opening_to_the_pool(
    app: Flask, teams: Path, client_of: SignIn, post: Post, send: Send
) -> None:
    anna, paul, olga = (client_of(app, name) for name in ("Anna", "Paul", "Olga"))
    # Anna sets the rules; both teams are missing.
    seen = mark_of(Rules(is_open=True, limit=2))
    answer = post(anna, PAGE, **FORM, seen=seen)
    assert (answer.status_code, answer.location) == (303, PAGE)
    text = anna.get(PAGE).text
    assert says(text)
    assert "Missing: Delft, Αθήνα." in text
    # Paul's file has errors, which are reported; then it is corrected.
    bad = b"1 Q0 d1 1 9 delft1\n7 Q0 d2 2 8 delft1\n1 Q0 d1 3 7 delft1\n"
    answer = send(paul, bad, "../../réseau 1.run", **{"field-0": "automatic"})
    assert answer.status_code == 422
    assert "réseau 1.run" in answer.text
    assert "../.." not in answer.text
    assert says(answer.text)
    assert "automatic" in answer.text, "what was typed is still there"
    assert in_force(teams) == ["alpha", "beta"]
    answer = send(paul, run_of("delft1"), **{"field-0": "automatic", "priority": "1"})
    assert (answer.status_code, answer.location) == (303, "/c/small/submit")
    # The receipt has the checksum and the row of the log.
    receipt = paul.get("/c/small/submit/receipt?run=delft1")
    assert receipt.headers["Content-Disposition"] == "attachment; filename=receipt.txt"
    with open_campaign(teams) as campaign:
        stored = runs.all_runs(campaign)[-1]
        assert stored.record[:2] == ("delft1", "Delft")
        assert stored.record.sha256 in receipt.text
        assert "Hash of the row: " in receipt.text
        details = run_details.details(campaign)[stored.run]
    assert (details.priority, details.description) == (1, {"Method": "automatic"})
    assert f"Received: {details.received}\n" in receipt.text
    assert stored.record.sha256 in paul.get("/c/small/submit").text
    # Olga describes her run in its file, sends it again, and reaches the limit.
    header = "# ir_metadata.start\n# method:\n#   automatic: no\n# ir_metadata.end\n"
    for number in (1, 2):
        assert send(olga, run_of(f"athens{number}", header=header)).status_code == 303
    assert send(olga, run_of("athens2", "d3 d1", header)).status_code == 303
    answer = send(olga, run_of("athens3", header=header), script=True)
    assert answer.status_code == 422
    (problem,) = answer.get_json()["reports"][0]["problems"]
    assert "team Αθήνα has 2 runs of 2 already (athens1, athens2)" in problem["message"]
    assert in_force(teams) == ["alpha", "beta", "delft1", "athens1", "athens2"]
    assert "2 teams of 2 with 3 runs." in anna.get(PAGE).text
    # The deadline passes, and Anna pools.
    with open_campaign(teams) as campaign:
        rules = rules_of(campaign)
        gone = rules._replace(deadline=datetime.now(UTC) - timedelta(seconds=5))
        change_rules(campaign.by("Anna"), gone)
    answer = send(paul, run_of("delft1", "d4"), script=True, **{"field-0": "automatic"})
    (problem,) = answer.get_json()["reports"][0]["problems"]
    assert problem["message"].startswith("the deadline was ")
    assert 'id="submit"' not in paul.get("/c/small/submit").text
    with open_campaign(teams) as campaign:
        assert "delft1" in add_pool(campaign.by("Anna"), depth=1).pool.record.runs


def test_no_team_learns_of_another_teams_runs(
    app: Flask, anna: FlaskClient, client_of: SignIn, send: Send
) -> None:
    paul, olga = client_of(app, "Paul"), client_of(app, "Olga")
    send(paul, run_of("delftsecret"), "very-secret.run")
    pages = [olga.get("/c/small/submit").text]
    taken = send(olga, run_of("delftsecret", "d3"))
    assert says(taken.text)
    pages += [send(olga, run_of("athens1"), script=True, do="check").text, send(olga, run_of("athens1")).text]
    pages += [
        olga.get("/c/small/submit").text.replace("delftsecret", "", 0),
        olga.get("/c/small/own-runs").text,
    ]
    for text in (*pages[:3], pages[-1]):
        assert "very-secret" not in text
        assert "Delft" not in text
    for text in (pages[1], pages[2], pages[-1]):
        assert "delftsecret" not in text, "its rankings are those of another run, which is not said"
    assert olga.get("/c/small/submit/receipt?run=delftsecret").status_code == 404
    assert olga.get(PAGE).status_code == 403
    assert anna.get("/c/small/submit/receipt?run=delftsecret").status_code == 200


def test_a_participant_without_a_team_and_a_closed_campaign_take_nothing(
    app: Flask, teams: Path, client_of: SignIn, send: Send
) -> None:
    wilma, paul, before = client_of(app, "Wilma"), client_of(app, "Paul"), head(teams)
    assert says(wilma.get("/c/small/submit").text)
    assert says(send(wilma, run_of("w1"), script=True).text)
    assert wilma.get("/c/small/submit/receipt?run=alpha").status_code == 404
    assert head(teams) == before
    with open_campaign(teams) as campaign:
        change_rules(campaign.by("Anna"), Rules())
    before = head(teams)
    assert "Submission is closed." in paul.get("/c/small/submit").text
    assert "submission is closed" in send(paul, run_of("p1"), script=True).text
    assert head(teams) == before


def test_a_check_stores_nothing_and_no_file_is_an_error(
    app: Flask, teams: Path, client_of: SignIn, send: Send, post: Post
) -> None:
    paul, before = client_of(app, "Paul"), head(teams)
    answer = send(paul, run_of("p1"), do="check")
    assert (answer.status_code, says(answer.text)) == (200, True)
    assert head(teams) == before
    answer = post(paul, "/c/small/submit")
    assert (answer.status_code, says(answer.text)) == (400, True)


def test_of_several_files_the_good_ones_are_submitted_and_the_others_reported(
    app: Flask, teams: Path, client_of: SignIn, send_all: Send
) -> None:
    paul = client_of(app, "Paul")
    answer = send_all(paul, ("../../x.run", b"1 Q0 d1 1 9 p1\n1 Q0 d1 2 8 p1\n"), ("b.run", run_of("p2")))
    assert answer.status_code == 200
    assert says(answer.text)
    assert "../.." not in answer.text
    assert in_force(teams) == ["alpha", "beta", "p2"]
    before = head(teams)
    answer = send_all(paul, ("a.run", b"1 Q0\n"), ("b.run", b"\x00"), script=True)
    assert answer.status_code == 422
    assert [each["file"] for each in answer.get_json()["reports"]] == ["a.run", "b.run"]
    assert head(teams) == before


def test_the_limit_holds_across_the_files_of_an_upload(
    app: Flask, teams: Path, client_of: SignIn, send_all: Send
) -> None:
    files = [(f"{number}.run", run_of(f"p{number}", f"d{number} d4")) for number in (1, 2, 3)]
    answer = send_all(client_of(app, "Paul"), *files)
    assert says(answer.text)
    assert "team Delft has 2 runs of 2 already (p1, p2)" in answer.text
    assert in_force(teams) == ["alpha", "beta", "p1", "p2"]


def test_of_two_files_of_an_upload_with_one_tag_none_replaces_the_other(
    app: Flask, teams: Path, client_of: SignIn, send_all: Send
) -> None:
    paul = client_of(app, "Paul")
    answer = send_all(paul, ("a.run", run_of("p1")), ("b.run", run_of("p1", "d3 d2")), script=True)
    first, second = answer.get_json()["reports"]
    assert (first["added"], second["added"]) == (True, False)
    assert says(second["problems"][0]["message"], "p1")
    with open_campaign(teams) as campaign:
        (mine,) = runs.in_force(campaign)[2:]
        assert mine.record.file == "a.run"
    # Sent again by itself it replaces the run, as ever.
    assert send_all(paul, ("b.run", run_of("p1", "d3 d2"))).status_code == 303


@pytest.mark.parametrize(
    "change", [{"deadline": "soon"}, {"limit": "20000"}, {"fields": "A\na"}, {"seen": "0" * 16}], ids=str
)
def test_rules_that_cannot_be_saved_are_still_in_the_form(
    anna: FlaskClient, teams: Path, post: Post, change: dict[str, str]
) -> None:
    before = head(teams)
    answer = post(anna, PAGE, **{**FORM, "seen": mark_of(Rules(is_open=True, limit=2)), **change})
    assert (answer.status_code, says(alerts(answer.text))) == (400, True)
    assert "Method*" in answer.text or "fields" in change
    assert head(teams) == before


def test_a_run_is_corrected_on_its_page(
    app: Flask, anna: FlaskClient, teams: Path, client_of: SignIn, post: Post, send: Send
) -> None:
    anna, paul = anna, client_of(app, "Paul")
    with open_campaign(teams) as campaign:
        change_rules(campaign.by("Anna"), Rules(is_open=True, fields=parse_fields(["Method"])))
    send(paul, run_of("delft1"))
    form = {
        "run": "delft1",
        "team": "Delft",
        "tag": "delft-bm25",
        "priority": "2",
        "depth": "",
        "field-0": "BM25",
    }
    answer = post(anna, "/c/small/run/details", **form, reason="a typing error")
    assert (answer.status_code, answer.location) == (303, "/c/small/run?run=delft-bm25#said")
    text = anna.get("/c/small/run?run=delft-bm25").text
    for said in (
        '<q dir="auto">a typing error</q>',
        "<bdi>delft1</bdi> → <bdi>delft-bm25</bdi>",
        "Method: BM25",
    ):
        assert said in text
    before = head(teams)
    assert post(anna, "/c/small/run/details", **{**form, "run": "delft-bm25"}).status_code == 303
    assert head(teams) == before, "nothing is different"
    answer = post(anna, "/c/small/run/details", run="alpha", tag="omega")
    assert answer.status_code == 409
    assert says(answer.text)
    assert post(anna, "/c/small/run/details", run="delft-bm25", tag="alpha").status_code == 409
    assert post(anna, "/c/small/run/details", run="none", tag="x").status_code == 404
    assert post(anna, "/c/small/run/details", run="alpha", priority="first").status_code == 400
    assert head(teams) == before


def test_a_table_comes_with_the_files_of_many_teams(
    anna: FlaskClient, small: Path, token_of: TokenOf, monkeypatch: pytest.MonkeyPatch
) -> None:

    def add(table: str, *files: str, **fields: object) -> TestResponse:
        data = {
            "csrf_token": token_of(anna),
            "files": [(io.BytesIO(run_of(name.partition(".")[0])), name) for name in files],
            "table": (io.BytesIO(table.encode()), "runs.csv"),
            **fields,
        }
        headers = {"Accept": "application/json"}
        return anna.post("/c/small/add/runs", data=data, headers=headers, content_type="multipart/form-data")

    before = head(small)
    reports = add("file,team\na.run,A\nno.run,B\na.run,C\n", "a.run", "b.run").get_json()["reports"]
    messages = [problem["message"] for problem in reports[0]["problems"]]
    assert says("\n".join(messages))
    assert [report["added"] for report in reports] == [False, False]
    reports = add("file,team\na.run,A\nno.run,B\n", "a.run").get_json()["reports"]
    assert "runs.csv:3: the file 'no.run' was not sent" in reports[0]["problems"][0]["message"]
    assert head(small) == before
    good = "file,team,tag,priority\na.run,A,,2\nb.run,Β,b1,1\n"
    reports = add(good, "a.run", named=["a.run", "b.run"]).get_json()["reports"]
    assert [report["added"] for report in reports] == [True]
    assert add(good, "b.run", named=["a.run", "b.run"]).get_json()["reports"][0]["added"]
    with open_campaign(small) as campaign:
        found = runs.all_runs(campaign)[-2:]
        assert [run.record[:2] for run in found] == [("a", "A"), ("b1", "Β")]
        assert [run_details.details(campaign)[run.run].priority for run in found] == [2, 1]
    monkeypatch.setattr("workbench.web.setup.tables_of_files.LARGEST", 100)
    large = add("file\n" + "x" * 96, "c.run").get_json()["reports"]
    assert says(large[0]["problems"][0]["message"])


@pytest.mark.parametrize(("wrong", "more"), [(1, 0), (SHOWN_PROBLEMS, 0), (SHOWN_PROBLEMS + 3, 3)])
def test_the_first_problems_of_a_table_are_said_and_the_others_counted(wrong: int, more: int) -> None:
    problems = [Problem("table.csv", line, "no such file") for line in range(1, wrong + 1)]
    files = [Sent(Path("1"), "a.run"), Sent(Path("2"), "b.run")]
    first, second = refused_by_table(files, problems)
    assert (first.file, second.file, first.added, second.added) == ("a.run", "b.run", False, False)
    assert first.sentence == second.sentence == "not added: the table has errors"
    assert (first.more, second.more) == (more, more)
    said = [f"table.csv:{line}: no such file" for line in range(1, wrong + 1 - more)]
    assert list(first.problems) == [Problem("a.run", None, each) for each in said]


@pytest.mark.parametrize(
    ("more", "said"),
    [(0, []), (1, ["table.csv: the table is larger than 100 bytes; send its files in several parts"])],
)
def test_a_table_is_read_up_to_its_largest_size(
    app: Flask, monkeypatch: pytest.MonkeyPatch, more: int, said: list[str]
) -> None:
    monkeypatch.setattr(tables_of_files, "LARGEST", 100)
    table = b"file,team\na.run,Alpha\n".ljust(100 + more, b"\n")
    with app.test_request_context(method="POST", data={"table": (io.BytesIO(table), "table.csv")}):
        _, wrong = with_table(UploadOptions(), "runs", [Sent(Path("1"), "a.run")])
    assert list(map(str, wrong)) == said


def ticked(client: FlaskClient, token_of: TokenOf, how: str, *runs: str, **more: str) -> TestResponse:
    data = {"csrf_token": token_of(client), "do": how, "run": list(runs), **more}
    return client.post("/c/small/runs", data=data)


def test_ticked_runs_get_a_team_leave_pools_and_are_withdrawn_together(
    anna: FlaskClient, token_of: TokenOf, small: Path
) -> None:
    for how, more in (("set team", {"team": "Delft"}), ("leave out", {}), ("withdraw", {"reason": "late"})):
        assert ticked(anna, token_of, how, "alpha", "beta", **more).status_code == 303
    with open_campaign(small) as campaign:
        found = [(run.record.team, run.record.contributes) for run in runs.all_runs(campaign)]
        assert found == [("Delft", False), ("Delft", False)]
        assert all(run.withdrawn is not None for run in runs.all_runs(campaign))
        before = log.newest_seq(campaign)
        for how, names, status in (
            ("withdraw", ["alpha"], 409),
            ("restore", [], 409),
            ("restore", ["alpha", "gone"], 409),
            ("dance", ["alpha"], 422),
        ):
            assert ticked(anna, token_of, how, *names).status_code == status
        assert log.newest_seq(campaign) == before
    assert ticked(anna, token_of, "restore", "alpha", "beta").status_code == 303


def test_a_table_of_corrections_is_shown_before_it_is_applied(
    anna: FlaskClient, token_of: TokenOf, small: Path
) -> None:
    def send(text: str, **more: str) -> TestResponse:
        data = {"csrf_token": token_of(anna), "table": (io.BytesIO(text.encode()), "runs.csv"), **more}
        return anna.post("/c/small/runs/table", data=data)

    shown = send("run,team\nalpha,Δελφοί\nbeta,\n", reason="a slip").get_data(as_text=True)
    assert re.findall(r"<bdi>none</bdi> → <bdi>(\w+)</bdi>", shown) == ["Δελφοί"]
    with open_campaign(small) as campaign:
        assert {run.record.team for run in runs.all_runs(campaign)} == {""}
        data = {"text": "run,team\r\nalpha,Δελφοί\r\nbeta,\r\n", "name": "runs.csv", "do": "correct"}
        done = anna.post("/c/small/runs/table", data={"csrf_token": token_of(anna), **data})
        assert (done.status_code, done.location) == (303, "/c/small/runs")
        assert [run.record.team for run in runs.all_runs(campaign)] == ["Δελφοί", ""]
    assert anna.get(done.location).status_code == 200
    for text in ("run,team\nalpha,X\ngone,Y\n", "run,colour\nalpha,red\n", "x" * 200_001):
        answer = send(text)
        assert answer.status_code == 422
        assert says(" ".join(re.findall(r'<li dir="auto">(.*)</li>', answer.get_data(as_text=True))))


def test_where_judges_are_submitted_a_team_sends_labels_and_sees_its_own_alone(
    app: Flask, teams: Path, client_of: SignIn, post: Post, send: Send
) -> None:
    anna, paul, olga = (client_of(app, name) for name in ("Anna", "Paul", "Olga"))
    seen = mark_of(Rules(is_open=True, limit=2))
    assert post(anna, PAGE, **FORM, submitted="judges", seen=seen).status_code == 303
    bad = send(paul, b"1 0 d1 1\n1 0 d2 9\n", "gpt.qrels", script=True, form="qrels")
    assert bad.json is not None
    assert [each["line"] for each in bad.json["reports"][0]["problems"]] == [2]
    checked = send(paul, b"1 0 d1 1\n", "gpt.qrels", do="check", form="qrels")
    assert (checked.status_code, "report-checked" in checked.text) == (200, True)
    assert send(paul, b"1 0 d1 1\n", "gpt.qrels", form="qrels", model="gpt-x").status_code == 303
    page = paul.get("/c/small/submit").text
    assert "Delft/gpt" in page
    address = re.search(r"/c/small/submit/receipt\?row=\d+", page)
    assert address is not None
    receipt = paul.get(address[0]).text
    assert "Judge: Delft/gpt\n" in receipt
    assert anna.get(address[0]).text == receipt
    assert olga.get(address[0]).status_code == 404
    assert "Delft" not in olga.get("/c/small/submit").text
    assert [paul.get(f"/c/small/{each}").status_code for each in ("models", "judges", "api/judges")] == [
        403
    ] * 3
    assert "Delft/gpt" in anna.get(PAGE).text
    assert "Delft/gpt" in anna.get("/c/small/judges").text


def test_a_team_sends_a_leaderboard_as_an_archive_of_runs_and_withdraws_it_and_an_organiser_restores_it(
    app: Flask, teams: Path, client_of: SignIn, post: Post, send: Send
) -> None:
    anna, paul, olga = (client_of(app, name) for name in ("Anna", "Paul", "Olga"))
    with open_campaign(teams) as campaign:
        change_rules(campaign.by("Anna"), Rules(is_open=True, judges=True))
        judge_as(campaign, "Anna", "1", "d1", 1)
    packed = io.BytesIO()
    with ZipFile(packed, "w") as archive:
        archive.writestr("alpha", "M\t1\t0.9\nM\t2\t0.4\n")
        archive.writestr("runs/b.txt", "runid\tall\tbeta\nM\t1\t0.2\n")
    assert send(paul, packed.getvalue(), "gpt.zip", form="trec_eval").status_code == 303
    bad = send(paul, b"alpha 1 M x\n", "bert.tot", script=True, form="tot")
    assert bad.json is not None
    assert [each["line"] for each in bad.json["reports"][0]["problems"]] == [1]
    page = paul.get("/c/small/submit").text
    assert "leaderboard of 2 runs, 2 topics, 1 measure" in page
    assert "Delft/gpt" not in olga.get("/c/small/submit").text
    compared = anna.get("/c/small/api/judges?of=leaderboards&measure=P@2").json
    assert compared is not None
    assert [(row["judge"], row["runs"]) for row in compared["boards"]] == [("Delft/gpt", 2)] * 2
    for of, word in (("leaderboards", "Delft/gpt"), ("banks", "No judge"), ("labels", "No judge")):
        assert word in anna.get(f"/c/small/judges?of={of}").text
    change = "/c/small/submit/judge"
    for client, do, status in ((olga, "withdraw", 409), (paul, "withdraw", 303), (paul, "restore", 409)):
        assert post(client, change, judge="Delft/gpt", do=do).status_code == status
    assert ("withdrawn" in paul.get("/c/small/submit").text, "withdrawn" in anna.get(PAGE).text) == (
        True,
        True,
    )
    assert "No judge" in anna.get("/c/small/judges?of=leaderboards").text
    assert post(anna, change, judge="Delft/gpt", do="restore").location == f"{PAGE}#judges"
    assert "Delft/gpt" in anna.get("/c/small/judges?of=leaderboards").text
