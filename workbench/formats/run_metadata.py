"""The description of a run in the comments above it, as ir_metadata writes it.

Between the comment lines `ir_metadata.start` and `ir_metadata.end` stands YAML: sections such as `method` and
`implementation` with values below them. Source: Breuer, Keller and Schaer, "ir_metadata: An Extensible Metadata Schema
for IR Experiments", SIGIR 2022. What cannot be read as such is no reason to refuse a run.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

START, END = "ir_metadata.start", "ir_metadata.end"
LONGEST = 100_000
"""Characters of YAML that are read; longer descriptions are passed over."""

DEEPEST = 20
"""Mappings in each other whose values are read; what is nested deeper than Python's stack is not read at all."""


class Metadata(NamedTuple):
    """The values of a description by their paths, such as `method.automatic`, and their lines among the comments.

    `problem` is why a description that is there was not read, with the way out; "" else.
    """

    values: Mapping[str, str] = MappingProxyType({})
    lines: Mapping[str, int] = MappingProxyType({})
    problem: str = ""


def run_metadata(header: str) -> Metadata:
    """What the comment lines of a run say; the values of a list are one text.

    >>> dict(run_metadata("# ir_metadata.start\\n# method:\\n#   automatic: true\\n# ir_metadata.end").values)
    {'method.automatic': 'true'}
    """
    import yaml  # type: ignore[import-untyped]

    lines = [line.lstrip().removeprefix("#") for line in header.split("\n")]
    words = [line.strip() for line in lines]
    if START not in words:
        return Metadata()
    first = words.index(START)
    if END not in words[first:]:
        return Metadata(problem=f"comment line {first + 1}: there is no line {END} below it; add one")
    inside = lines[first + 1 : words.index(END, first)]
    # Most write a blank after '#', which YAML would take for a deeper level if one line lacks it.
    has_margin = all(line.startswith(" ") for line in inside if line.strip())
    text = "\n".join(line[1:] if has_margin else line for line in inside)
    if len(text) > LONGEST:
        return Metadata(problem=f"{len(text):,} characters, {LONGEST:,} are read; leave out series of values")

    class WithoutAliases(yaml.BaseLoader):  # type: ignore[misc]
        """A few lines of aliases to aliases stand for more values than any memory holds."""

        def compose_node(self, parent: Any, index: Any) -> Any:
            if self.check_event(yaml.AliasEvent):
                event = self.peek_event()
                raise yaml.MarkedYAMLError(None, None, f"*{event.anchor} is an alias", event.start_mark)
            return super().compose_node(parent, index)

    try:
        node = yaml.compose(text, Loader=WithoutAliases)
    except RecursionError:
        return Metadata(problem="nested too deeply; write plain names and values")
    except (yaml.YAMLError, ValueError) as error:
        mark = getattr(error, "problem_mark", None)
        line = f"comment line {first + 2 + mark.line}: " if mark else ""
        what = getattr(error, "problem", None) or "not YAML"
        return Metadata(problem=f"{line}{what}; write plain names and values, in quotes if need be")
    found = list(_values(node, ""))
    starts = {path: first + 2 + line for path, _, line in found}
    return Metadata({path: value for path, value, _ in found}, starts)


def _values(node: Any, path: str, depth: int = 0) -> Iterator[tuple[str, str, int]]:
    """Each path with its value and its line, from 0, below the first."""
    if node is None:
        return
    if node.id == "mapping" and depth < DEEPEST:
        for name, value in node.value:
            if name.id == "scalar":
                yield from _values(value, f"{path}.{name.value}" if path else name.value, depth + 1)
    elif node.id == "sequence":
        if texts := [each.value for each in node.value if each.id == "scalar" and each.value]:
            yield path, "; ".join(texts), node.start_mark.line
    elif node.id == "scalar" and node.value:
        yield path, node.value, node.start_mark.line
