"""The page of a campaign's people: roles, invitations, new passwords, and the scores of participants."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path
from urllib.parse import parse_qsl

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from tests.fixture_types import MakeApp, Post, SignIn
from tests.sentences import says
from tests.web.alerts import alerts
from workbench.campaign import assigning
from workbench.campaign.new_campaign import new_campaign
from workbench.core.errors import CampaignUnavailable
from workbench.people.accounts import (
    AccountsUnavailable,
    check_password,
    open_accounts,
    security_log,
    set_disabled,
)
from workbench.people.accounts.links import LinkGone
from workbench.storage.campaign import create_campaign, open_campaign
from workbench.storage.campaign.assigning import assignments
from workbench.storage.campaign.organising import settings
from workbench.storage.campaign.people import members


def link_in(answer: TestResponse) -> str:
    """The path of the link that a page shows once."""
    found = re.search(r"<code>http://localhost(/(?:invitation|reset)/[\w-]{43})</code>", answer.text)
    assert found is not None
    return found[1]


def invited(app: Flask, anna: FlaskClient, post: Post, name: str) -> FlaskClient:
    """Somebody who has just made an account by an invitation of Anna, signed in."""
    link = link_in(post(anna, "/c/robust/people/invitation", role="assessor", days="7"))
    guest = app.test_client()
    assert (
        post(guest, link, name=name, password="a long enough one", again="a long enough one").status_code
        == 303
    )
    return guest


def roles(instance: Path) -> dict[str, str]:
    with open_campaign(instance / "robust.db") as campaign:
        return members.all_members(campaign)


def test_an_invitation_goes_from_the_organiser_to_a_new_account(
    app: Flask, anna: FlaskClient, post: Post, instance: Path
) -> None:
    made = post(
        anna, "/c/robust/people/invitation", role="participant", team="Beta", note="the Betas", days="7"
    )
    assert made.status_code == 201
    link = link_in(made)
    again = anna.get("/c/robust/people").text
    assert link not in again
    assert "the Betas" in again
    guest = app.test_client()
    assert says(guest.get(link).text)
    different = post(guest, link, name="Bea", password="a long enough one", again="a long enaugh one")
    assert (different.status_code, "do not match" in different.text) == (400, True)
    welcome = post(guest, link, name="Bea", password="a long enough one", again="a long enough one")
    assert (welcome.status_code, welcome.location) == (303, "/c/robust/")
    assert guest.get("/c/robust/own-runs").status_code == 200
    assert says(guest.get("/account").text)
    assert app.test_client().get(link).status_code == 410
    assert roles(instance)["Bea"] == "participant"


def test_an_account_that_there_is_accepts_under_its_name(
    app: Flask, anna: FlaskClient, client_of: SignIn, post: Post, instance: Path
) -> None:
    link = link_in(post(anna, "/c/robust/people/invitation", role="observer", days="7"))
    signed_out = app.test_client().get(link).text
    assert f'href="/sign-in?next={link}"' in signed_out.replace("%2F", "/")
    carla = client_of(app, "Carla")
    assert "Accept as Carla" in carla.get(link).text
    assert "Carla" not in roles(instance)  # looking at it accepts nothing
    assert post(carla, link, **{"as": "me"}).status_code == 303
    assert roles(instance)["Carla"] == "observer"


def test_an_invitation_shows_nothing_of_a_later_campaign_of_the_name(
    anna: FlaskClient, post: Post, instance: Path
) -> None:
    link = link_in(post(anna, "/c/robust/people/invitation", role="assessor", days="7"))
    (instance / "robust.db").rename(instance / "robust.aside")
    new_campaign(instance / "robust.db", title="Secret", organiser="Anna", actor="Anna").close()
    answer = anna.get(link)
    assert (answer.status_code, "Secret" in answer.text) == (410, False)
    assert post(anna, link, **{"as": "me"}).status_code == 410
    assert 'id="invitations"' not in anna.get("/c/robust/people").text


def test_an_invitation_is_not_accepted_under_the_name_of_a_member(
    app: Flask, anna: FlaskClient, post: Post, instance: Path
) -> None:
    with open_campaign(instance / "robust.db") as campaign, campaign.write():
        members.put(campaign.by("Anna"), "Zoe", "organiser")  # who has no account yet
    link = link_in(post(anna, "/c/robust/people/invitation", role="assessor", days="7"))
    answer = post(
        app.test_client(), link, name="zoe", password="a long enough one", again="a long enough one"
    )
    assert (answer.status_code, says(answer.text)) == (400, True)
    assert app.test_client().get(link).status_code == 200


def test_an_invitation_is_withdrawn_by_the_organisers_of_its_campaign(
    app: Flask, anna: FlaskClient, post: Post
) -> None:
    link = link_in(post(anna, "/c/robust/people/invitation", role="assessor", days="7"))
    assert post(anna, "/c/robust/people/withdraw", link="1").status_code == 303
    assert app.test_client().get(link).status_code == 410
    assert post(anna, "/c/robust/people/withdraw", link="99").status_code == 400
    again = post(anna, "/c/robust/people/withdraw", link="1")
    assert (again.status_code, says(again.text)) == (400, True)


@pytest.mark.parametrize(
    "fields", ["role=participant&days=7", "role=assessor&days=0", "role=assessor&days=7&topics=301+999", ""]
)
def test_an_invitation_to_nothing_is_refused_with_a_reason(
    anna: FlaskClient, post: Post, fields: str
) -> None:
    answer = post(anna, "/c/robust/people/invitation", **dict(parse_qsl(fields)))
    assert (answer.status_code, says(alerts(answer.text))) == (400, True)


def accept_offer(client: FlaskClient, post: Post, answer: str = "accept") -> TestResponse:
    """Answer the one offer that a person's account page shows."""
    [number] = re.findall(r'name="offer" value="(\d+)"', client.get("/account").text)
    return post(client, "/account/offer", offer=number, answer=answer)


