"""`workbench member export` on the command line."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.fixture_types import Fails, Workbench
from tests.sentences import says
from workbench.people.accounts import open_accounts
from workbench.people.accounts.stored_about import NAMED as IN_ACCOUNTS
from workbench.people.personal_data import pseudonym
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.log import log
from workbench.storage.campaign.people.stored_about import NAMED as IN_CAMPAIGN
from workbench.storage.instance import secret_key

PASSWORD = "correct horse of the river"


@pytest.fixture
def anna(done: Workbench) -> None:
    done("user add anna", given=f"{PASSWORD}\n{PASSWORD}\n")
    done("user add ben", given=f"{PASSWORD}\n{PASSWORD}\n")
    done("member add small anna --role assessor")
    done("member add small ben --role assessor")
    done("assign give small anna 1")


def test_a_member_gets_what_is_stored_about_them_in_a_file(done: Workbench, anna: None) -> None:
    told = done("member export small ANNA -o anna.json").stderr
    found = json.loads(Path("anna.json").read_text(encoding="utf-8"))
    assert says(told)
    assert (found["name"], found["accounts"]["account"][0]["name"]) == ("anna", "anna")
    assert [act["act"] for act in found["accounts"]["act"]] == ["account made", "role given"]
    (campaign,) = found["campaigns"]
    assert campaign["campaign"] == "small"
    assert campaign["member"][0]["role"] == "assessor"
    assert campaign["assignment"][0]["topic"] == "1"
    assert "ben" not in json.dumps(found["campaigns"])


def test_the_password_is_in_no_export_nor_is_its_hash(done: Workbench, anna: None) -> None:
    text = done("member export small anna").stdout
    assert ("password_hash" in text, "scrypt" in text) == (False, False)


def test_an_unknown_name_is_refused_with_the_nearest_and_leaves_no_file(fails: Fails, anna: None) -> None:
    refused = fails("member export small ana -o ana.json")
    assert not Path("ana.json").exists()
    assert says(refused, "ana", "anna")


def test_without_accounts_none_are_made(done: Workbench, campaign: Campaign) -> None:
    (name,) = {event.actor for event in log.events(campaign)}
    found = json.loads(done("member export small", name).stdout)
    assert (found["accounts"], found["request_log"]) == ({}, {})
    assert not Path("instance/accounts.db").exists()


def test_lines_of_the_request_log_are_found_by_the_pseudonym(done: Workbench, anna: None) -> None:
    key = secret_key(Path("instance"))
    mine = {"method": "GET", "route": "/account", "account": pseudonym(key, "anna")}
    other = {**mine, "account": pseudonym(key, "ben")}
    lines = [
        "server started",
        "Mar 01 host workbench[7]: " + json.dumps(mine),
        json.dumps(other),
        json.dumps(mine)[:-1],
    ]
    Path("server.log").write_text("\n".join(lines), encoding="utf-8")
    found = json.loads(done("member export small anna --request-log server.log").stdout)
    assert found["request_log"] == {"account": mine["account"], "lines": [mine]}


PAGE = (ROOT / "docs" / "run" / "privacy.md").read_text(encoding="utf-8")


def named_under(heading: str) -> set[str]:
    """The tables in the first column of the table under a heading."""
    part = PAGE.partition(f"## {heading}\n")[2].partition("\n## ")[0]
    cells = re.findall(r"^\| (`.+?) \|", part, re.MULTILINE)
    return {name for cell in cells for name in re.findall(r"`(\w+)`", cell)}


def test_the_page_on_privacy_names_the_tables_there_are_and_all_that_name_people(
    small: Campaign, tmp_path: Path
) -> None:
    in_campaign = named_under("In a campaign file")
    assert in_campaign <= set(small.db.table_names())
    assert {*IN_CAMPAIGN, "event", "judgment"} <= in_campaign
    with open_accounts(tmp_path) as accounts:
        there = set(accounts.db.table_names())
    assert named_under("In the accounts of the instance") == IN_ACCOUNTS.keys() <= there


def test_the_keys_that_the_page_on_privacy_explains_are_those_of_the_document(
    done: Workbench, anna: None
) -> None:
    found = json.loads(done("member export small anna").stdout)
    assert set(found) == named_under("A person's own data")


def test_the_stores_of_the_browser_that_the_page_names_are_those_of_the_script() -> None:
    script = (ROOT / "static" / "judging" / "database.js").read_text(encoding="utf-8")
    made = set(re.findall(r'createObjectStore\("(\w+)"', script))
    assert set(re.findall(r"IndexedDB of the browser, store `(\w+)`", PAGE)) == made
