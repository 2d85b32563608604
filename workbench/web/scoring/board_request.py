"""What an address asks of the leaderboard: measures, runs, topics, the moment of the log, and what is shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from flask import abort, g, request

from workbench.campaign.rounds import part_named
from workbench.core.about import ANSWERS, CITATIONS, DOCUMENTS, NUGGETS
from workbench.core.errors import CampaignError, NotThere, UnknownName
from workbench.methods.measures import MEASURES, BoundMeasure, Measure, parse_measure
from workbench.methods.measures.question_rankings import QUESTIONS
from workbench.scoring.board.labelling import kind_of
from workbench.scoring.board.table import usual_of
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection.rounds import ALL, OfRound, seen_by
from workbench.storage.campaign.log.as_of import AsOf
from workbench.web.requests.form_values import ROUND, found_as_of, natural_number
from workbench.web.scoring.board_view import USUAL_CUTOFF, Row

SHOWN = {
    DOCUMENTS: ("nDCG@10", "AP", "P@10"),
    CITATIONS: (
        "weighted_precision",
        "weighted_recall_first",
        "weighted_recall_maximum",
        "contradicted_share",
    ),
    ANSWERS: ("answer_score",),
    NUGGETS: ("strict_vital_score", "vital_score", "strict_all_score", "all_score"),
}
SHOWN[QUESTIONS] = SHOWN[DOCUMENTS]
"""What the board shows by default, by what its measures look at."""
SHOWN_MEASURES = SHOWN[DOCUMENTS]


class Choice(NamedTuple):
    """A measure in the menu; those that are neither `usual` nor chosen are folded away."""

    name: str
    summary: str
    chosen: bool
    usual: bool


def choices(chosen: Sequence[str], kind: str = DOCUMENTS, *, asked: bool = False) -> list[Choice]:
    """The menu: the usual measures, then the others of the registry, then what else was chosen; `asked` as there."""
    offered, usual = _menu(tuple(MEASURES.values()), kind, asked)
    summaries = {**offered, **{name: parse_measure(name).measure.summary for name in chosen}}
    return [
        Choice(name, summary, name in chosen, name in usual or name in chosen)
        for name, summary in summaries.items()
    ]


def measure_of_a_run() -> tuple[str, str, tuple[str, ...]]:
    """The measure that pages about one run show, by `?m=`; what was asked for and is none; and the menu."""
    kind = kind_of(g.campaign)
    menu = usual_of(kind) if kind == DOCUMENTS else (*SHOWN[kind], *usual_of(kind))
    found, wrong = known([request.args.get("m", "").strip()[:LONGEST_SEARCH] or menu[0]], kind)
    return (found or menu)[0], "".join(wrong), tuple(dict.fromkeys(menu))


@lru_cache(maxsize=2 * len(SHOWN))
def _menu(entries: tuple[Measure, ...], kind: str, asked: bool) -> tuple[Mapping[str, str], frozenset[str]]:
    """What every board offers: summaries of measures by name, and the usual ones; again only if measures were added."""
    usual = [parse_measure(name) for name in (*SHOWN[kind], *usual_of(kind))]
    families = {measure.name for measure in usual}
    others = [_usual(each) for each in entries if is_offered(each, kind, asked) and each.name not in families]
    summaries = {str(measure): measure.measure.summary for measure in [*usual, *others]}
    return summaries, frozenset(map(str, usual))


def known(
    names: Sequence[str], kind: str = DOCUMENTS, *, sampled: bool = False, asked: Sequence[str] = ()
) -> tuple[list[str], list[str]]:
    """Those that can score such units, and others; `sampled` by a sample, `asked` beside the question seen."""
    fitting: list[str] = []
    wrong: list[str] = []
    for name in names:
        try:
            measure = parse_measure(name)
            named = dict(measure.values).get("question") in (None, *asked)
            fits = named and measure.measure.fits(kind, sampled=sampled, asked=bool(asked))
        except UnknownName:
            fits = False
        (fitting if fits else wrong).append(name)
    return fitting, wrong


def is_offered(entry: Measure, kind: str = DOCUMENTS, asked: bool = False) -> bool:
    """Whether the menu has it: it needs no judgments of subtopics, and no parameter but a cutoff must be given."""
    needed = {parameter.name for parameter in entry.parameters if parameter.required}
    return entry.fits(kind, asked=asked) and needed <= {"cutoff"}


def _usual(entry: Measure) -> BoundMeasure:
    needs_cutoff = any(parameter.required for parameter in entry.parameters)
    return parse_measure(f"{entry.name}@{USUAL_CUTOFF}" if needs_cutoff else entry.name)


MOST_MEASURES = 20
BY_TEAM = "team"
FINISHED = "finished"
EVERY = "all"
FIRST_ROWS = 50
"""Rows that the leaderboard's page comes with: its script draws all of them as soon as it runs."""