def test_a_role_that_an_organiser_offers_to_an_account_is_accepted_by_its_owner(
    app: Flask, anna: FlaskClient, client_of: SignIn, post: Post, instance: Path
) -> None:
    carla = client_of(app, "Carla")
    assert post(anna, "/c/robust/people/offer", name="carla", role="assessor").status_code == 303
    assert "Carla" not in roles(instance)
    assert carla.get("/c/robust/").status_code == 404
    assert "1 offer</span>" in carla.get("/").text
    assert says(carla.get("/account").text)
    answer = accept_offer(carla, post)
    assert (answer.status_code, answer.location) == (303, "/c/robust/")
    assert roles(instance)["Carla"] == "assessor"
    assert "1 offer</span>" not in carla.get("/account").text
    assert "accepted by <bdi>Carla</bdi>" in anna.get("/c/robust/people").text


def test_an_offer_is_answered_with_an_account_alone(make_app: MakeApp, post: Post) -> None:
    client = make_app(demo=True).test_client()
    post(client, "/start", name="Dora")
    assert post(client, "/account/offer", offer="1", answer="accept").status_code == 410


def test_an_offer_that_is_declined_is_gone_for_its_owner_and_looks_open_to_the_organiser(
    app: Flask, anna: FlaskClient, client_of: SignIn, post: Post, instance: Path
) -> None:
    carla = client_of(app, "Carla")
    anna.get(post(anna, "/c/robust/people/offer", name="Carla", role="assessor").location)
    before = anna.get("/c/robust/people").text
    assert accept_offer(carla, post, "decline").status_code == 303
    assert "Carla" not in roles(instance)
    assert 'name="offer"' not in carla.get("/account").text
    without_tokens = [
        re.sub(r'="[^"]{60,}"', "", text) for text in (before, anna.get("/c/robust/people").text)
    ]
    assert without_tokens[0] == without_tokens[1]
    assert post(carla, "/account/offer", offer="1", answer="accept").status_code == 410


def test_an_offer_to_an_account_and_to_a_name_that_nobody_has_are_answered_alike(
    anna: FlaskClient, post: Post
) -> None:
    answers = []
    for name, number in (("Carla", "1"), ("Nobody", "2")):
        offered = post(anna, "/c/robust/people/offer", name=name, role="assessor")
        shown = anna.get(offered.location).text.replace(f'value="{number}"', 'value="NUMBER"')
        rows = re.findall(r"<tr>.*?</tr>", shown.replace(name, "NAME"), re.DOTALL)
        offers = [re.sub(r'="[^"]{60,}"|<time .*?</time>', "", row) for row in rows if "NUMBER" in row]
        said = re.search(r'role="status">(.*?)</p>', shown)
        changed = post(anna, "/c/robust/people/role", name=name, role="assessor")
        refusal = re.search(r'role="alert">(.*?)</p>', changed.text.replace(name, "NAME"))
        assert said is not None
        assert refusal is not None
        assert len(offers) == 1
        answers.append((offered.status_code, offers, said[1], changed.status_code, refusal[1]))
    assert answers[0] == answers[1]
    assert says(answers[0][4])


