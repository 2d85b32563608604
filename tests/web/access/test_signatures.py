"""What was signed by this server is checked once; its age, and whose it is, every time."""

from __future__ import annotations

from collections.abc import Iterator
from http import HTTPStatus

import pytest
from flask import Flask
from itsdangerous import BadSignature, SignatureExpired

from tests.web.conftest import SignIn, TokenOf
from workbench.web.access import signatures
from workbench.web.access.signatures import CheckedOnce

pytestmark = pytest.mark.usefixtures("small")

DAY = 86_400


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """The seconds since 1970 that everybody sees."""
    now = [1_800_000_000]
    monkeypatch.setattr("time.time", lambda: now[0])
    yield now


def test_what_was_signed_here_is_read_again_and_again_until_it_is_too_old(clock: list[int]) -> None:
    signer = CheckedOnce("the key")
    value = str(signer.dumps({"name": "Ann"}))
    for age in (0, 1, DAY):
        clock[0] = 1_800_000_000 + age
        assert signer.read(value, DAY) == {"name": "Ann"}
    clock[0] += 1
    with pytest.raises(SignatureExpired):
        signer.read(value, DAY)


def test_a_clock_that_is_put_back_signs_nobody_out(clock: list[int]) -> None:
    signer = CheckedOnce("the key")
    value = str(signer.dumps("x"))
    clock[0] -= 3_600
    assert [signer.read(value, DAY), CheckedOnce("the key").read(value, DAY)] == ["x", "x"]


def test_who_changes_what_was_read_changes_nothing_for_the_next_one() -> None:
    signer = CheckedOnce("the key")
    value = str(signer.dumps({"flashes": ["a"]}))
    signer.read(value, DAY)["flashes"].append("b")
    assert signer.read(value, DAY) == {"flashes": ["a"]}


def test_what_others_signed_is_refused_each_time_and_never_kept() -> None:
    signer, forged = CheckedOnce("the key"), str(CheckedOnce("another key").dumps("x"))
    for _ in range(2):
        with pytest.raises(BadSignature):
            signer.read(forged, DAY)
    assert signer._known.get(forged) is None


def test_a_long_text_is_not_kept_though_its_signature_holds() -> None:
    signer = CheckedOnce("the key")
    value = str(signer.dumps("x"))
    assert signer.read(value, DAY) == "x"
    assert signer.read(value + "!" * 4_000, DAY) == "x"  # whatever is no sign of a signature is read past
    assert [len(text) for text in signer._known._found] == [len(value)]


def test_a_token_that_was_good_for_one_session_is_not_good_for_another(
    app: Flask, client_of: SignIn, token_of: TokenOf
) -> None:
    ben, carla = client_of(app, "Ben"), client_of(app, "Carla")
    token_of(carla)
    sent = {"headers": {"X-CSRFToken": token_of(ben)}, "json": {"uuids": []}}
    for _ in range(2):
        assert ben.post("/c/small/api/receipts", **sent).status_code == HTTPStatus.OK
    refused = carla.post("/c/small/api/receipts", **sent)
    assert (refused.status_code, refused.get_json()["reason"]) == (HTTPStatus.BAD_REQUEST, "csrf")


def test_without_a_session_no_token_is_good_even_one_that_was(
    app: Flask, client_of: SignIn, token_of: TokenOf
) -> None:
    ben = client_of(app, "Ben")
    sent = {"headers": {"X-CSRFToken": token_of(ben)}, "json": {"uuids": []}}
    assert ben.post("/c/small/api/receipts", **sent).status_code == HTTPStatus.OK
    ben.delete_cookie("workbench_5000")
    assert ben.post("/c/small/api/receipts", **sent).status_code == HTTPStatus.UNAUTHORIZED


def test_nobody_fills_the_memory_with_tokens_they_made_up(
    app: Flask, client_of: SignIn, token_of: TokenOf
) -> None:
    ben = client_of(app, "Ben")
    token_of(ben)
    protection = app.extensions["csrf"]
    assert isinstance(protection, signatures.TokenCheck)
    answer = ben.post("/c/small/api/receipts", headers={"X-CSRFToken": "made up"}, json={"uuids": []})
    assert (answer.status_code, protection._known.get("made up")) == (HTTPStatus.BAD_REQUEST, None)


def test_a_form_with_a_field_that_has_no_name_is_refused_with_a_reason(
    app: Flask, client_of: SignIn, token_of: TokenOf
) -> None:
    body = b"--xx\r\nContent-Disposition: form-data\r\n\r\nvalue\r\n--xx--\r\n"
    for who, address in ((None, "/sign-in"), ("Anna", "/c/robust/add/topics")):
        client = client_of(app, who)
        for headers in ({}, {"X-CSRFToken": token_of(client)}):
            answer = client.post(
                address, data=body, content_type="multipart/form-data; boundary=xx", headers=headers
            )
            assert answer.status_code == 400
            assert "has no name" in answer.text
