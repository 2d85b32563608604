"""Servers that are killed, doubled and backed up while people save: nothing acknowledged is lost, nothing doubled."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.at_length import at_length
from tests.savers import make_campaign, savers_of
from tests.stories import Program, own_port

pytestmark = pytest.mark.slow

KILLS = 6
"""How often a server is killed in each test."""

SEEDS = at_length(5, 1)


def start(port: int) -> list[str]:
    return ["serve", "--host", "127.0.0.1", "--port", str(port), "--no-open"]


@pytest.mark.parametrize("seed", range(SEEDS))
def test_a_server_killed_again_and_again_under_load_has_every_judgment_it_acknowledged_once(
    tmp_path: Path, seed: int
) -> None:
    program, path = Program(tmp_path), make_campaign(tmp_path)
    chance = random.Random(seed)
    with own_port() as port, program.serving(*start(port)) as server, savers_of(path, port) as savers:
        server.kill()
        with savers.at_work():
            for _ in range(KILLS):
                with program.serving(*start(port)) as again:
                    savers.wait_for(chance.randint(1, 60))
                    again.kill()
                savers.check(path)
            with program.serving(*start(port)):
                savers.wait_for(1)
    assert savers.check(path) >= len(savers.acknowledged()) > KILLS
    assert "FAILED" not in program.run("audit", "rivers")


def test_two_servers_of_one_campaign_store_what_both_are_sent_and_a_backup_made_meanwhile_is_restored(
    tmp_path: Path,
) -> None:
    program, path = Program(tmp_path), make_campaign(tmp_path)
    with (
        program.serving(*start(0)) as one,
        program.serving(*start(0)) as two,
        savers_of(path, one.port, two.port) as savers,
        savers.at_work(),
    ):
        savers.wait_for(100)
        program.run("backup", "rivers", "copy.db")
        savers.wait_for(100)
    assert all(saver.acknowledged for saver in savers.savers)
    assert savers.check(path) == len(savers.acknowledged())
    program.run("audit", "rivers")
    program.run("restore", "rivers", "copy.db")
    program.run("audit", "rivers")
    assert len(program.judgments("rivers")) >= 100
