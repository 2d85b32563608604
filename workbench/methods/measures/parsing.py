"""Names of measures as people write them: `nDCG@10`, `P(rel=2)@5`, and the reference program's `ndcg_cut.10`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from types import NoneType
from typing import NamedTuple, NoReturn

from workbench.core import plugins
from workbench.core.errors import UnknownName
from workbench.core.wording import did_you_mean
from workbench.methods.measures.gains import Gains
from workbench.methods.measures.parameters import Levels, Value
from workbench.methods.measures.reference_names import NICKNAMES, REFUSED, TEXTS, TrecEvalName
from workbench.methods.measures.registry import MEASURES, BoundMeasure, Measure, bind

_WRITTEN = re.compile(r"(?P<name>[^\W\d_]\w*)(?:\((?P<inside>.*)\))?(?:@(?P<cutoff>[^@()]*))?")
_PIECE = re.compile(r"(?:\{[^}]*\}|'[^']*'|\"[^\"]*\"|[^,])+")
_NUMBERED = r"(?P<head>[^\W\d].*?)[._-]?(?:at)?[._-]?(?P<cutoff>\d+)"
LONGEST = 1_000
"""Longer texts are no names; to look for the nearest name costs the square of their length."""

NO_DEFAULTS: Mapping[str, Value] = {}
KEPT_NAMES = 1_000
"""This many names, each with its defaults, are kept with what they mean."""
_KINDS = frozenset((int, float, bool, str, Gains, Levels, NoneType))
"""What defaults are made of; with others, which no measure takes as they are, a name is read at each call."""

IN_IR_MEASURES = {"dcg='log2'": "gains=linear", "dcg='exp-log2'": "gains=exp"}
"""Parameters that ir-measures writes otherwise than they are written here."""
RENAMED_BY = {("NumRet", "rel"): "NumRelRet"}
"""Measures that become others here with a parameter that ir-measures gives them: NumRet(rel=1) is NumRelRet."""

OTHER_NAMES = {
    "prec": "P",
    "averageprecision": "AP",
    "meanaverageprecision": "AP",
    "reciprocalrank": "RR",
    "meanreciprocalrank": "RR",
    "rprecision": "Rprec",
    "hit": "Success",
    "hits": "Success",
    "hitrate": "Success",
    "f": "SetF",
    "fmeasure": "SetF",
    "rocauc": "AUC",
    "cumulativegain": "CG",
}
"""Further names in use, as lower-case letters alone: not understood, but suggested."""


class Named(NamedTuple):
    """A measure and the name it goes by: that of the reference program where it was asked for in its notation."""

    name: str
    measure: BoundMeasure


class _Written(NamedTuple):
    """An entry of the registry with the values that were written, and the name it was called by, if that is kept."""

    entry: Measure
    given: Mapping[str, Value]
    name: str | None = None


def sources(measures: Iterable[BoundMeasure]) -> dict[str, str]:
    """The plugins, with their versions, of those of the measures that plugins added, by the measures' names."""
    return {str(each): str(plugin) for each in measures if (plugin := MEASURES.plugin_of(each.name))}


def parse_measure(text: str, *, defaults: Mapping[str, Value] = NO_DEFAULTS) -> BoundMeasure:
    """The one measure that `text` names, in either notation: `nDCG@10`, `AP(rel=2)`, `ndcg_cut.10`, `ndcg_cut_10` ...

    `defaults` are for parameters that `text` does not settle, where the measure has them: `{"rel": 2}`. UnknownName
    where there is no such measure (the message lists the nearest), or its parameters do not fit.
    """
    found = parse_measures(text, defaults=defaults)
    if len(found) > 1:
        names = ", ".join(str(each) for each in found[:3])
        raise UnknownName(f"{text!r} names {len(found)} measures ({names} ...); name one of them")
    return found[0]


def parse_measures(text: str, *, defaults: Mapping[str, Value] = NO_DEFAULTS) -> list[BoundMeasure]:
    """The measures that `text` names: several for `P.5,10`, and for a bare family such as `ndcg_cut`.

    Arguments and errors are those of `parse_measure`.
    """
    return [each.measure for each in parse_named(text, defaults=defaults)]


