"""A campaign is made and filled through the pages: who may, what is refused, and what each file's report says."""

from __future__ import annotations

import io
import re
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from lxml import html
from werkzeug.test import TestResponse

from tests.fixture_types import MakeApp, SignIn, TokenOf
from tests.judged_pairs import judge_as
from tests.sentences import says
from tests.web.alerts import alerts
from workbench.campaign.ingest import add_documents
from workbench.core.records import Grade
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.collection import documents, runs, topics
from workbench.storage.campaign.grades import labels
from workbench.storage.campaign.log import log
from workbench.storage.campaign.models.answers import batches
from workbench.storage.campaign.models.judges import judges
from workbench.storage.campaign.organising import settings
from workbench.storage.campaign.organising.quota import MEGABYTE, set_quota, space
from workbench.storage.campaign.people import members
from workbench.web.requests.uploads import UploadLimits

pytestmark = pytest.mark.usefixtures("small")

SCALE = {
    "grade-number": ["0", "1", "2", ""],
    "grade-name": ["Not relevant", "Relevant", "Key", ""],
    "grade-guideline": ["", "Answers part of it", "", ""],
}
RUN = b"1 Q0 d1 1 2.5 gamma\n1 Q0 d2 2 1.5 gamma\n2 Q0 d1 1 1 gamma\n"


@pytest.fixture
def make(anna: FlaskClient, token_of: TokenOf) -> Callable[..., TestResponse]:
    """Send the form for a new campaign as Anna."""

    def post(**changes: object) -> TestResponse:
        form = {
            "title": "Cold Rivers 2026",
            "name": "",
            "relevant-from": "1",
            "guidelines": "",
            **SCALE,
            **changes,
        }
        return anna.post("/new", data={**form, "csrf_token": token_of(anna)})

    return post


@pytest.fixture
def send(anna: FlaskClient, token_of: TokenOf) -> Callable[..., TestResponse]:
    """Send files to a step of the campaign `small` as Anna, from a form or, with `script`, from a script."""

    def post(kind: str, files: dict[str, bytes], *, script: bool = False, **fields: str) -> TestResponse:
        parts = [(io.BytesIO(content), name) for name, content in files.items()]
        headers = {"Accept": "application/json"} if script else {}
        data = {"csrf_token": token_of(anna), "files": parts, **fields}
        return anna.post(
            f"/c/small/add/{kind}", data=data, headers=headers, content_type="multipart/form-data"
        )

    return post


def test_a_new_campaign_has_its_title_and_scale_and_its_maker_as_organiser(
    instance: Path, make: Callable[..., TestResponse]
) -> None:
    answer = make(**{"relevant-from": "2", "guidelines": "Read all of it."})
    assert (answer.status_code, answer.location) == (303, "/c/cold-rivers-2026/add/topics")
    with open_campaign(instance / "cold-rivers-2026.db") as campaign:
        found = settings.read(campaign)
        assert (found.title, found.relevant_from, found.guidelines) == (
            "Cold Rivers 2026",
            2,
            "Read all of it.",
        )
        assert found.grades == (
            Grade(0, "Not relevant"),
            Grade(1, "Relevant", "Answers part of it"),
            Grade(2, "Key"),
        )
        assert members.all_members(campaign) == {"Anna": "organiser"}


@pytest.mark.parametrize(
    "changes",
    [
        *({"title": "  "}, {"title": "検索"}, {"name": "accounts"}, {"name": "robust"}, {"name": "Robust"}),
        *({"relevant-from": "x"}, {"grade-number": ["0", "one", "2", ""]}),
    ],
    ids=lambda changes: " ".join(map(str, next(iter(changes.items())))),
)
def test_a_form_that_makes_no_campaign_comes_back_with_the_reason(
    instance: Path, make: Callable[..., TestResponse], changes: dict[str, object]
) -> None:
    answer = make(**changes)
    assert (answer.status_code, says(alerts(answer.text))) == (400, True)
    assert "Answers part of it" in answer.text
    assert sorted(path.name for path in instance.glob("*.db")) == ["accounts.db", "robust.db", "small.db"]


