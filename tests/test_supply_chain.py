"""Everything that is installed is pinned with the hashes of its files, and listed with its licence."""

from __future__ import annotations

import json
import os
import re
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

from tests.at_length import AT_LENGTH
from tests.conftest import ROOT, skip_or_fail

SHIPPED = "run compounds pictures sheets".split()  # in the image
FILES = [
    *SHIPPED,
    *"dev assistants collections distributed peers load audit pdf models sso scripts docs wheels faults".split(),
]
PIN = re.compile(
    r"^([a-z0-9-]+)==([^ ]+)( ; [^\\\n]+)?((?: \\\n    --hash=sha256:[0-9a-f]{64})+)$", re.MULTILINE
)

VALIDATE = """
import sys
from pathlib import Path
if sys.argv[2] == "quickly":
    sys.modules["rfc3987_syntax"] = None
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator

print(JsonStrictValidator(SchemaVersion.V1_6).validate_str(Path(sys.argv[1]).read_text()))
"""
"""A program that prints what is wrong with a list of components, None if nothing.

Quickly, without the grammar of addresses, which takes a fifth of a second for each of 240: ADDRESS stands for it.
"""

ADDRESS = re.compile(r"https?://[^\s<>\"{}|\\^`\[\]]+")


def pins(name: str) -> dict[str, tuple[str, list[str]]]:
    """Version and hashes of each package in a file of pins/; every line of the file belongs to one."""
    text = (ROOT / "pins" / f"{name}.txt").read_text()
    first, _, rest = text.partition("\n")
    assert first.startswith("# ")
    assert PIN.sub("", rest).strip() == ""
    return {found[1]: (found[2], re.findall(r"[0-9a-f]{64}", found[4])) for found in PIN.finditer(rest)}


def constraints() -> dict[str, str]:
    lines = (ROOT / "constraints.txt").read_text().splitlines()[1:]
    return dict(line.partition(" ;")[0].split("==") for line in lines)


def test_every_version_that_is_pinned_has_hashes_and_the_other_way_round() -> None:
    found = {name: version for file in FILES for name, (version, _) in pins(file).items()}
    assert found == constraints()


def test_what_developers_need_is_not_what_the_program_needs() -> None:
    run = pins("run")
    assert {"flask", "waitress", "pip", "hatchling", "editables"} <= set(run)
    for file in FILES[1:]:
        both = set(run) & set(pins(file))  # wanted on more platforms or Pythons there
        assert both <= {"typing-extensions", "colorama", "cffi", "pycparser", "greenlet", "tzdata"}, (
            file,
            both,
        )
        assert all(run[name] == pins(file)[name] for name in both)


@pytest.mark.parametrize("file", FILES)
def test_no_pin_says_where_packages_come_from(file: str) -> None:
    text = (ROOT / "pins" / f"{file}.txt").read_text() + (ROOT / "constraints.txt").read_text()
    assert not re.search(r"://|--(extra-)?index|--find-links|@ ", text)


def test_what_checks_the_scripts_is_pinned_with_hashes_and_names_no_place() -> None:
    lock = json.loads((ROOT / "package-lock.json").read_text())
    ours = lock["packages"].pop("")["devDependencies"]
    assert ours == json.loads((ROOT / "package.json").read_text())["devDependencies"]
    for name, package in lock["packages"].items():
        assert package["integrity"].startswith("sha512-"), name
        assert "resolved" not in package, name


def test_a_file_with_another_hash_is_not_installed(tmp_path: Path) -> None:
    package = tmp_path / "itsdangerous-2.2.0-py3-none-any.whl"
    package.write_bytes(b"something else")
    version, hashes = pins("run")["itsdangerous"]
    options = " ".join(f"--hash=sha256:{each}" for each in hashes)
    (tmp_path / "pins.txt").write_text(f"itsdangerous=={version} {options}\n")
    words = ["install", "--require-hashes", "--no-deps", "--no-index", "--find-links", str(tmp_path)]
    words += ["--target", str(tmp_path / "there"), "-r", str(tmp_path / "pins.txt")]
    done = subprocess.run([sys.executable, "-m", "pip", *words], capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert "DO NOT MATCH THE HASHES" in done.stderr


@pytest.mark.slow
def test_the_list_of_components_has_every_package_with_hashes_and_licence(tmp_path: Path) -> None:
    tools = Path(sys.prefix) / "audit"
    if not tools.is_dir():
        skip_or_fail("make sbom has not installed cyclonedx-bom")
    target = tmp_path / "sbom.json"
    subprocess.run([sys.executable, ROOT / ".ci" / "sbom.py", target], check=True, capture_output=True)
    valid = subprocess.run(
        [sys.executable, "-c", VALIDATE, target, "at length" if AT_LENGTH else "quickly"],
        env={**os.environ, "PYTHONPATH": str(tools)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert valid.stdout == "None\n"
    document = json.loads(target.read_text())
    addresses = [each["url"] for of in document["components"] for each in of.get("externalReferences", ())]
    assert addresses
    assert [address for address in addresses if not ADDRESS.fullmatch(address)] == []
    assert document["metadata"]["component"]["name"] == "relevance-workbench"
    listed = {
        each["name"].lower().replace("_", "-").replace(".", "-"): each for each in document["components"]
    }
    there = installed()
    here = {name: pinned for file in SHIPPED for name, pinned in pins(file).items() if name in there}
    assert set(listed) == {*here, *vega()}
    assert {name: listed[name]["version"] for name in vega()} == vega()
    for name, (version, hashes) in here.items():
        assert listed[name]["version"] == version
        assert [each["content"] for each in listed[name]["hashes"]] == hashes
        assert listed[name].get("licenses"), name


def vega() -> dict[str, str]:
    """The programs that static/vendor/vega.js consists of, by name and version."""
    found: dict[str, str] = runpy.run_path(str(ROOT / "docs" / "make_vega.py"))["versions"]()
    return found


def test_the_script_that_draws_on_pages_is_what_draws_on_paper_and_comes_with_its_licences() -> None:
    made = runpy.run_path(str(ROOT / "docs" / "make_vega.py"))
    assert made["SCRIPT"].read_text(encoding="utf-8") == made["script"]()
    licences = made["LICENCES"].read_text(encoding="utf-8")
    for name, version in vega().items():
        assert re.search(rf"^(.*, )?{name} {re.escape(version)}", licences, re.MULTILINE), name


def installed() -> set[str]:
    done = subprocess.run(
        [sys.executable, "-m", "pip", "list", "--format", "json"], capture_output=True, text=True, check=True
    )
    return {re.sub(r"[-_.]+", "-", each["name"]).lower() for each in json.loads(done.stdout)}