LONGEST_SEARCH = 200
MOST_TICKED = 500


class BoardRequest(NamedTuple):
    """What an address asks for: measures, whether one run for each team, and which row of the log (None for now).

    `only_finished` is whether scores are over the topics judged to the end alone, `part` the round whose runs are
    scored, `wrong` what was given as a row and is none.
    """

    names: tuple[str, ...]
    by_team: bool
    as_of: int | None
    only_finished: bool
    wrong: str
    said: str = ""
    part: OfRound | None = None

    @property
    def campaign(self) -> Campaign:
        """This request's campaign as of the row, or as of the end of a round that is over, by the round."""
        return seen_by(g.campaign.at(self.as_of), self.part)

    @property
    def row(self) -> int | None:
        """The row of the log that is scored."""
        return self.campaign.as_of

    @property
    def takes_out(self) -> bool:
        """Whether labels of what was judged before the round do not count."""
        return self.part is not None and self.part.judged != ALL


class Shown(NamedTuple):
    """Which of a board's rows are shown: those with all words of `text` in run or team, of one team, or the ticked
    ones alone. The others keep their places. The page itself has the first of them, unless `every` is asked for.
    """

    text: str = ""
    team: str = ""
    ticked: tuple[str, ...] = ()
    only_ticked: bool = False
    every: bool = False

    def keeps(self, run: str, team: str) -> bool:
        """Whether the row of a run is shown."""
        words, names = self.text.casefold().split(), f"{run} {team}".casefold()
        if self.only_ticked and run not in self.ticked:
            return False
        return (not self.team or team == self.team) and all(word in names for word in words)

    def of(self, rows: Sequence[Row]) -> list[tuple[int, Row]]:
        """The rows of a sorted board that are shown, each with its place on the whole board."""
        return [(place, row) for place, row in enumerate(rows, 1) if self.keeps(row.run, row.team)]


def read_shown() -> Shown:
    """What `?q=`, `team`, `run`, `only` and `rows` of this request's address leave."""
    return Shown(
        request.args.get("q", "").strip()[:LONGEST_SEARCH],
        request.args.get("team", "")[:LONGEST_SEARCH],
        tuple(dict.fromkeys(request.args.getlist("run")))[:MOST_TICKED],
        bool(request.args.get("only")),
        request.args.get("rows") == EVERY,
    )


def read_request() -> BoardRequest:
    """What the address of this request asks for; 404 for a round that is not there."""
    names = [name.strip() for name in request.args.getlist("m") if name.strip()][:MOST_MEASURES]
    by_team = request.args.get("by") == BY_TEAM
    found, wrong = _read_row(request.args.get("as-of", "").strip())
    as_of = None if found is None else found.seq
    try:
        part = part_named(g.campaign.at(as_of), request.args.get(ROUND))
    except (NotThere, UnknownName):
        abort(404)
    if part is not None and as_of is not None:
        try:
            part.row(as_of)
        except CampaignError as error:
            found, as_of, wrong = None, None, str(error)
    return BoardRequest(
        names=tuple(names or SHOWN[kind_of(g.campaign.of(part))]),
        by_team=by_team,
        as_of=as_of,
        only_finished=request.args.get("topics") == FINISHED,
        wrong=wrong,
        said="" if found is None else str(found),
        part=part,
    )


def _read_row(text: str) -> tuple[AsOf | None, str]:
    """The row of the log that a text names, None for now; and what is wrong with it, "" where nothing is."""
    try:
        # A row that the log has not reached yet is the present: an open page may be ahead of a restored backup.
        row = natural_number(text)
        found = found_as_of(text) if row is None else AsOf(row)
    except (CampaignError, UnknownName) as error:
        return None, str(error)
    return found, ""


def kept(query: BoardRequest, shown: Shown) -> dict[str, Any]:
    """What a link to another order of the same board says besides the measures; None is left out of addresses."""
    return {
        ROUND: request.args.get(ROUND) or None,
        "by": BY_TEAM if query.by_team else None,
        "topics": FINISHED if query.only_finished else None,
        "as-of": query.as_of,
        "intervals": "yes" if request.args.get("intervals") else None,
        "q": shown.text or None,
        "team": shown.team or None,
        "run": list(shown.ticked) or None,
        "only": "yes" if shown.only_ticked else None,
        "rows": EVERY if shown.every else None,
    }