def test_a_server_that_was_told_its_campaigns_makes_no_other(
    make_app: MakeApp, instance: Path, client_of: SignIn
) -> None:
    app = make_app(campaigns=[instance / "robust.db"])
    assert client_of(app, "Anna").get("/new").status_code == 403


def test_a_visitor_by_the_terminals_link_makes_the_first_campaign(
    make_app: MakeApp, instance: Path, token_of: TokenOf
) -> None:
    for path in instance.glob("*.db"):
        path.unlink()
    app = make_app(sign_in_token="once")
    client = app.test_client()
    form = {"name": "Zoe", "password": "a long password", "again": "a long password"}
    client.post("/start/once", data=form | {"csrf_token": token_of(client)})
    assert 'href="/new"' in client.get("/").text
    form = {"title": "First", "relevant-from": "1", **SCALE, "csrf_token": token_of(client)}
    assert client.post("/new", data=form).location == "/c/first/add/topics"
    assert client.get("/c/first/dashboard").status_code == 200
    with open_campaign(instance / "first.db") as campaign:
        assert members.all_members(campaign) == {"Zoe": "organiser"}


def test_a_file_that_cannot_be_made_is_reported_without_its_path(
    instance: Path, make: Callable[..., TestResponse], caplog: pytest.LogCaptureFixture
) -> None:
    (instance / "rivers.db").mkdir()
    answer = make(name="rivers")
    assert answer.status_code == 400
    assert says(answer.text)
    assert str(instance) not in answer.text
    assert str(instance) in caplog.text


def tags(path: Path) -> list[str]:
    with open_campaign(path) as campaign:
        return [run.record.tag for run in runs.all_runs(campaign)]


def test_a_form_whose_files_are_all_good_leads_back_to_the_step(
    small: Path, anna: FlaskClient, send: Callable[..., TestResponse]
) -> None:
    answer = send("runs", {"gamma.run": RUN}, team="Glasgow")
    assert (answer.status_code, answer.location) == (303, "/c/small/add/runs?added=1")
    page = anna.get(answer.location).text
    assert "1 file added." in page
    assert "gamma.run" in page
    assert "3 runs" in page
    assert tags(small) == ["alpha", "beta", "gamma"]


def test_the_first_topic_stands_on_the_page_as_assessors_will_see_it(
    anna: FlaskClient, send: Callable[..., TestResponse]
) -> None:
    topics = b'{"id": "1", "en": "frozen <rivers>", "criteria": "ice thick enough", "domain": "winter"}'
    assert send("topics", {"t.jsonl": topics}, **{"title-field": "en"}).status_code == 303
    page = anna.get("/c/small/add/topics").text
    preview = page[page.index("<h2>Preview</h2>") :]
    for words in ("frozen &lt;rivers&gt;", "ice thick enough", ">domain</dt>", ">winter</dd>"):
        assert words in preview
    wrong = send("topics", {"t.jsonl": topics}, **{"title-field": "de"}).text
    assert says(wrong)
    assert 'value="de"' in wrong


def test_columns_of_documents_are_chosen_on_the_page_and_stay_settings(
    small: Path, anna: FlaskClient, send: Callable[..., TestResponse]
) -> None:
    files = {"x.csv": b"nr,words,kop,link\nx1,deep ice,Ice,http://x/1\n"}
    chosen = {"text-field": "words", "title-field": "kop", "address-field": "link"}
    wrong = send("documents", files, **chosen, **{"id-field": "key"})
    assert (wrong.status_code, 'value="key"' in wrong.text) == (422, True)
    assert says(wrong.text, "nr, words, kop, link")
    assert send("documents", files, **chosen, **{"id-field": "nr"}).status_code == 303
    with open_campaign(small) as campaign:
        stored = documents.find(campaign, "x1")
    assert stored is not None
    assert stored.document[:3] == ("x1", "Ice", "deep ice")
    page = anna.get("/c/small/add/documents").text
    for name in ("nr", "words", "kop"):
        assert f'placeholder="{name}"' in page


