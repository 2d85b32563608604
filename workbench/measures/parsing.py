"""Names of measures as people write them: `nDCG@10`, `P(rel=2)@5`, and the reference program's `ndcg_cut.10`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from difflib import get_close_matches

from workbench.errors import UnknownName
from workbench.measures.parameters import Value
from workbench.measures.registry import MEASURES, BoundMeasure, Measure, TrecEvalName, bind

_WRITTEN = re.compile(r"(?P<name>[A-Za-z]\w*)(?:\((?P<inside>.*)\))?(?:@(?P<cutoff>[^@()]*))?")


def parse_measure(text: str, *, rel: int | None = None) -> BoundMeasure:
    """The one measure that `text` names, in either notation.

    Args:
        text: `nDCG@10`, `AP(rel=2)`, `map`, `ndcg_cut.10`, `ndcg_cut_10` ...
        rel: the smallest relevant grade where `text` does not say it and the measure asks for it.

    Raises:
        UnknownName: no such measure (the message lists the nearest), or its parameters do not fit.
    """
    found = parse_measures(text, rel=rel)
    if len(found) > 1:
        names = ", ".join(str(each) for each in found[:3])
        message = f"{text!r} names {len(found)} measures ({names} ...); name one of them"
        raise UnknownName(message)
    return found[0]


def parse_measures(text: str, *, rel: int | None = None) -> list[BoundMeasure]:
    """The measures that `text` names: several for `P.5,10`, and for a bare family such as `ndcg_cut`.

    Arguments and errors are those of `parse_measure`.
    """
    text = text.strip()
    try:
        found = _as_written(text)
        chosen = list(_of_the_reference(text)) if found is None else [found]
        return [_bound(entry, given, rel) for entry, given in chosen] or _unknown(text)
    except ValueError as reason:
        message = f"{text}: {reason}"
        raise UnknownName(message) from None


def _as_written(text: str) -> tuple[Measure, dict[str, Value]] | None:
    """The measure in our own notation; None when it is no name of ours, or the bare name of a whole family."""
    parts = _WRITTEN.fullmatch(text)
    entry = parts and _by_name().get(parts["name"])
    if parts is None or entry is None:
        return None
    given = _inside(entry, parts["inside"] or "")
    if parts["cutoff"] is not None:
        given["cutoff"] = _read(entry, "cutoff", parts["cutoff"])
    is_family = text in _by_trec_eval_name() and any(p.required for p in entry.parameters)
    return None if is_family else (entry, given)


def _by_name() -> dict[str, Measure]:
    return {name: entry for entry in MEASURES.values() for name in (entry.name, *entry.aliases)}


def _by_trec_eval_name() -> dict[str, tuple[Measure, TrecEvalName]]:
    return {name.family: (entry, name) for entry in MEASURES.values() for name in entry.trec_eval}


def _inside(entry: Measure, text: str) -> dict[str, Value]:
    given: dict[str, Value] = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        name, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals:
            message = f"{part!r} is not a parameter; write name=value, as in AP(rel=2)"
            raise ValueError(message)
        given[name] = _read(entry, name, value)
    return given


def _read(entry: Measure, name: str, text: str) -> Value:
    parameter = entry.parameter(name)
    return text if parameter is None else parameter.read(text)


def _of_the_reference(text: str) -> Iterator[tuple[Measure, dict[str, Value]]]:
    for family, (entry, name) in _by_trec_eval_name().items():
        if name.parameter is None:
            if text == family:
                yield entry, {}
        elif text == family:
            yield from ((entry, {name.parameter: value}) for value in name.defaults)
        elif text.startswith((f"{family}.", f"{family}_")):
            for part in text[len(family) + 1 :].split(","):
                yield entry, {name.parameter: _read(entry, name.parameter, part)}


def _bound(entry: Measure, given: Mapping[str, Value], rel: int | None) -> BoundMeasure:
    takes_rel = rel is not None and entry.parameter("rel") is not None
    return bind(entry, {"rel": rel, **given} if takes_rel else given)


def _unknown(text: str) -> list[BoundMeasure]:
    # Names that differ in case alone: the measure's own is the one to suggest.
    known = {name.lower(): name for name in (*_by_name(), *_by_trec_eval_name(), *MEASURES)}
    bare = re.split(r"[@(.]", text.lower())[0]
    near = [known[name] for name in get_close_matches(bare, known, n=4, cutoff=0.5)]
    nearest = f"; nearest: {', '.join(near)}" if near else ""
    message = f"there is no measure {text!r}{nearest} (all of them: workbench measures)"
    raise UnknownName(message)