def test_roles_of_members_are_changed_and_taken_in_both_logs(
    anna: FlaskClient, post: Post, instance: Path
) -> None:
    for role in ("observer", "none"):
        assert post(anna, "/c/robust/people/role", name="Ben", role=role).status_code == 303
    with open_accounts(instance) as accounts:
        found = [(act.act, act.actor, act.detail) for act in security_log.acts(accounts, "Ben")[-2:]]
    assert found == [("role given", "Anna", "observer in robust"), ("role taken", "Anna", "robust")]
    assert "Ben" not in roles(instance)
    assert post(anna, "/c/robust/people/role", name="Anna", role="observer").status_code == 400
    again = post(anna, "/c/robust/people/role", name="Ben", role="assessor")
    assert (again.status_code, says(again.text)) == (400, True)


def test_too_many_taken_names_are_answered_with_what_to_do(app: Flask, anna: FlaskClient, post: Post) -> None:
    link = link_in(post(anna, "/c/robust/people/invitation", role="assessor", days="7"))
    guest, form = app.test_client(), {"password": "a long enough one", "again": "a long enough one"}
    answers = [post(guest, link, name="Ben", **form) for _ in range(6)]
    assert [answer.status_code for answer in answers] == [400] * 5 + [429]
    assert says(answers[0].text)
    assert says(answers[5].text)


def test_an_organiser_makes_a_link_for_a_new_password(
    app: Flask, anna: FlaskClient, post: Post, instance: Path
) -> None:
    bea = invited(app, anna, post, "Bea")
    link = link_in(post(anna, "/c/robust/people/reset", name="Bea"))
    guest = app.test_client()
    assert "For the account <bdi>Bea</bdi>" in guest.get(link).text
    assert post(guest, link, password="short", again="short").status_code == 400
    different = post(guest, link, password="yet another one", again="yet another two")
    assert (different.status_code, "do not match" in different.text) == (400, True)
    assert post(guest, link, password="yet another one", again="yet another one").status_code == 303
    assert guest.get("/session").get_json()["account"] == "Bea"
    assert bea.get("/session").status_code == 401
    assert app.test_client().get(link).status_code == 410
    with open_accounts(instance) as accounts:
        assert check_password(accounts, "Bea", "yet another one") is not None


def test_a_stranger_who_takes_a_role_is_not_taken_over_by_a_link(
    app: Flask, anna: FlaskClient, client_of: SignIn, post: Post, instance: Path
) -> None:
    with create_campaign(instance / "lakes.db") as lakes, lakes.write():
        members.put(lakes.by("Olga"), "Olga", "organiser")
    post(anna, "/c/robust/people/offer", name="Carla", role="assessor")
    assert accept_offer(client_of(app, "Carla"), post).status_code == 303
    assert post(anna, "/c/robust/people/reset", name="Carla").status_code == 400


def test_no_password_is_reset_while_a_campaign_of_the_accounts_cannot_be_asked(
    make_app: MakeApp, client_of: SignIn, post: Post, instance: Path
) -> None:
    app = make_app()
    for name in ("Bea", "Cleo"):
        invited(app, client_of(app, "Anna"), post, name)
    with create_campaign(instance / "lakes.db") as lakes, lakes.write():
        members.put(lakes.by("Bea"), "Bea", "organiser")

    def reset(name: str, campaigns: list[Path] | None) -> int:
        anna = client_of(make_app(campaigns=campaigns), "Anna")
        return post(anna, "/c/robust/people/reset", name=name).status_code

    assert (reset("Bea", None), reset("Cleo", None)) == (400, 201)
    assert [reset(name, [instance / "robust.db"]) for name in ("Bea", "Cleo")] == [400, 400]
    (instance / "lakes.db").unlink()
    (instance / "lakes.db").write_bytes(b"damaged")
    assert [reset(name, None) for name in ("Bea", "Cleo")] == [400, 400]