def test_the_encoding_of_documents_is_chosen_on_the_page_and_stays_a_setting(
    small: Path, anna: FlaskClient, send: Callable[..., TestResponse]
) -> None:
    files = {"e.tsv": "e1\tשלום\n".encode("windows-1255")}
    wrong = send("documents", files, **{"document-encoding": "windows-12555"}).text
    assert "document-encoding: there is no encoding &#39;windows-12555&#39;; did you mean" in wrong
    assert 'value="windows-12555"' in wrong
    assert send("documents", files, **{"document-encoding": "windows-1255"}).status_code == 303
    with open_campaign(small) as campaign:
        texts = {row.document.document_id: row.document.text for row in documents.all_texts(campaign)}
    assert texts["e1"] == "שלום"
    assert 'placeholder="windows-1255"' in anna.get("/c/small/add/documents").text


@pytest.mark.parametrize(
    ("stored", "text", "judged"),
    [("keep", "one", True), ("replace", "two", True), ("judge again", "two", False), ("", "one", True)],
)
def test_what_becomes_of_stored_texts_that_differ_is_chosen_on_the_page(
    small: Path, send: Callable[..., TestResponse], stored: str, text: str, judged: bool
) -> None:
    def add(words: str, **fields: str) -> TestResponse:
        line = f'{{"id": "d1", "title": "Document 1", "text": "{words}"}}\n'
        return send("documents", {"d.jsonl": line.encode()}, script=True, **fields)

    add("one", **{"stored-texts": "replace"})
    with open_campaign(small) as campaign:
        judge_as(campaign, "Ben", "1", "d1", 1)
    (report,) = add("two", **({"stored-texts": stored} if stored else {})).get_json()["reports"]
    assert says(report["sentence"])
    with open_campaign(small) as campaign:
        found = documents.find(campaign, "d1")
        assert found is not None
        assert (found.document.text, bool(labels.qrels(campaign))) == (text, judged)


def test_good_files_beside_bad_ones_are_added_and_the_page_says_which(
    small: Path, send: Callable[..., TestResponse]
) -> None:
    answer = send("runs", {"gamma.run": RUN, "bad.run": b"1 Q0 d1 1 1 delta\n1 Q0 d1\n"})
    assert answer.status_code == 200
    assert says(answer.text)
    assert "line 2" in answer.text
    assert tags(small) == ["alpha", "beta", "gamma"]


def test_a_script_gets_the_same_report(small: Path, send: Callable[..., TestResponse]) -> None:
    answer = send("runs", {"bad.run": b"1 Q0 d1 1 1 delta\n7 Q0 d1 1 1 delta\n"}, script=True)
    (report,) = answer.get_json()["reports"]
    assert (report["file"], report["added"], report["sentence"]) == (
        "bad.run",
        False,
        "not added: 1 unknown topic",
    )
    assert (report["check"]["verdict"], report["check"]["counts"]) == ("refused", {"unknown-topic": 1})
    assert report["problems"][0]["line"] == 2
    assert says(report["problems"][0]["message"], "7")
    assert answer.get_json()["there"] == "2 runs"
    assert tags(small) == ["alpha", "beta"]


def test_files_are_named_by_their_tags_unless_their_names_are_asked_for(
    small: Path, send: Callable[..., TestResponse]
) -> None:
    send("runs", {"late.run": RUN}, name="file")
    send("runs", {"other.run": RUN}, name="anything")
    assert tags(small) == ["alpha", "beta", "late", "gamma"]


