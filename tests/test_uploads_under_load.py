"""An organiser who adds a large run in the browser holds up nobody who judges, and it is stored whole."""

from __future__ import annotations

import http.client
import time
from pathlib import Path

import pytest

from tests.savers import NOW, PASSWORD, PATIENCE, Client, make_campaign, savers_of
from tests.stories import Program
from workbench.people.accounts import add_account, open_accounts
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.people import members

pytestmark = pytest.mark.slow

DEPTH = 150_000
"""Documents for each of two topics: enough for checking and adding the run to take seconds."""

LONGEST = 5.0
"""Seconds that a save may take meanwhile, on a machine that does other things too; alone they take milliseconds."""

EDGE = "a-line-that-no-run-has"


def make_run(path: Path) -> list[tuple[str, str]]:
    """A run of the campaign's two topics; its pairs in order."""
    pairs = [(topic, f"n{place * 7 % 150_001:06}") for topic in "12" for place in range(DEPTH)]
    lines = (f"{topic} Q0 {name} 0 {-place} large\n" for place, (topic, name) in enumerate(pairs))
    path.write_text("".join(lines))
    return pairs


def sent_by_form(olga: Client, path: Path) -> str:
    """What the job says in the end that a browser's form with a file begins."""
    token = olga.ask("GET", "/session").body["csrf_token"]
    parts = [('name="csrf_token"', token), ('name="do"', "add")]
    fields = "".join(
        f"--{EDGE}\r\nContent-Disposition: form-data; {name}\r\n\r\n{value}\r\n" for name, value in parts
    )
    file = f'--{EDGE}\r\nContent-Disposition: form-data; name="files"; filename="large.run"\r\n\r\n'
    body = (fields + file).encode() + path.read_bytes() + f"\r\n--{EDGE}--\r\n".encode()
    line = http.client.HTTPConnection("127.0.0.1", olga.port, timeout=PATIENCE)
    typed = {"Content-Type": f"multipart/form-data; boundary={EDGE}", "Cookie": olga.headers["Cookie"]}
    line.request("POST", "/c/rivers/add/runs", body, typed)
    answer = line.getresponse()
    answer.read()
    line.close()
    job = answer.headers["Location"].rpartition("/")[2]
    end = time.monotonic() + PATIENCE
    while (state := olga.ask("GET", f"/c/rivers/api/jobs/{job}").body)["ended"] is None:
        assert time.monotonic() < end, state
        time.sleep(0.1)
    return str(state["message"])


def test_saves_go_on_while_a_large_run_is_added_in_the_browser_and_nothing_of_either_is_lost(
    tmp_path: Path,
) -> None:
    program, path = Program(tmp_path), make_campaign(tmp_path)
    with open_accounts(path.parent) as accounts:
        add_account(accounts.at(NOW), "olga", PASSWORD)
    with open_campaign(path) as campaign, campaign.write():
        members.put(campaign.by("olga", NOW), "olga", "organiser")
    pairs = make_run(tmp_path / "large.run")
    with (
        program.serving("serve", "--host", "127.0.0.1", "--port", "0", "--no-open") as server,
        savers_of(path, server.port) as savers,
    ):
        olga = Client(server.port, "olga")
        olga.sign_in()
        with savers.at_work():
            savers.wait_for(20)
            before = len(savers.acknowledged())
            said = sent_by_form(olga, tmp_path / "large.run")
            meanwhile = len(savers.acknowledged()) - before
            savers.wait_for(20)
        olga.hang_up()
    assert "1 file added." in said
    assert meanwhile >= 20
    assert max(saver.slowest for saver in savers.savers) < LONGEST
    assert savers.check(path) == len(savers.acknowledged())
    program.run("export", "runs", "rivers", "--run", "large", "-o", "runs/")
    exported = (tmp_path / "runs" / "large.run").read_text().splitlines()
    assert [(row.split()[0], row.split()[2]) for row in exported] == pairs
    program.run("audit", "rivers")
