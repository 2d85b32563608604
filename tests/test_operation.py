"""What an administrator is given: `make demo`, the systemd unit, the container file, and nginx in front of it."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import tomllib
from pathlib import Path

import yaml

from tests.conftest import ROOT, skip_or_fail
from tests.document_tables import tables
from tests.test_documentation import not_understood

DEPLOY = ROOT / "deploy"
UNIT = DEPLOY / "workbench.service"
CONTAINER = DEPLOY / "Containerfile"


def planned(target: str) -> str:
    """What `make` would run for a target in a folder where nothing is made yet."""
    done = subprocess.run(
        ["make", "--always-make", "--dry-run", target], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return done.stdout


def extras(target: str) -> set[str]:
    """The extras of the package that a target installs, by the files of their pins."""
    return set(re.findall(r"-r pins/(\w+)\.txt", planned(target))) - {"run"}


def test_the_demo_installs_no_tools_of_developers_and_the_tests_do() -> None:
    assert extras("demo") == set()
    assert extras("setup") == set("dev assistants pdf models compounds pictures sheets sso".split())
    assert extras("test-slow") == {*extras("setup"), *"collections distributed docs peers wheels".split()}
    assert extras("wheels") == {"wheels"}
    assert extras("lint") == extras("test") == {*extras("setup"), "scripts"}


def exec_start() -> str:
    """The command of the unit, on one line."""
    text = UNIT.read_text().replace("\\\n", " ")
    (found,) = re.findall(r"^ExecStart=(.+)$", text, re.MULTILINE)
    return str(found)


def compose() -> dict[str, object]:
    loaded: dict[str, object] = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
    return loaded


def test_the_commands_of_the_unit_and_of_the_containers_are_understood() -> None:
    program, *words = shlex.split(exec_start())
    assert program == "/opt/workbench/.venv/bin/workbench"
    (in_container,) = re.findall(r"^CMD (\[.+\])$", CONTAINER.read_text(), re.MULTILINE)
    services = compose()["services"]
    assert isinstance(services, dict)
    for command in (words, yaml.safe_load(in_container), services["workbench"]["command"]):
        assert not_understood(f"workbench {shlex.join(command)}") == []


def test_systemd_understands_the_unit_and_finds_it_little_exposed(tmp_path: Path) -> None:
    if shutil.which("systemd-analyze") is None:
        skip_or_fail("systemd-analyze is not installed")
    unit = tmp_path / "workbench.service"
    unit.write_text(
        UNIT.read_text().replace(shlex.split(exec_start())[0], shutil.which("true") or "/bin/true")
    )
    checked = subprocess.run(["systemd-analyze", "verify", unit], capture_output=True, text=True, check=False)
    assert (checked.returncode, checked.stdout + checked.stderr) == (0, "")
    rated = subprocess.run(
        ["systemd-analyze", "security", "--offline=yes", unit], capture_output=True, text=True, check=True
    )
    exposure = re.search(r"Overall exposure level for workbench\.service: ([0-9.]+)", rated.stdout)
    assert exposure is not None
    assert float(exposure[1]) < 2  # of 10; a unit without these settings has 9.6


def test_the_unit_leaves_a_server_as_long_to_end_as_it_takes() -> None:
    from workbench.release.backups.rotation import STOP_PATIENCE
    from workbench.web.server.stopping import PATIENCE

    (seconds,) = re.findall(r"^TimeoutStopSec=([0-9]+)$", UNIT.read_text(), re.MULTILINE)
    assert int(seconds) >= STOP_PATIENCE + PATIENCE
    services = compose()["services"]
    assert isinstance(services, dict)
    assert services["workbench"]["stop_grace_period"] == f"{seconds}s"


def test_the_container_runs_without_root_and_copies_what_the_package_needs() -> None:
    text = CONTAINER.read_text()
    stages = text.split("\nFROM ")
    last = stages[-1]
    assert re.search(r"^USER workbench$", last, re.MULTILINE)
    assert "HEALTHCHECK" in last
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    needed = {"workbench", *project["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]}
    copied = set(re.findall(r"^COPY (\w+) ", stages[1], re.MULTILINE))
    assert copied == {*needed, "pins"}
    sent = (ROOT / ".dockerignore").read_text().splitlines()
    for word in re.findall(r"^COPY (?!--from)([\w./ ]+) \S+$", text, re.MULTILINE):
        assert {f"!{name}" for name in word.split()} <= set(sent)
    for word in re.findall(r"^COPY (?!--from)(.+) \./$", text, re.MULTILINE):
        assert all((ROOT / name).exists() for name in word.split())


def test_the_least_python_to_serve_with_has_every_fix_that_is_named() -> None:
    (head, *fixes) = next(found for found in tables("docs/run/serving.md") if found[0][0] == "fix")
    minors = [name for name in head if re.fullmatch(r"3\.\d+", name)]
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    assert project["project"]["requires-python"] == f">={minors[0]}"
    newest = [max(int(row[head.index(minor)]) for row in fixes) for minor in minors]
    levels = ", ".join(f"{minor}.{patch}" for minor, patch in zip(minors, newest, strict=True))
    assert f"Serve with Python {levels}," in (ROOT / "docs" / "run" / "serving.md").read_text()


def test_a_certificate_that_is_missing_is_an_error_and_git_never_takes_its_key() -> None:
    services = compose()["services"]
    assert isinstance(services, dict)
    long_forms = [mount for mount in services["nginx"]["volumes"] if isinstance(mount, dict)]
    assert {mount["source"] for mount in long_forms} == {"./tls/site.pem", "./tls/site.key"}
    assert all(mount["bind"] == {"create_host_path": False} for mount in long_forms)
    assert "deploy/tls/" in (ROOT / ".gitignore").read_text().splitlines()


def test_nginx_of_the_containers_has_the_site_that_the_page_shows() -> None:
    page = (ROOT / "docs" / "run" / "serving.md").read_text()
    shown = re.search(r"^```nginx\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    assert shown is not None
    same = subprocess.run(
        [DEPLOY / "nginx-site", "judging.example.org"], capture_output=True, text=True, check=True
    )
    assert same.stdout == shown[1]
    other = subprocess.run(
        [DEPLOY / "nginx-site", "a.example", "workbench:5000"], capture_output=True, text=True, check=True
    )
    assert other.stdout == shown[1].replace("judging.example.org", "a.example").replace(
        "127.0.0.1:5000", "workbench:5000"
    )
    assert "proxy_pass http://workbench:5000;" in other.stdout