def test_the_name_of_a_file_is_shown_and_leads_nowhere(
    small: Path, instance: Path, send: Callable[..., TestResponse]
) -> None:
    answer = send("topics", {"../../<script>alert(1).tsv": b"3\tdry land\n\n\n"}, script=True)
    (report,) = answer.get_json()["reports"]
    assert (report["file"], report["added"]) == ("<script>alert(1).tsv", True)
    with open_campaign(small) as campaign:
        assert "3" in topics.topic_ids(campaign)
    assert not list(instance.parent.rglob("*alert*"))


def test_files_larger_than_other_requests_are_taken(anna: FlaskClient, token_of: TokenOf) -> None:
    lines = b"".join(b"1 Q0 d%d 1 %d gamma\n" % (number, number) for number in range(120_000))
    assert len(lines) > 2_000_000
    # The client would leave the temporary file open in which it puts large forms together.
    head = b'--x\r\nContent-Disposition: form-data; name="files"; filename="gamma.run"\r\n\r\n'
    answer = anna.post(
        "/c/small/add/runs",
        data=head + lines + b"\r\n--x--\r\n",
        headers={"Accept": "application/json", "X-CSRFToken": token_of(anna)},
        content_type="multipart/form-data; boundary=x",
    )
    assert answer.get_json()["reports"][0]["sentence"] == "added: run gamma, 1 topic, 120,000 lines"


def test_a_request_beyond_the_limit_is_refused_before_it_is_read(
    make_app: MakeApp, client_of: SignIn, token_of: TokenOf
) -> None:
    app = make_app(upload_limits=UploadLimits(request=1_000, expanded=1_000_000))
    client = client_of(app, "Anna")
    data = {"csrf_token": token_of(client), "files": [(io.BytesIO(b"1" * 1_100), "a.run")]}
    answer = client.post("/c/small/add/runs", data=data, content_type="multipart/form-data")
    assert answer.status_code == 413
    assert says(answer.text)


