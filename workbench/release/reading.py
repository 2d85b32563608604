"""A campaign read from Python: everything that the pages show, as data frames, and nothing is written."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from copy import copy
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args

from workbench.core.errors import UnknownName
from workbench.core.records import Judgment
from workbench.core.results import Column
from workbench.core.seed import SEED
from workbench.core.values import declared
from workbench.formats.tables.frames import check_library, frame_of, short_html, short_text
from workbench.formats.tables.sheets import Sheet, sheet_of
from workbench.storage.campaign import open_campaign
from workbench.storage.instance import campaign_path

Scopes = Literal["campaign", "topic", "pair", "assessor"]

NUMBERS = {field.name for field in declared(Judgment) if int in (field.type, *get_args(field.type))}
"""The columns of judgments that hold whole numbers, whether or not a row has one."""

if TYPE_CHECKING:
    from workbench.analysis.comparing.runs import Comparison
    from workbench.storage.campaign import Campaign as Opened


class Campaign:
    """A campaign as it stands, or as of a row of its log; its tables are frames of polars or pandas.

    >>> import workbench as wb
    >>> with wb.Campaign("robust", library="pandas") as campaign:  # doctest: +SKIP
    ...     campaign.scores(["AP", "nDCG@10"])

    Nothing is written.
    """

    def __init__(
        self, name: str | Path, *, instance: str | Path | None = None, library: str = "polars"
    ) -> None:
        """Open the campaign `name` of an instance folder (else ./instance), or a path, as on the command line.

        Raises:
            NotThere: there is no such campaign.
            NotACampaign: the file is something else.
            UnknownName: `library` is neither "polars" nor "pandas".
            NoSuchLibrary: it is not installed.
        """
        self._library = check_library(library)
        path = name if isinstance(name, Path) else campaign_path(name, Path(instance or "instance"))
        self._opened = open_campaign(path)
        self._opened.refuse_writes()

    def __enter__(self) -> Campaign:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._opened.close()

    def at(self, row: int | None) -> Campaign:
        """The same campaign as of a row of its log, None for now; it is closed with this one."""
        return self._view(self._opened.at(row))

    def of_round(self, name: str) -> Campaign:
        """The same campaign by a round, as of its end ("2", "2-residual", "2-own"), or whole ("all"), as it is opened.

        NotThere for a round that there is not.
        """
        from workbench.campaign.rounds import seen_by_name

        return self._view(seen_by_name(self._opened, name))

    def by_question(self, name: str) -> Campaign:
        """The same campaign by the answers to a question, "" for relevance; UnknownName for one that was not asked."""
        from workbench.storage.campaign.organising import settings

        return self._view(settings.asking(self._opened, name))

    def _view(self, opened: Opened) -> Campaign:
        view = copy(self)
        view._opened = opened
        return view

    @property
    def name(self) -> str:
        """The name by which commands and addresses know it."""
        return self._opened.name

    @property
    def title(self) -> str:
        """Its title."""
        from workbench.storage.campaign.organising import settings

        return settings.read(self._opened).title

    @property
    def head(self) -> int:
        """The newest row of its log; `at` it the digits are the same at any later time."""
        from workbench.storage.campaign.log import log

        return log.head(self._opened).seq

    def runs(self, *, cutoff: int = 10) -> Any:
        """One row for each run: team, what it brought to the pools, the share judged down to `cutoff`."""
        from workbench.analysis.run_profiles import table

        return self._frame(table.as_sheet(table.run_table(self._opened, cutoff=cutoff)))

    def topics(self, measure: str = "AP") -> Any:
        """One row for each topic: pairs pooled, judged and relevant, and how hard it is for the runs by a measure."""
        from workbench.analysis import topic_profiles

        return self._frame(topic_profiles.as_sheet(topic_profiles.topic_table(self._opened, measure)))

    def pools(self) -> Any:
        """One row for each pool: how it was made, and how many pairs it brought."""
        from workbench.storage.campaign.collection import pools

        columns = _columns(
            pool="count",
            strategy="text",
            parameters="text",
            runs="count",
            pairs="count",
            seq="count",
            retired="count",
        )
        rows = []
        for each in pools.all_pools(self._opened):
            parameters = ", ".join(f"{name}={value}" for name, value in each.record.parameters.items())
            made = (each.pool, each.record.strategy, parameters, len(each.record.runs))
            rows.append((*made, each.brought, each.seq, each.retired))
        return self._frame(Sheet(columns, tuple(rows)))

    def pooled(self) -> Any:
        """One row for each pooled pair: topic, document, its pool, its best rank, and how many runs have it."""
        from workbench.storage.campaign.collection import pools

        columns = _columns(topic_id="text", document_id="text", pool="count", best_rank="count", runs="count")
        with self._opened.snapshot():
            rows = tuple(
                (pooled.topic_id, pooled.document_id, pool, pooled.best_rank, pooled.runs)
                for pooled, pool, _ in pools.each_pair(self._opened)
            )
        return self._frame(Sheet(columns, rows))

    def judgments(self) -> Any:
        """The log of judgments row by row, by the names of its columns; a row that a later one replaces too."""
        from workbench.storage.campaign.log import log

        found = log.hashed_judgments(self._opened)
        rows = [judgment._replace(rationales=()) for judgment, _ in found]
        names = [name for name in Judgment._fields if name != "rationales"]
        columns = _columns(**{name: "count" if name in NUMBERS else "text" for name in names})
        return self._frame(Sheet(columns, tuple(tuple(getattr(row, name) for name in names) for row in rows)))

    def qrels(self, *, special: bool = False) -> Any:
        """The label of each judged pair by the campaign's rule; special (negative) grades only if asked for."""
        from workbench.release.export import export_qrels

        columns = _columns(topic_id="text", document_id="text", grade="count")
        found = export_qrels(self._opened, special=special).qrels
        return self._frame(Sheet(columns, tuple(tuple(qrel) for qrel in found)))

    def scores(self, measures: Iterable[str] | None = None) -> Any:
        """The leaderboard: one row for each run with its means, and the share judged of its first documents.

        The best run by the first measure comes first.
        """
        from workbench.scoring.board.table import ordered, score_campaign
        from workbench.scoring.board.table import sheet_of as sheet_of_scores

        names = None if measures is None else _names(measures)
        table = ordered(score_campaign(self._opened, names))
        return self._frame(sheet_of_scores(table, with_teams=True))

    def topic_scores(self, measures: Iterable[str] | None = None) -> Any:
        """One row for each run and judged topic, with the values of the measures."""
        from workbench.release.tables import scores_of, topic_scores_rows

        names = None if measures is None else _names(measures)
        heads, *rows = topic_scores_rows(scores_of(self._opened, names))
        ids = {"run", "team", "topic_id"}
        columns = _columns(**{str(head): "text" if head in ids else "value" for head in heads})
        return self._frame(Sheet(columns, tuple(rows)))

    def agreement(self, by: Scopes = "campaign", *, draws: int = 1000) -> Any:
        """Coefficients of agreement between assessors, one row for each: of the campaign, by "topic", or by "pair" of
        assessors; by "assessor" each one's self-agreement on hidden repeats; UnknownName for another word.
        """
        from workbench.analysis.between_assessors import sheets
        from workbench.analysis.between_assessors.coefficients import agreement

        if by not in get_args(Scopes):
            message = f"agreement is not by {by!r}; write one of {', '.join(map(repr, get_args(Scopes)))}"
            raise UnknownName(message)
        found = agreement(self._opened, by, resamples=draws)
        return self._frame(sheets.sheet_of_values(found))

    def assessors(self) -> Any:
        """One row for each assessor: how many pairs, how fast, how strict against others on the same pairs."""
        from workbench.analysis.assessors.profile import AssessorSummary, summaries

        return self._frame(sheet_of(AssessorSummary, summaries(self._opened)))

    def certain_pairs(self, measure: str = "RBP(p=0.8)", runs: Sequence[str] = ()) -> Any:
        """One row for each pair of runs: their difference, the bounds that it has once the whole pool is judged, and
        whether the better run is certain. Without `runs` of all of them; a text is the name of one.
        """
        from workbench.analysis.trust.certain_pairs import PairState, certain_pairs

        names = (runs,) if isinstance(runs, str) else tuple(runs)
        found = certain_pairs(self._opened, measure, runs=names)
        return self._frame(sheet_of(PairState, found.rows()))

    def compare(
        self,
        runs: Sequence[str],
        *,
        measure: str = "AP",
        baseline: str | None = None,
        seed: int = SEED,
        permutations: int = 10_000,
    ) -> Comparison:
        """Runs against a baseline on the same topics, as `Scores.compare`."""
        from workbench.analysis.comparing.runs import compare_runs
        from workbench.analysis.comparing.sheets import shown

        found = compare_runs(
            self._opened, runs, measure=measure, baseline=baseline, seed=seed, permutations=permutations
        )
        return shown(found)

    def __repr__(self) -> str:
        return short_text(self._summary(), self._heading())

    def _repr_html_(self) -> str:
        return short_html(self._summary(), self._heading())

    def _heading(self) -> str:
        return f"{self.title} ({self.name}), as of log row {self.head:,}"

    def _summary(self) -> Sheet:
        from workbench.storage.campaign.collection import pools, runs, topics
        from workbench.storage.campaign.counts import publication

        with self._opened.snapshot():
            counts = (
                ("Topics", len(topics.topic_ids(self._opened))),
                ("Runs", len(runs.in_force(self._opened))),
                ("Pooled pairs", sum(pools.pooled_by_topic(self._opened).values())),
                ("Judged pairs", sum(label.pooled for label in publication.labelled(self._opened))),
            )
        return Sheet((Column("Part", "part", "text"), Column("Number", "number", "count")), counts)

    def _frame(self, sheet: Sheet) -> Any:
        return frame_of(sheet, self._library)


def _columns(**kinds: str) -> tuple[Column, ...]:
    """Columns by their names, each with the kind of what is in it: frames show no other heads."""
    return tuple(Column(name, name, kind) for name, kind in kinds.items())


def _names(measures: Iterable[str]) -> list[str]:
    return [measures] if isinstance(measures, str) else list(measures)
