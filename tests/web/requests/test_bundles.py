"""A bundle does what the files do that it is made of."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from flask import Flask

from tests.sentences import says
from workbench.web.requests.static_files import bundle, modules

STATIC = Path(__file__).resolve().parents[3] / "static"


@pytest.fixture
def folder(tmp_path: Path) -> str:
    """A script that imports in each of the ways, and a sheet."""
    (tmp_path / "judging").mkdir()
    for name, text in {
        "judging/judge.js": 'import { a } from "./queue.js";\nimport { b, b as c } from "../shared.js";\n'
        "show(a + b + c);\n",
        "judging/queue.js": '/** Why. */\nimport * as shared from "../shared.js";\n\n'
        "// One.\nexport const a = shared.b + 1;\n",
        "shared.js": 'export async function unused() {}\nexport const b = 1; // "kept"\n',
        "judging/page.css": '@import "../tokens.css";\n/* Two\nlines. */\na { color: red; }\n',
        "tokens.css": ":root { --x: 1px; }\n",
    }.items():
        (tmp_path / name).write_text(text)
    return str(tmp_path)


def test_each_module_comes_once_and_after_all_that_it_imports(folder: str) -> None:
    assert modules(folder, "judging/judge.js") == ("shared.js", "judging/queue.js", "judging/judge.js")


BUNDLE = """
const $shared = (() => {
async function unused() {}
const b = 1; // "kept"

return { unused, b };
})();
const $judging_queue = (() => {

const shared = $shared;


const a = shared.b + 1;

return { a };
})();
const $judging_judge = (() => {
const { a } = $judging_queue;
const { b, b: c } = $shared;
show(a + b + c);

return {  };
})();
//# sourceMappingURL=judge.bundle.js.map
"""


def test_a_bundle_is_one_function_for_each_module(folder: str) -> None:
    found = bundle(folder, "judging/judge.bundle.js")
    assert found is not None
    assert found[0].strip() == BUNDLE.strip()


def test_the_source_map_leads_from_each_line_to_its_file(folder: str) -> None:
    script, found = bundle(folder, "judging/judge.bundle.js"), bundle(folder, "judging/judge.bundle.js.map")
    assert script is not None
    assert found is not None
    lines = script[0].splitlines()
    for section in json.loads(found[0])["sections"]:
        [source] = section["map"]["sources"]
        written = Path(folder, "judging", source).resolve().read_text().split("\n")
        first = section["offset"]["line"]
        assert section["map"]["mappings"].count(";") + 1 == len(written)
        for line, text in enumerate(written):
            assert _significant(text)[-8:] in (_significant(lines[first + line])[-8:], "")


def _significant(line: str) -> str:
    """A line but for what a bundle changes: comments, imports, and the word `export`."""
    return "" if re.match(r"/\*|//|import|const (\{|shared)", line) else line.removeprefix("export ")


def test_sheets_come_in_the_place_of_their_imports(folder: str) -> None:
    assert bundle(folder, "judging/page.bundle.css") == (
        ":root { --x: 1px; }\n\n\na { color: red; }\n",
        "text/css",
    )


@pytest.mark.parametrize(
    "name", ["missing.bundle.js", "../shared.bundle.js", "a\0.bundle.js", "shared.js", "judging.bundle.js"]
)
def test_there_is_no_bundle_of_what_is_no_file(folder: str, name: str) -> None:
    assert bundle(f"{folder}/judging", name) is None


def test_every_import_of_our_scripts_is_of_a_form_that_bundles_know() -> None:
    for path in STATIC.rglob("*.js"):
        if path.parent.name == "vendor":
            continue
        text = path.read_text()
        name = str(path.relative_to(STATIC))
        script = bundle(str(STATIC), name.replace(".js", ".bundle.js"))
        assert script is not None
        assert not re.search(r"^\s*(import|export)\b", script[0], re.MULTILINE), name
        assert all(line.count("`") % 2 == 0 for line in text.splitlines() if "//" not in line), name


def test_a_bundle_is_kept_for_good_by_its_edition(app: Flask) -> None:
    client = app.test_client()
    with client.get(f"/static/{app.config['EDITION']}/judging/judge.bundle.js") as script:
        assert says(script.headers["Cache-Control"])
        assert script.mimetype == "text/javascript"
    with client.get("/static/0123456789ab/judging/judge.bundle.js") as earlier:
        assert (earlier.headers["Cache-Control"], earlier.data) == ("no-cache", script.data)
