"""Three servers behind one nginx, each under a name of its own, as in docs/run/scale.md and docs/run/serving.md."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pytest

from tests.conftest import ROOT, skip_or_fail
from tests.stories import Program, own_port
from tests.test_behind_nginx import (
    NGINX,
    PASSWORD,
    TIMEOUT,
    Client,
    Site,
    certificate,
    configured,
    documented,
    make_campaign,
    wait_for,
)

pytestmark = pytest.mark.slow

NAMES = ("rivers", "lakes", "seas")
DOMAIN = "judging.example.org"


class Servers:
    """Three servers, each with a campaign `rivers` and accounts of its own, and nginx before them."""

    def __init__(self, stack: ExitStack, folder: Path) -> None:
        tls, plain = stack.enter_context(own_port()), stack.enter_context(own_port())
        self.stacks, ports = [], []
        for name in NAMES:
            program = Program(folder / name)
            program.folder.mkdir()
            make_campaign(program)
            program.run("user", "add", f"anna-{name}", "--password", PASSWORD)
            program.run("member", "add", "rivers", f"anna-{name}", "--role", "assessor")
            words = f"--port 0 --behind-proxy --secure --allow-host {name}.{DOMAIN} --no-open".split()
            own = stack.enter_context(ExitStack())
            ports.append(own.enter_context(program.serving("serve", "rivers", *words)).port)
            self.stacks.append(own)
        site = Site(tls, plain, 0, certificate(folder, f"*.{DOMAIN}"), folder)
        configuration = configured(site, several(ports))
        nginx = subprocess.Popen([NGINX, "-p", folder, "-c", configuration], stderr=subprocess.DEVNULL)
        stack.callback(nginx.wait, timeout=TIMEOUT)
        stack.callback(nginx.terminate)
        wait_for(tls)
        self.sites = {name: replace(site, name=f"{name}.{DOMAIN}") for name in (*NAMES, "other")}


def several(ports: list[int]) -> str:
    """The site of docs/run/serving.md with what docs/run/scale.md changes, and the ports of this test."""
    found = re.search(r"^```nginx\n(.*?)^```", (ROOT / "docs" / "run" / "scale.md").read_text(), re.M | re.S)
    assert found is not None
    addresses = found[1]
    for number, port in enumerate(ports, start=5001):
        assert f"127.0.0.1:{number};" in addresses
        addresses = addresses.replace(f"127.0.0.1:{number};", f"127.0.0.1:{port};")
    site = documented()
    for words, ours in {
        "http://127.0.0.1:5000": "http://$workbench",
        f"server_name {DOMAIN};": f"server_name *.{DOMAIN};",
    }.items():
        assert words in site
        site = site.replace(words, ours)
    return addresses + site


@pytest.fixture(scope="module")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Servers]:
    for program in (NGINX, "openssl"):
        if shutil.which(program) is None:
            skip_or_fail(f"{program} is not installed")
    with ExitStack() as stack:
        yield Servers(stack, tmp_path_factory.mktemp("several"))


def test_each_name_leads_to_its_server_accounts_and_sessions_also_when_another_one_stops(
    servers: Servers,
) -> None:
    for name in NAMES:
        clients = {other: Client(servers.sites[other]) for other in NAMES}
        statuses = {other: client.sign_in(f"anna-{name}").status for other, client in clients.items()}
        assert statuses == {other: 303 if other == name else 401 for other in NAMES}
        assert clients[name].ask("GET", "/c/rivers/").status == 200
    (client := Client(servers.sites["rivers"])).sign_in("anna-rivers")
    assert Client(servers.sites["lakes"], client.cookie).ask("GET", "/c/rivers/").status in (302, 303)
    assert client.ask("GET", "/c/rivers/").status == 200
    assert Client(servers.sites["other"]).ask("GET", "/sign-in").status == 502, "a name that is not listed"
    servers.stacks[-1].close()
    statuses = {name: Client(servers.sites[name]).ask("GET", "/sign-in").status for name in NAMES}
    assert statuses == {"rivers": 200, "lakes": 200, "seas": 502}