def parse_named(text: str, *, defaults: Mapping[str, Value] = NO_DEFAULTS) -> list[Named]:
    """The measures that `text` names, with the names under which they are printed.

    Arguments and errors are those of `parse_measure`.
    """
    # True, 1 and 1.0 are equal and not the same default.
    settled = tuple((name, type(value), value) for name, value in defaults.items())
    is_plain = all(kind in _KINDS for _, kind, _ in settled)
    return list((_parsed if is_plain else _parsed.__wrapped__)(text.strip(), settled))


@lru_cache(maxsize=KEPT_NAMES)
def _parsed(text: str, settled: tuple[tuple[str, type, Value], ...]) -> tuple[Named, ...]:
    """What `parse_named` gives, for defaults with their types; errors are not kept."""
    if len(text) > LONGEST:
        message = f"{text[:40]!r}... is not a measure: a name has at most {LONGEST:,} characters with its parameters"
        raise UnknownName(message)
    defaults = {name: value for name, _, value in settled}
    try:
        chosen = _chosen(text) or (_chosen(text) if plugins.load() else [])
        return tuple(_named(written, defaults) for written in chosen) or _unknown(text)
    except ValueError as reason:
        raise UnknownName(f"{text}: {reason}") from None


def _chosen(text: str) -> list[_Written]:
    found = _as_written(text)
    return list(_of_the_reference(text)) if found is None else [found]


def _as_written(text: str) -> _Written | None:
    """The measure in our own notation; None when it is no name of ours, or the bare name of a whole family."""
    parts = _WRITTEN.fullmatch(text)
    entry = parts and _names().ours.get(parts["name"])
    if parts is None or entry is None:
        return None
    inside = parts["inside"] or ""
    written = {(entry.name, part.partition("=")[0].strip()) for part in _PIECE.findall(inside)}
    entry = next((MEASURES[name] for pair, name in RENAMED_BY.items() if pair in written), entry)
    given = _inside(entry, inside)
    if parts["cutoff"] is not None:
        _put(given, entry, entry.after_at or "cutoff", parts["cutoff"])
    is_family = text in _names().reference and any(p.required for p in entry.parameters)
    return None if is_family else _Written(entry, given)


class _Names(NamedTuple):
    """The registry's entries by the names of ours, and by the families of the reference program."""

    ours: dict[str, Measure]
    reference: dict[str, tuple[Measure, TrecEvalName]]


def _names() -> _Names:
    # Not listed: plugins are loaded where none of these is meant.
    return _names_of(tuple(MEASURES.data.values()))


@lru_cache(maxsize=1)
def _names_of(entries: tuple[Measure, ...]) -> _Names:
    """Made again only when a measure was added to the registry."""
    return _Names(
        {name: entry for entry in entries for name in (entry.name, *entry.aliases)},
        {name.family: (entry, name) for entry in entries for name in entry.trec_eval},
    )


def _inside(entry: Measure, text: str) -> dict[str, Value]:
    given: dict[str, Value] = {}
    for part in filter(None, (part.strip() for part in _PIECE.findall(text))):
        part = IN_IR_MEASURES.get(part.replace('"', "'"), part)
        name, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals:
            raise ValueError(f"{part!r} is not a parameter; write name=value, as in AP(rel=2)")
        _put(given, entry, name, value)
    return given


def _put(given: dict[str, Value], entry: Measure, name: str, text: str) -> None:
    if name in given:
        raise ValueError(f"{name} is given twice")
    given[name] = _read(entry, name, text)


def _read(entry: Measure, name: str, text: str) -> Value:
    parameter = entry.parameter(name)
    return text if parameter is None else parameter.read(text)


def _of_the_reference(text: str) -> Iterator[_Written]:
    if text in REFUSED:
        raise ValueError(REFUSED[text])
    if text in NICKNAMES:
        for family in NICKNAMES[text]:
            if family not in TEXTS:
                yield from _of_the_reference(family)
        return
    names = _names().reference
    # Parameters are behind a dot, or behind a line as they are printed.
    after = re.compile(r"\.|_(?:\w=)?[+-]?\.?\d|\Z")
    fitting = [name for name in names if text.startswith(name) and after.match(text, len(name))]
    if not fitting:
        return
    family = max(fitting, key=len)
    entry, name = names[family]
    yield from _all_written(entry, name, text[len(family) + 1 :] if text != family else None)


