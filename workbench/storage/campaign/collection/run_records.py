"""The runs of a campaign as their events have them, and the answers of those that are runs of answers."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Annotated, NamedTuple

from workbench.core.about import DOCUMENT_PAIRS, DOCUMENTS, LIST_PAIRS, SPANS
from workbench.core.results import FLAT, HIDDEN, Column
from workbench.core.wording import counted
from workbench.formats.answers.forms import FORMS
from workbench.formats.answers.renamed import renamed
from workbench.storage.campaign.collection import run_codes, run_details, sent_answers, withdrawals
from workbench.storage.campaign.collection.question_topics import about
from workbench.storage.campaign.file.connection import Campaign
from workbench.storage.campaign.log import kinds
from workbench.storage.campaign.log.log import Event
from workbench.storage.campaign.log.state import part

RUN = kinds.RUN
"""The kind of event that adds a run."""


OF_RANKINGS = (DOCUMENTS, SPANS, DOCUMENT_PAIRS, LIST_PAIRS)
"""What runs without answers are judged by, too."""


class RunRecord(NamedTuple):
    """A run as it was submitted; `contributes` says whether pools take documents from it by default.

    `form` is that of its answers, one of `formats.answers.forms.FORMS`, whose cited documents are its `lines` then; ""
    for a run of documents.
    """

    tag: Annotated[str, Column("Run", "run")]
    team: str
    file: str
    sha256: str
    lines: int
    topics: int
    contributes: bool
    header: Annotated[str, HIDDEN]
    rankings_sha256: Annotated[str, HIDDEN]
    form: str = ""
    answers_sha256: Annotated[str, HIDDEN] = ""

    @property
    def counted_lines(self) -> str:
        """How many lines its rankings have, as people read it."""
        return counted(self.lines, "cited document" if self.form else "line")

    @property
    def form_title(self) -> str:
        """The task in whose form its answers are; "" for a run of documents."""
        return FORMS[self.form].title if self.form in FORMS else self.form


class RunRepair(NamedTuple):
    """A repair that the organiser chose when a run was added: its name, how many lines it changed, a sentence."""

    name: str
    lines: int
    message: str

    def __str__(self) -> str:
        return self.message


class RunWarning(NamedTuple):
    """What deserved a look when a run was added: the line of its file, if it is about one, and the sentence."""

    line: int | None
    message: str

    def __str__(self) -> str:
        return self.message if self.line is None else f"line {self.line}: {self.message}"


class StoredRun(NamedTuple):
    """A run with its number in this campaign, the `seq` of the event that added it, and of that which took it out.

    `withdrawn` is None while the run takes part; `repairs` are what its file needed, in the order in which it was done.
    `sent` is the tag that the team gave it, where a run of an earlier round has that, so that this one goes by another
    among the runs of all rounds; "" else.
    """

    run: Annotated[int, HIDDEN]
    record: Annotated[RunRecord, FLAT]
    seq: Annotated[int, Column(name="added_at_seq")]
    withdrawn: Annotated[int | None, Column(name="withdrawn_at_seq")] = None
    repairs: tuple[RunRepair, ...] = ()
    warnings: tuple[RunWarning, ...] = ()
    sent: Annotated[str, HIDDEN] = ""

    @property
    def sent_as(self) -> str:
        """The tag that the team gave it."""
        return self.sent or self.record.tag


@part(RUN, run_details.DETAILS, *withdrawals.KINDS, start=dict)
def _runs(found: dict[int, StoredRun], event: Event) -> None:
    """The runs by their numbers, withdrawn ones too."""
    number, content = event.content["run"], event.content
    if event.kind == RUN:
        record = RunRecord(**{name: content[name] for name in RunRecord._fields if name in content})
        repairs = tuple(RunRepair(**repair) for repair in content.get("repairs", ()))
        warnings = tuple(RunWarning(*warning) for warning in content.get("warnings", ()))
        found[number] = StoredRun(number, record, event.seq, None, repairs, warnings)
    elif number not in found:  # the audit finds such an event
        return
    elif event.kind == run_details.DETAILS:
        names = {name: content["now"][name] for name in run_details.NAMES if name in content["now"]}
        sent = content["now"].get("sent", "" if "tag" in names else found[number].sent)
        found[number] = found[number]._replace(record=found[number].record._replace(**names), sent=sent)
    else:
        out = event.seq if event.kind == withdrawals.WITHDRAWAL else None
        found[number] = found[number]._replace(withdrawn=out)


def all_runs(campaign: Campaign) -> list[StoredRun]:
    """All runs up to the row, withdrawn too, in the order they were added, with the tags and teams of that row."""
    found = list(_runs(campaign).values())
    if campaign.coded:
        codes = run_codes.codes(campaign)
        found = [_under_code(run, codes[run.run]) for run in found]
    return found


def tags_in(campaign: Campaign) -> dict[str, str]:
    """What each run is called in a campaign that is seen under codes, by its tag; empty for any other."""
    if not campaign.coded:
        return {}
    codes = run_codes.codes(campaign)
    return {run.record.tag: codes[run.run].run for run in _runs(campaign).values()}


def _under_code(run: StoredRun, code: run_codes.RunCode) -> StoredRun:
    """A run without what names its sender, or shows its file to those who have it."""
    record = run.record._replace(tag=code.run, team=code.team, file=code.run, sha256="", header="")
    return run._replace(record=record, repairs=(), warnings=(), sent="")


def in_force(campaign: Campaign, also: Collection[str] = ()) -> list[StoredRun]:
    """The runs that take part now, or did as of a place in the log: all but the withdrawn ones.

    `also` are tags of withdrawn runs that are wanted nevertheless. Of units of answers they are the runs of answers.
    """
    found = [run for run in all_runs(campaign) if run.withdrawn is None or run.record.tag in also]
    return found if about(campaign) in OF_RANKINGS else [run for run in found if run.record.form]


def answers_of(
    campaign: Campaign, run: StoredRun, topic_id: str | None = None
) -> Iterator[sent_answers.SentAnswer]:
    """A run's answers as sent, to one topic, in the file's order; none of documents. DamagedCampaign if changed."""
    sent_answers.require(campaign, run.run, run.record.tag, run.record.answers_sha256)
    sent = sent_answers.of_run(campaign, run.run, topic_id)
    if not campaign.coded:
        return sent
    return (each._replace(record=renamed(each.record, run.record.team, run.record.tag)) for each in sent)