@pytest.mark.parametrize("name", ["Anna", "Ben", "Carla", "Nobody"])
def test_nobody_takes_over_an_account_that_is_not_theirs_to_reset(
    anna: FlaskClient, post: Post, name: str
) -> None:
    answer = post(anna, "/c/robust/people/reset", name=name)
    assert (answer.status_code, "workbench user reset" in answer.text) == (400, True)


def test_the_demo_invites_nobody(make_app: MakeApp, client_of: SignIn, post: Post) -> None:
    app = make_app(demo=True)
    client = app.test_client()
    post(client, "/start", name="Dora")
    assert says(client.get("/c/robust/people").text)
    for what in ("invitation", "offer", "list"):
        sent = {"role": "assessor", "days": "7", "name": "Carla"}
        assert post(client, f"/c/robust/people/{what}", **sent).status_code == 409, what


def test_a_list_of_people_comes_back_with_their_links_and_not_at_all_if_a_row_is_wrong(
    anna: FlaskClient, app: Flask, post: Post
) -> None:
    def send(text: str, **more: str) -> TestResponse:
        file = (io.BytesIO(text.encode()), "people.csv")
        return post(anna, "/c/robust/people/list", list=file, days="7", **({"role": "assessor"} | more))

    refused = send("name,role\nAnn,\nBea,queen\nANN,\n")
    assert refused.status_code == 400
    assert says(refused.text, "people.csv:4")
    assert "Invitations and offers" not in anna.get("/c/robust/people").text
    assert "Choose a list first" in post(anna, "/c/robust/people/list", role="assessor", days="7").text
    answer = send("name,role\nAnn,\nBea,observer\n")
    assert (answer.status_code, answer.mimetype) == (201, "text/csv")
    rows = list(csv.DictReader(io.StringIO(answer.text)))
    assert [(row["name"], row["role"]) for row in rows] == [("Ann", "assessor"), ("Bea", "observer")]
    assert "observer" in app.test_client().get(rows[1]["link"]).text
    assert rows[1]["link"].rpartition("/")[2] not in anna.get("/c/robust/people").text


def test_invitations_are_found_and_withdrawn_together(anna: FlaskClient, post: Post) -> None:
    file = (io.BytesIO(b"name\nAnn\nBea\nBen\n"), "people.csv")
    post(anna, "/c/robust/people/list", list=file, role="assessor", days="7")
    page = anna.get("/c/robust/people?invitation-q=be&invitation-state=open").text
    assert "2 of 3 invitations match." in page
    (every,) = re.findall(r'name="every" value="(\w+)"> All 2 invitations', page)
    view = "invitation-q=be&invitation-state=open"
    assert post(anna, "/c/robust/people/withdraw", list=view, every=every).status_code == 303
    again = post(anna, "/c/robust/people/withdraw", list=view, every=every)
    assert says(again.text)
    assert "2 of 3 invitations match." in anna.get("/c/robust/people?invitation-state=withdrawn").text