def _all_written(entry: Measure, name: TrecEvalName, text: str | None) -> Iterator[_Written]:
    """What a name of the reference program means, with the text after its dot or without."""
    if name.parameter is not None:
        parts = text.split(",") if text is not None else ()
        values = [_read_as_reference(entry, name.parameter, part) for part in parts] or name.defaults
        for value in dict.fromkeys(values):
            given = {**name.fixed, name.parameter: value}
            yield _Written(entry, given, name.printed(given))
    elif text is None:
        yield _Written(entry, name.fixed, name.family)
    elif name.reads is not None:
        yield _Written(entry, {**name.fixed, **name.reads(text)}, f"{name.family}_{text}")


def _read_as_reference(entry: Measure, name: str, text: str) -> Value:
    """A value as the reference program reads it: of `23.4` as a cutoff it takes the whole number before the dot."""
    parameter = entry.parameter(name)
    whole = re.fullmatch(r"(\d+)\.\d*", text) if parameter and parameter.kind is int else None
    return _read(entry, name, whole[1] if whole else text)


def _named(written: _Written, defaults: Mapping[str, Value]) -> Named:
    entry = written.entry
    own = {parameter.name for parameter in entry.parameters}
    usual = {name: value for name, value in defaults.items() if name in own}
    bound = bind(entry, {**usual, **written.given})
    return Named(written.name or str(bound), bound)


def _unknown(text: str) -> NoReturn:
    if re.split(r"[@(]", text)[0] in (_names().ours.keys() - {text}):
        order = "first (name=value,...), then @cutoff, as in P(rel=2)@5"
        raise UnknownName(f"{text!r} is not how a measure is written: {order}")
    near = _suggestions(text)
    nearest = f"; {did_you_mean(near)}" if near else ""
    raise UnknownName(f"there is no measure {text!r}{nearest} (all of them: workbench analyse measures)")


def _suggestions(text: str) -> list[str]:
    """What was probably meant, nearest first: a whole measure such as `P@5` for `precision@5`, then bare names."""
    from difflib import get_close_matches

    # Names that differ in case alone: the measure's own is the one to suggest.
    known = {name.lower(): name for name in (*_names().ours, *_names().reference, *NICKNAMES, *MEASURES)}
    bare = re.split(r"[@(.]", text.lower())[0]
    near = [known[name] for name in get_close_matches(bare, known, n=4, cutoff=0.5)]
    own = _by_letters()
    for head, rest in _readings(text):
        meant = own.get(_letters(head))
        # Without an exact name, the nearest one of ours: `nDCG@10` for `ndgc@10`.
        tried = [meant] if meant else [name for name in near if rest and name in MEASURES][:1]
        if found := [name + rest if _is_measure(name + rest) else name for name in tried]:
            return list(dict.fromkeys([*found, *(name for name in near if name not in tried)]))
    return near


def _readings(text: str) -> Iterator[tuple[str, str]]:
    """The ways to read a name and what follows it, with the cutoff after `@`: `ndcg` and `@10` in `ndcg_at_10`."""
    head, sign, rest = re.match(r"([^@(]*)([@(]?)(.*)", text, re.DOTALL).groups()  # type: ignore[union-attr]
    yield head, sign + rest
    if not sign and (numbered := re.fullmatch(_NUMBERED, text)):
        yield numbered["head"], f"@{numbered['cutoff']}"


def _by_letters() -> dict[str, str]:
    """Names of measures by the letters of all that they are called, whatever their case and signs."""
    reference = {family: entry.name for family, (entry, name) in _names().reference.items() if not name.fixed}
    own = {name: entry.name for name, entry in _names().ours.items()}
    return {**OTHER_NAMES, **{_letters(name): meant for name, meant in {**reference, **own}.items()}}


def _letters(text: str) -> str:
    return re.sub(r"[\W_]", "", text.lower())


def _is_measure(text: str) -> bool:
    try:
        found = _as_written(text)
        return found is not None and bool(_named(found, NO_DEFAULTS))
    except ValueError:
        return False
