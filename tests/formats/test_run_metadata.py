"""The description above a run is read as ir_metadata writes it, and what is no such description is passed over."""

from __future__ import annotations

import pytest

from workbench.formats import run_metadata as module
from workbench.formats.run_metadata import LONGEST, run_metadata


@pytest.mark.parametrize(
    "header",
    [
        "",
        "# a comment",
        "# ir_metadata.start\n# method: x",
        "# ir_metadata.end\n# method: x\n# ir_metadata.start",
        "# ir_metadata.start\n# method: [x\n# ir_metadata.end",
        "# ir_metadata.start\n# - a\n# b: c\n# ir_metadata.end",
        "# ir_metadata.start\n# " + "[" * 20_000 + "\n# ir_metadata.end",
        "# ir_metadata.start\n# a: " + "x" * LONGEST + "\n# ir_metadata.end",
        "# ir_metadata.start\n# a: !!python/object/apply:os.system ['true']\n# b\n# ir_metadata.end",
    ],
)
def test_what_cannot_be_read_is_no_description(header: str) -> None:
    assert run_metadata(header).values == {}


def test_an_anchor_that_multiplies_itself_takes_no_time() -> None:
    levels = "".join(f"# l{n}: &l{n} [*l{n - 1}, *l{n - 1}, *l{n - 1}]\n" for n in range(1, 60))
    header = f"# ir_metadata.start\n# l0: &l0 [x]\n{levels}# ir_metadata.end"
    assert run_metadata(header).values == {}


def test_aliases_that_stand_for_millions_of_values_are_passed_over() -> None:
    many = ", ".join(f"k{number}: *a" for number in range(300))
    lines = ["a: &a {x: v}", f"b: &b {{{many}}}", f"c: {{{many.replace('*a', '*b')}}}"]
    header = "\n".join(["# ir_metadata.start", *(f"# {line}" for line in lines), "# ir_metadata.end"])
    assert run_metadata(header).values == {}
    assert run_metadata(header.replace("&a ", "").replace("*a", "v").replace("*b", "v")).values != {}


def test_what_is_nested_too_deeply_is_passed_over() -> None:
    header = "# ir_metadata.start\n# a: {}\n# ir_metadata.end"
    assert run_metadata(header.format("[x]")).values == {"a": "x"}
    for brackets in ("[" * 9000, "{b: " * 9000, "[" * 501 + "x" + "]" * 501):
        assert run_metadata(header.format(brackets)).values == {}


@pytest.mark.parametrize(
    ("limit", "most", "inside"), [("LONGEST", 16, "# a: 4567890x"), ("DEEPEST", 2, "# a:\n#   b: c")]
)
def test_a_description_is_as_long_and_deep_as_its_limits_and_no_more(
    limit: str, most: int, inside: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    header = f"# ir_metadata.start\n{inside}\n# d: e\n# ir_metadata.end"
    monkeypatch.setattr(module, limit, most)
    found = run_metadata(header).values
    assert found["d"] == "e"
    monkeypatch.setattr(module, limit, most - 1)
    fewer = run_metadata(header).values
    # What is too long is not read at all; of what is too deep the rest is.
    assert fewer == ({"d": "e"} if limit == "DEEPEST" else {})
    assert (limit != "DEEPEST") or found["a.b"] == "c"


def test_aliases_are_no_description_and_empty_values_are_none() -> None:
    assert run_metadata("# ir_metadata.start\n# a: &x b\n# c: *x\n# ir_metadata.end").values == {}
    assert run_metadata(
        "# ir_metadata.start\n# a:\n# b: ''\n# c: ['', d, '', e]\n# f: []\n# ir_metadata.end"
    ).values == {"c": "d; e"}
