"""Interleaved lists of two runs, and which run the users of such lists prefer."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Annotated, Literal, NamedTuple
from zlib import crc32

import numpy as np

from workbench.core.errors import CampaignError
from workbench.core.impressions import Impression, InterleavedList
from workbench.core.ranking import order_run
from workbench.core.results import FLAT, Column
from workbench.core.seed import SEED
from workbench.methods.online.units import Unit, Units, refuse, units_of
from workbench.methods.statistics.intervals import Interval, t_interval
from workbench.methods.statistics.paired import holm_of_tested, paired_t, sign_test

if TYPE_CHECKING:
    from workbench.formats.runs import RunFile

FEWEST = 10
"""With fewer units there is no interval and no t-test (`benchmarks/users.py`); the sign test is exact."""
Team = Literal[0, 1] | None
"""The ranking that a document counts for."""


class Preference(NamedTuple):
    """Which of two runs the users of interleaved lists prefer.

    A list prefers the run that more of the clicked documents count for; the score of a unit is the mean over its lists
    with clicks of 1 (one), 0 (tie) and -1 (other).

    Attributes:
        one, other: the runs.
        lists: how many lists had clicks.
        unclicked: how many had none; they do not count.
        for_one, tied, for_other: what the lists with clicks preferred.
        units: how many users, sessions or topics these are of.
        preference: the mean score of units; above 0 for the first run.
        interval: of 95 % (Student's t); None with fewer than 10 units, or where all have the same score.
        p: of the t-test of the scores; None likewise.
        p_holm: corrected for all pairs of runs.
        p_sign: of the sign test: how many units are for one, and how many for the other; ties are left out.
    """

    one: str
    other: str
    lists: Annotated[int, Column("Clicked lists")]
    unclicked: int
    for_one: int
    tied: int
    for_other: int
    units: int
    preference: Annotated[float | None, Column(kind="signed")]
    interval: Annotated[Interval | None, FLAT]
    p: Annotated[float | None, Column("p", kind="p")]
    p_holm: Annotated[float | None, Column("p (Holm)", kind="p")]
    p_sign: Annotated[float | None, Column("p (sign)", kind="p")]


class Preferences(NamedTuple):
    """The outcomes of all pairs of runs; `unit` is what the sample is."""

    unit: Unit
    preferences: tuple[Preference, ...]


def team_draft(
    one: Sequence[str], other: Sequence[str], *, depth: int, rng: np.random.Generator
) -> dict[str, Team]:
    """At most `depth` documents of two rankings, by rank, with their teams.

    In each round a coin says which one picks first; each picks its first document that is not in the list. Where both
    would pick the same one, it is added for neither and ends the round: only the coin would say whose it is. So the
    pairs of a topic are always the same, the coins order each of them, and every rank is equally likely one's or the
    other's. The list ends where one ranking has no more documents.

    Source: F. Radlinski, M. Kurup, T. Joachims, CIKM 2008; there a shared document is that of the first to pick.
    """
    taken: dict[str, Team] = {}
    places = [0, 0]
    while len(taken) < depth:
        for team, ranking in enumerate((one, other)):
            while places[team] < len(ranking) and ranking[places[team]] in taken:
                places[team] += 1
        if places[0] == len(one) or places[1] == len(other):
            break
        ours, theirs = one[places[0]], other[places[1]]
        if ours == theirs:
            taken[ours] = None
        elif rng.integers(2):
            taken[theirs], taken[ours] = 1, 0
        else:
            taken[ours], taken[theirs] = 0, 1
    return dict(islice(taken.items(), depth))


def interleaved_lists(
    one: RunFile, other: RunFile, *, depth: int = 10, lists: int = 1, seed: int = SEED
) -> Iterator[InterleavedList]:
    """So many lists for each topic that both runs have, in the order of the topics' ids.

    CampaignError: both have the same tag, or no topic in common.
    """
    if one.tag == other.tag:
        raise CampaignError(f"both runs are called {one.tag!r}; change the tag in one of the files")
    rankings = [
        dict(order_run(run.frame).group_by("topic_id", maintain_order=True).agg("document_id").iter_rows())
        for run in (one, other)
    ]
    if not rankings[0].keys() & rankings[1].keys():
        raise CampaignError(
            f"{one.file} and {other.file} have no topic in common; name runs of the same topics"
        )
    yield from drafted_lists((one.tag, other.tag), rankings, depth=depth, lists=lists, seed=seed)


def drafted_lists(
    tags: tuple[str, str],
    rankings: Sequence[Mapping[str, Sequence[str]]],
    *,
    depth: int = 10,
    lists: int = 1,
    seed: int = SEED,
) -> Iterator[InterleavedList]:
    """The same of two rankings of documents by topic."""
    for topic_id in sorted(rankings[0].keys() & rankings[1].keys()):
        for number in range(1, lists + 1):
            rng = np.random.default_rng([seed, crc32(topic_id.encode()), number])
            drafted = team_draft(rankings[0][topic_id], rankings[1][topic_id], depth=depth, rng=rng)
            teams = tuple("" if team is None else tags[team] for team in drafted.values())
            list_id = f"{tags[0]}:{tags[1]}:{topic_id}:{number}"
            yield InterleavedList(list_id, topic_id, tags, seed, tuple(drafted), teams)


def preferences(
    made: Sequence[InterleavedList], seen: Sequence[Impression], by: Unit | None = None
) -> Preferences:
    """Which run is preferred, of each pair that was interleaved.

    The sample is users, else sessions; topics, where a list was shown to several of them, since its coins then count
    once.

    Raises InputError for a list without its record, or another than it says, a click on what is not in it, and, where
    it is asked for another sample than topics, a list that several units saw; CampaignError for two records of a list.
    """
    records = _records(made, seen)
    whole = [each._replace(topic_id=record.topic_id) for each, record in zip(seen, records, strict=True)]
    units = units_of(whole, by)
    if units.of != "topic" and (shared := _shared(whole, units)):
        if by is not None:
            refuse(shared)
        units = units_of(whole, "topic")
    pairs: dict[tuple[str, str], list[tuple[str, int | None]]] = {}
    for each, record, unit in zip(seen, records, units.ids, strict=True):
        one, other = record.runs
        pair = (other, one) if (other, one) in pairs else (one, other)
        clicked = set(each.clicked)
        places = [place for place, document in enumerate(record.documents) if document in clicked]
        score = outcome(record.teams, pair, places) if clicked else None
        pairs.setdefault(pair, []).append((unit, score))
    found = [_preference(pair, scores) for pair, scores in pairs.items()]
    corrected = holm_of_tested(each.p for each in found)
    return Preferences(
        units.of, tuple(each._replace(p_holm=p) for each, p in zip(found, corrected, strict=True))
    )


def outcome(teams: Sequence[str], runs: tuple[str, str], clicked: Collection[int]) -> int:
    """1 where more of the clicked documents are those of the first run, -1 of the second, 0 for as many.

    `clicked` are places in the list, from 0; several clicks on a document count once.
    """
    counts = [sum(teams[place] == run for place in set(clicked)) for run in runs]
    return (counts[0] > counts[1]) - (counts[0] < counts[1])


def _records(made: Sequence[InterleavedList], seen: Sequence[Impression]) -> list[InterleavedList]:
    """The record of each list that was seen."""
    known: dict[str, InterleavedList] = {}
    for record in made:
        if known.setdefault(record.list_id, record) != record:
            message = f"list {record.list_id!r} has two records; name the file of that which was shown"
            raise CampaignError(message)
    refuse((each, _wrong(each, known.get(each.list_id))) for each in seen)
    return [known[each.list_id] for each in seen]


def _wrong(seen: Impression, record: InterleavedList | None) -> str:
    """What is wrong with an impression, by the record of its list; "" for nothing."""
    if not seen.list_id:
        return "list_id is missing; write that of the interleaved list"
    if record is None:
        return f"no record says which run each document of list {seen.list_id!r} counts for; name its file (--lists)"
    if seen.topic_id and seen.topic_id != record.topic_id:
        return f"list {seen.list_id!r} is of topic {record.topic_id!r}, not {seen.topic_id!r}; correct one of both"
    if seen.shown != record.documents[: len(seen.shown)]:
        return f"shown is not as the record of list {seen.list_id!r} has it; write its documents, by rank"
    if unseen := next((each for each in seen.clicked if each not in record.documents), ""):
        return f"clicked has {unseen!r}, which is not in list {seen.list_id!r}; take the click out"
    return ""


def _shared(seen: Sequence[Impression], units: Units) -> list[tuple[Impression, str]]:
    """The first list that several units saw, with what is wrong with it; nothing where there is none."""
    first: dict[str, tuple[str, Impression]] = {}
    for each, unit in zip(seen, units.ids, strict=True):
        other, before = first.setdefault(each.list_id, (unit, each))
        if other != unit:
            message = (
                f"list {each.list_id!r} was shown to {units.of} {other!r} at {before.file}:{before.line}, too, so "
                f"{units.of}s are no sample of its coins; take topics as the sample (--by topic)"
            )
            return [(each, message)]
    return []


def _preference(pair: tuple[str, str], found: Sequence[tuple[str, int | None]]) -> Preference:
    """The preference by the unit and the score of each list, None for one without clicks."""
    by_unit = defaultdict[str, list[int]](list)
    for unit, score in found:
        if score is not None:
            by_unit[unit].append(score)
    scores = [score for of in by_unit.values() for score in of]
    means = [sum(of) / len(of) for of in by_unit.values()]
    enough = len(means) >= FEWEST
    return Preference(
        *pair,
        lists=len(scores),
        unclicked=len(found) - len(scores),
        for_one=scores.count(1),
        tied=scores.count(0),
        for_other=scores.count(-1),
        units=len(means),
        preference=sum(means) / len(means) if means else None,
        interval=t_interval(means, lowest=-1, highest=1) if enough else None,
        p=paired_t(means).p_value if enough else None,
        p_holm=None,
        p_sign=sign_test(means).p_value if means else None,
    )