def test_no_link_is_made_for_an_account_that_is_shut_at_the_same_moment(
    app: Flask, anna: FlaskClient, post: Post, instance: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    invited(app, anna, post, "Bea")
    monkeypatch.setattr("workbench.web.accounts.people._may_reset", lambda *_: True)
    with open_accounts(instance) as accounts:
        set_disabled(accounts, "Bea", disabled=True)
    answer = post(anna, "/c/robust/people/reset", name="Bea")
    assert answer.status_code == 400
    assert says(answer.text)


@pytest.mark.parametrize("error", [AccountsUnavailable, CampaignUnavailable])
def test_files_that_cannot_be_written_are_no_refusal_of_what_was_asked(
    anna: FlaskClient, post: Post, monkeypatch: pytest.MonkeyPatch, error: type[Exception]
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise error("/srv/secret/robust.db: the disk is full")

    monkeypatch.setattr("workbench.people.members.inviting.invite", fail)
    answer = post(anna, "/c/robust/people/invitation", role="assessor", days="7")
    assert (answer.status_code, "secret" in answer.text) == (503, False)


def test_who_is_signed_in_may_still_make_an_account_and_who_is_not_has_none_to_accept_as(
    app: Flask, anna: FlaskClient, client_of: SignIn, post: Post, instance: Path
) -> None:
    link = link_in(post(anna, "/c/robust/people/invitation", role="observer", days="7"))
    stranger = app.test_client()
    refused = post(stranger, link, **{"as": "me"})
    assert (refused.status_code, 'class="form-error"' in refused.text) == (400, True)
    new = {"name": "Zoe", "password": "a long enough one", "again": "a long enough one"}
    assert post(client_of(app, "Carla"), link, **new).status_code == 303
    assert ("Carla" in roles(instance), roles(instance)["Zoe"]) == (False, "observer")


@pytest.mark.parametrize(
    ("path", "function"),
    [("people/invitation", "inviting.accept_as_new"), ("people/reset", "password_links.reset_password")],
)
def test_a_link_that_another_uses_in_the_meantime_is_gone(
    app: Flask, anna: FlaskClient, post: Post, monkeypatch: pytest.MonkeyPatch, path: str, function: str
) -> None:
    def used(*_: object, **__: object) -> None:
        raise LinkGone

    invited(app, anna, post, "Bea")
    link = link_in(post(anna, f"/c/robust/{path}", name="Bea", role="assessor", days="7"))
    monkeypatch.setattr(f"workbench.people.members.{function}", used)
    answer = post(
        app.test_client(), link, name="Zoe", password="a long enough one", again="a long enough one"
    )
    assert answer.status_code == 410


def test_of_a_member_who_leaves_with_topics_it_is_asked_what_becomes_of_these(
    anna: FlaskClient, post: Post, small: Path
) -> None:
    with open_campaign(small) as campaign:
        assigning.assign(campaign.by("Anna"), ["1"], ["Ben"])
        assigning.assign(campaign.by("Anna"), ["2"], ["Ben"], part="second")
    asked = post(anna, "/c/small/people/role", name="Ben", role="none")
    assert asked.location == "/c/small/assignments/hand-over?from=Ben&role=none"
    assert says(anna.get(asked.location).text)
    leaving = {"name": "Ben", "role": "none", "topics": "hand over"}
    plan = '[["whole", "1", "", "Carla"], ["second", "2", "", "Carla"]]'
    for heir in ("Ben", "Zoe"):
        wrong = post(anna, "/c/small/people/role", **leaving, to=heir, plan=plan)
        assert (wrong.status_code, alerts(wrong.text) != []) == (400, True)
    with open_campaign(small) as campaign:
        assert members.role_of(campaign, "Ben") == "assessor"
        assert len(assigning.handing_over.work_of(campaign, "Ben")) == 2
    done = post(anna, "/c/small/people/role", **leaving, to="Carla", plan=plan)
    assert says(anna.get(done.location).text, "to Carla")
    with open_campaign(small) as campaign:
        assert members.role_of(campaign, "Ben") is None
        assert assignments.of_topic(campaign, "1") == {"Carla": "whole"}
        assert assignments.of_topic(campaign, "2") == {"Carla": "second"}


def test_what_participants_see_of_scores_is_changed_in_the_log(
    anna: FlaskClient, post: Post, instance: Path
) -> None:
    with open_campaign(instance / "robust.db") as campaign:
        for word, is_open in (("yes", True), ("no", False)):
            assert post(anna, "/c/robust/people/scores", open=word).status_code == 303
            assert settings.read(campaign).scores_open is is_open
        assert post(anna, "/c/robust/people/least-teams", least="3").status_code == 303
        for wrong in ("0", "101", "x"):
            assert post(anna, "/c/robust/people/least-teams", least=wrong).status_code == 400
        assert settings.read(campaign).least_teams == 3


def test_an_offer_to_who_is_a_member_by_now_is_refused_in_a_sentence(
    app: Flask, anna: FlaskClient, client_of: SignIn, post: Post, instance: Path
) -> None:
    carla = client_of(app, "Carla")
    post(anna, "/c/robust/people/offer", name="Carla", role="assessor")
    with open_campaign(instance / "robust.db") as campaign, campaign.write():
        members.put(campaign.by("Anna"), "Carla", "observer")
    assert accept_offer(carla, post).status_code in (409, 410)
    assert roles(instance)["Carla"] == "observer"


def test_topics_of_a_member_who_left_alone_are_a_warning(anna: FlaskClient, post: Post, small: Path) -> None:
    with open_campaign(small) as campaign:
        assigning.assign(campaign.by("Anna"), ["1", "2"], ["Ben"])
    assert says(anna.get("/c/small/assignments").text)
    assert post(anna, "/c/small/people/role", name="Ben", role="observer", topics="leave").status_code == 303
    assert says(anna.get("/c/small/assignments").text)
    assert says(anna.get("/c/small/dashboard").text)
