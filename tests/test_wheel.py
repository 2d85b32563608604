"""The wheel, built from the source archive, works where there is nothing but itself."""

from __future__ import annotations

import itertools
import re
import subprocess
import sys
import zipfile
from collections import Counter
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from urllib.error import HTTPError
from urllib.parse import urlencode, urljoin, urlsplit
from urllib.request import HTTPCookieProcessor, Request, build_opener

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """`build` without further options makes the source archive, and the wheel from that."""
    folder = tmp_path_factory.mktemp("dist")
    subprocess.run([sys.executable, "-m", "build", "--no-isolation", "--outdir", folder, ROOT], check=True)
    return next(folder.glob("*.whl"))


def outer_files() -> set[str]:
    return {
        f"workbench/{path.relative_to(ROOT).as_posix()}"
        for folder in ("templates", "static")
        for path in (ROOT / folder).rglob("*")
        if path.is_file()
    }


def test_the_wheel_holds_every_template_and_static_file(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    assert outer_files() | {"workbench/py.typed"} <= names
    assert len(outer_files()) > 1
    assert {name.split("/")[0] for name in names} == {"workbench", "relevance_workbench-0.1.0.dist-info"}


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of programs of a new environment that holds the wheel and what it asks for."""
    folder = tmp_path_factory.mktemp("installed") / "venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    pip = [sys.executable, "-m", "pip", "--python", folder / "bin" / "python", "install"]
    pip += "--quiet --no-compile --disable-pip-version-check".split()
    subprocess.run([*pip, "-c", ROOT / "constraints.txt", wheel], check=True)
    return folder / "bin"


@pytest.fixture(scope="module")
def demo(installed: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    """The address of the demo that the installed package serves from an empty folder, and that folder."""
    folder = tmp_path_factory.mktemp("empty")
    command = [installed / "relevance-workbench", "demo", "--port", "0", "--no-open"]
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        (greeting,) = itertools.islice((line for line in server.stdout if "http:" in line), 1)
        yield greeting.split()[-1], folder
        server.terminate()


def test_every_page_of_the_demo_comes_from_the_installed_package_alone(demo: tuple[str, Path]) -> None:
    address, _ = demo
    opener = build_opener(HTTPCookieProcessor())
    with opener.open(address) as answer:
        token = re.findall(r'name="csrf_token" value="([^"]+)"', answer.read().decode())[-1]
    asked = urlencode({"csrf_token": token}).encode()
    with opener.open(Request(urljoin(address, "/start"), asked, {"Referer": address})) as answer:
        waiting, seen, types = ["/"], set[str](), Counter[str]()
    while waiting:
        link = waiting.pop()
        path = urlsplit(link).path
        if path in seen:  # one of those that differ in their query alone
            continue
        seen.add(path)
        try:
            answer = opener.open(urljoin(address, link))
        except HTTPError as error:
            assert "relevance-workbench[pictures]" in unescape(error.read().decode()), link
            assert path.endswith((".svg", ".png", ".pdf")), link
            types["refused"] += 1
            continue
        with answer:
            kind, text = answer.headers.get_content_type(), answer.read()
        types[kind] += 1
        if kind == "text/html":
            found = re.findall(r'(?:href|src|data-figure|data-runtime)="(/[^"#]*)["#]', text.decode())
            waiting += map(unescape, found)
    assert types["text/html"] > 30
    assert types["refused"] > 5
    assert types["text/javascript"] > 10


def test_what_an_extra_does_is_refused_with_the_command_that_installs_it(
    installed: Path, demo: tuple[str, Path]
) -> None:
    _, folder = demo
    (folder / "q.txt").write_text("1 0 d1 1\n")
    (folder / "r.txt").write_text("1 Q0 d1 1 1.0 r\n")
    (folder / "de.jsonl").write_text('{"qid": "Q", "title": "Wahl", "lang": "de"}\n')
    said = "".join(
        subprocess.run(
            [installed / "workbench", *words.split()], cwd=folder, capture_output=True, text=True, check=False
        ).stderr
        for words in (
            "plot demo topics -o topics.svg",
            "release report demo -o sheets",
            "add topics demo de.jsonl",
            "eval irds:cranfield r.txt",
            "eval https://127.0.0.1:1/q.txt r.txt",
            "eval --workers 1 q.txt r.txt",
        )
    )
    told = re.findall(r"(\S+), which .*relevance-workbench\[(\w+)\]", said)
    assert told == [
        ("vl-convert-python", "pictures"),
        ("typst", "sheets"),
        ("simplemma", "compounds"),
        ("ir-datasets", "collections"),
        ("fsspec", "distributed"),
        ("dask", "distributed"),
    ]
    code = "from workbench.core.extras import EXTRAS, missing; print(all(map(missing, EXTRAS)), len(EXTRAS))"
    done = subprocess.run([installed / "python", "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split()[0] == "True"
    assert not (folder / "topics.svg").exists()