def test_nothing_is_left_of_the_files_that_were_sent(
    send: Callable[..., TestResponse], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    send("runs", {"gamma.run": RUN, "bad.run": b"x"})
    assert list(folder.iterdir()) == []


def test_where_files_lay_that_were_added_in_a_terminal_is_not_shown(
    small: Path, anna: FlaskClient, tmp_path: Path
) -> None:
    (tmp_path / "more.jsonl").write_text('{"id": "d9", "text": "More."}\n')
    with open_campaign(small) as campaign:
        add_documents(campaign.by("Anna"), [str(tmp_path / "more.jsonl")])
    for kind, name in (("runs", "alpha.run"), ("documents", "more.jsonl")):
        page = anna.get(f"/c/small/add/{kind}").text
        assert name in page
        assert str(tmp_path) not in page


def test_the_quota_stands_on_the_page_and_a_file_that_passes_it_is_refused_there(
    small: Path, anna: FlaskClient, send: Callable[..., TestResponse]
) -> None:
    assert "quota" not in anna.get("/c/small/add/runs").text
    with open_campaign(small) as campaign:
        set_quota(campaign.by("root"), MEGABYTE)
    with open_campaign(small) as campaign:
        used = space(campaign).used / MEGABYTE
    said = f"The campaign takes {used:,.1f} MB of its quota of 1.0 MB."
    assert said in re.sub("<[^>]+>", "", anna.get("/c/small/add/runs").text)
    with open_campaign(small) as campaign:
        set_quota(campaign.by("root"), 1)
    (report,) = send("runs", {"gamma.run": RUN}, script=True).json["reports"]
    assert not report["added"]
    assert says(report["problems"][0]["message"])


TWICE = b"1 Q0 d1 1 3 delta\n1 Q0 d1 2 2 delta\n"


def test_a_repair_is_chosen_in_the_form_and_recorded(small: Path, send: Callable[..., TestResponse]) -> None:
    answer = send("runs", {"twice.run": TWICE}, duplicates="best-score")
    assert says(answer.text)
    with open_campaign(small) as campaign:
        assert [repair.name for repair in runs.all_runs(campaign)[2].repairs] == ["duplicates best-score"]


def test_the_form_comes_back_with_the_repairs_as_they_were_chosen(
    small: Path, send: Callable[..., TestResponse]
) -> None:
    answer = send("runs", {"twice.run": TWICE}, topics="by-position")
    assert answer.status_code == 422
    assert '<details class="repairs" id="repairs" open>' in answer.text
    assert '<option value="by-position" selected>' in answer.text
    assert tags(small) == ["alpha", "beta"]


def test_each_report_has_a_page_for_the_team_and_another_campaigns_job_has_none(
    anna: FlaskClient, send: Callable[..., TestResponse]
) -> None:
    files = {"<b>twice</b>.run": TWICE, "gamma.run": RUN}
    job = send("runs", files, script=True, do="check").get_json()["job"]
    address = f"/c/small/add/runs/report/{job}"
    page = anna.get(f"{address}?file=0")
    assert (page.status_code, page.mimetype) == (200, "text/html")
    assert page.headers["Content-Disposition"].startswith("attachment; filename=")
    assert (
        "&lt;b&gt;twice&lt;/b&gt;.run" not in page.text
    )  # a name without folders: what follows the last slash
    assert "b&gt;.run" in page.text
    assert "1 document listed twice" in page.text
    assert "gamma" not in page.text
    whole, second = anna.get(address), anna.get(f"{address}?file=1")
    assert ("twice" in whole.text, "gamma" in whole.text) == (True, True)
    assert ("twice" in second.text, "gamma" in second.text) == (False, True)
    named = [answer.headers["Content-Disposition"] for answer in (whole, second)]
    assert named == [f"attachment; filename=check-{name}.html" for name in ("runs", "gamma.run")]
    for wrong in (f"{address}?file=2", f"{address}?file=-1", f"{address}?file=x", f"{address}0"):
        assert anna.get(wrong).status_code == 404
    form = send("runs", {"twice.run": TWICE}).text
    assert says(form)


def test_a_file_that_is_no_run_for_other_reasons_has_no_page(
    anna: FlaskClient, send: Callable[..., TestResponse]
) -> None:
    answer = send("topics", {"t.tsv": b""}, script=True).get_json()
    assert answer["reports"][0]["check"] is None
    assert anna.get(f"/c/small/add/runs/report/{answer['job']}").status_code == 404


DOCUMENTS, DELETE = "/c/small/add/documents", "/c/small/delete/document"


def ids_of(path: Path) -> list[list[str]]:
    with open_campaign(path) as campaign:
        return [
            part
            for source in documents.sources(campaign)
            for part in documents.source_ids(campaign, source[0])
        ]


def test_a_document_that_nothing_refers_to_is_deleted_with_the_reason(
    small: Path, anna: FlaskClient, token_of: TokenOf, tmp_path: Path
) -> None:
    header = tmp_path / "d.tsv"
    header.write_text("nr\tTekst\nm1\tice\n", encoding="utf-8")
    with open_campaign(small) as campaign:
        add_documents(campaign.by("Olga"), [str(header)], keep_all=True)
    sent = {"csrf_token": token_of(anna), "ids": " nr \r\n\r\n", "reason": "a\nheader"}
    shown = html.fromstring(anna.post(DELETE, data=sent).text)
    assert ids_of(small) == [["nr", "m1"]]
    deleted = anna.post(DELETE, data={**dict(shown.forms[-1].form_values()), "do": "delete"})
    assert says(anna.get(deleted.location).text, "1 document deleted")
    assert ids_of(small) == [["m1"]]
    with open_campaign(small) as campaign:
        (event,) = log.events(campaign, documents.DELETED)
    assert (event.actor, event.content["documents"], event.content["reason"]) == ("Anna", ["nr"], "a header")


@pytest.mark.parametrize("chosen", [{"ids": "<9>"}, {}, {"every": "1", "seen": "0123", "do": "delete"}])
def test_what_cannot_be_deleted_is_refused_with_the_reason(
    small: Path, anna: FlaskClient, token_of: TokenOf, chosen: dict[str, str]
) -> None:
    before = ids_of(small)
    refused = anna.post(DELETE, data={"csrf_token": token_of(anna), **chosen})
    assert (refused.status_code, says(alerts(refused.text))) == (422, True)
    assert ids_of(small) == before


def test_the_documents_of_a_file_are_chosen_by_it(
    small: Path, anna: FlaskClient, token_of: TokenOf, tmp_path: Path
) -> None:
    for number, text in enumerate(("m1\tice\nm2\tsnow\n", "m2\tsnow\nm3\thail\n")):
        (tmp_path / f"{number}.tsv").write_text(text)
        with open_campaign(small) as campaign:
            add_documents(campaign.by("Olga"), [str(tmp_path / f"{number}.tsv")], keep_all=True)
            newest = documents.sources(campaign)[-1].source
    page = html.fromstring(anna.get(DOCUMENTS).text)
    assert page.xpath("//input[@name='source']/@value")[0] == str(newest)
    sent = {"csrf_token": token_of(anna), "source": newest}
    shown = html.fromstring(anna.post(DELETE, data=sent).text)
    assert [row.text_content() for row in shown.findall(".//tr")] == ["In another file1"]
    anna.post(DELETE, data={**dict(shown.forms[-1].form_values()), "do": "delete"})
    assert ids_of(small) == [["m1", "m2"], ["m2"]]


def test_without_a_token_nothing_is_deleted(anna: FlaskClient) -> None:
    assert anna.post(DELETE, data={"ids": "d1"}).status_code == 400


def test_a_repair_that_there_is_not_is_refused(send: Callable[..., TestResponse]) -> None:
    answer = send("runs", {"twice.run": TWICE}, script=True, duplicates="all")
    assert (answer.status_code, says(answer.get_json()["message"], "all")) == (422, True)


def test_labels_of_a_model_are_checked_by_line_before_they_are_added(
    send: Callable[..., TestResponse], anna: FlaskClient, small: Path
) -> None:
    said = {"form": "qrels", "judge": "gpt", "scale": "0,1,2,3", "script": True}
    (report,) = send("model-labels", {"l.txt": b"1 0 d1 3\n1 0 d2 4\n"}, do="check", **said).json["reports"]
    assert [each["line"] for each in report["problems"]] == [2]
    good = {"l.txt": b"1 0 d1 3\n1 0 d2 0\n"}
    (report,) = send("model-labels", good, do="check", **said).json["reports"]
    assert (report["added"], says(report["sentence"], "gpt", "2")) == (False, True)
    with open_campaign(small) as campaign:
        assert judges(campaign) == []
    (report,) = send("model-labels", good, do="add", **said).json["reports"]
    assert report["added"]
    page = anna.get("/c/small/add/model-labels").text
    assert "gpt" in page
    with open_campaign(small) as campaign:
        assert [(each.judge, each.source, each.answers) for each in batches(campaign)] == [
            ("gpt", "l.txt", 2)
        ]


@pytest.mark.parametrize(
    "said",
    [
        {"form": "trec", "judge": "gpt"},
        {"judge": ""},
        {"judge": "gpt", "scale": "0,a"},
        {"judge": "gpt", "question": "other"},
    ],
)
def test_labels_of_no_form_judge_scale_or_question_are_refused(
    send: Callable[..., TestResponse], said: dict[str, str]
) -> None:
    answer = send("model-labels", {"l.txt": b"1 0 d1 1\n"}, script=True, **{"form": "qrels", **said})
    ((problem,),) = (each["problems"] for each in answer.json["reports"])
    assert says(problem["message"])
