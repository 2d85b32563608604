"""The description of a run in the comments above it, as ir_metadata writes it.

Between the comment lines `ir_metadata.start` and `ir_metadata.end` stands YAML: sections such as `method` and
`implementation` with values below them. Source: Breuer, Keller and Schaer, "ir_metadata: An Extensible Metadata Schema
for IR Experiments", SIGIR 2022. What cannot be read as such is no reason to refuse a run.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

START, END = "ir_metadata.start", "ir_metadata.end"
LONGEST = 100_000
"""Characters of YAML that are read; longer descriptions are passed over."""

MOST_BRACKETS = 500
"""YAML's reader takes a time that grows with the square of the brackets that are open."""

DEEPEST = 20

NOTHING: Mapping[str, str] = MappingProxyType({})


def run_metadata(header: str) -> Mapping[str, str]:
    """The values in the comment lines of a run by their paths, such as `method.automatic`; those of a list in one text.

    >>> dict(run_metadata("# ir_metadata.start\\n# method:\\n#   automatic: true\\n# ir_metadata.end"))
    {'method.automatic': 'true'}
    """
    import yaml  # type: ignore[import-untyped]

    lines = [line.lstrip().removeprefix("#") for line in header.split("\n")]
    words = [line.strip() for line in lines]
    if START not in words or END not in words[words.index(START) :]:
        return NOTHING
    first = words.index(START)
    inside = lines[first + 1 : words.index(END, first)]
    # Most write a blank after '#', which YAML would take for a deeper level if one line lacks it.
    has_margin = all(line.startswith(" ") for line in inside if line.strip())
    text = "\n".join(line[1:] if has_margin else line for line in inside)
    if len(text) > LONGEST or text.count("[") + text.count("{") > MOST_BRACKETS:
        return NOTHING
    try:
        # A few lines of aliases to aliases stand for more values than any memory holds.
        if any(isinstance(event, yaml.AliasEvent) for event in yaml.parse(text, Loader=yaml.BaseLoader)):
            return NOTHING
        # BaseLoader makes nothing but texts, lists and mappings.
        found = yaml.load(text, Loader=yaml.BaseLoader)  # noqa: S506  # nosec B506
    except (yaml.YAMLError, RecursionError, ValueError):
        return NOTHING
    return dict(_values(found, ""))


def _values(found: object, path: str, depth: int = 0) -> Iterator[tuple[str, str]]:
    if isinstance(found, Mapping) and depth < DEEPEST:
        for name, value in found.items():
            yield from _values(value, f"{path}.{name}" if path else str(name), depth + 1)
    elif isinstance(found, list):
        if texts := [each for each in found if isinstance(each, str) and each]:
            yield path, "; ".join(texts)
    elif isinstance(found, str) and found:
        yield path, found
