"""What a script imports is found in the files themselves."""

from __future__ import annotations

from pathlib import Path

from workbench.web.requests.static_files import modules


def test_all_that_a_script_imports_is_found_once_and_in_order(tmp_path: Path) -> None:
    (tmp_path / "judging").mkdir()
    for name, text in {
        "judging/judge.js": 'import { a } from "./queue.js";\nimport { b } from "../shared.js";\n',
        "judging/queue.js": 'import { b } from "../shared.js";\nimport { c } from "./judge.js";\n',
        "shared.js": 'import { d } from "./last.js";\n',
        "last.js": "export const d = 1;\n",
    }.items():
        (tmp_path / name).write_text(text)
    assert modules(str(tmp_path), "judging/judge.js") == ("judging/queue.js", "shared.js", "last.js")
    assert modules(str(tmp_path), "last.js") == ()
