"""What is uploaded of judges: labels, and of teams leaderboards and nugget banks too; and judges that are withdrawn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path

from workbench.campaign.ingest.naming import with_display_names
from workbench.campaign.ingest.senders import Sender
from workbench.campaign.model_labels import LabelUpload, check_rules, submitted_as, take_labels
from workbench.campaign.run_codes import tags_by_code
from workbench.campaign.submission_rules import refusal_now, rules_of
from workbench.core.errors import AlreadyDone, CampaignError, InputError, NotThere, Problem
from workbench.core.wording import counted, listed, none_such
from workbench.formats.answers.bank_forms import read_banks
from workbench.formats.answers.banks import nugget_rows
from workbench.formats.leaderboards import read_leaderboard
from workbench.formats.tables.score_layouts import READ
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import topics
from workbench.storage.campaign.models import submitted

NUGGETS, RANKING = "nuggets", "ranking"
FORMS = (*READ, NUGGETS)
"""The layouts of leaderboards, and nugget banks of any form."""


def take_judge(
    campaign: Campaign,
    file: tuple[Path, str],
    said: LabelUpload,
    sender: Sender | None,
    *,
    inside: Mapping[str, str] = {},
    dry_run: bool,
) -> tuple[str, tuple[Problem, ...]]:
    """Store, or check, an uploaded file, which lies at a path and has a name: what it holds, and warnings.

    A team sends leaderboards or nuggets, too, of a judge named by team and file. `inside` are the files of an archive
    by their paths, with their names: then these are read, in their folder.

    Raises:
        InputError: the file cannot be read, or has no topic, or fewer than two runs, of the campaign.
        CampaignError: the rules do not take it, or there is no such form.
    """
    (path, name), form = file, said.form
    if sender is None or form not in FORMS:
        added = take_labels(campaign, str(path), name, said, sender, dry_run=dry_run)
        return added.sentence, added.warnings
    judge, sent = submitted_as(sender, path, name)
    check_rules(campaign, sent, judge)
    where, names = path, {str(path): name}
    for unpacked, called in inside.items():
        where = Path(unpacked).parent
        names[str(Path(unpacked).rename(where / called.partition("/")[2].replace("/", "_")))] = called
    with with_display_names(names):
        if form == NUGGETS:
            what, rows = submitted.BANK, nugget_rows(read_banks(where).banks)
            columns = {"topic": [row[0] for row in rows]}
        else:
            import polars as pl

            scores = read_leaderboard(where, form)
            if form == RANKING:  # its names of measures are those of judges
                scores = scores.with_columns(measure=pl.lit("score"))
            what, rows = submitted.LEADERBOARD, scores.rows()
            columns = {each: scores[each].drop_nulls().to_list() for each in ("run", "topic", "measure")}
    counts = [counted(len({*each}), named) for named, each in columns.items()]
    counts += [counted(len(rows), "nugget")] if form == NUGGETS else []
    warnings = _not_there(campaign, name, columns)
    with campaign.write(keep=not dry_run):
        check_rules(campaign, sent, judge)
        submitted.put(campaign, judge, what, name, rows, holds := ", ".join(counts), sent)
    return f"{what} of {judge}, {holds}", warnings


def _not_there(campaign: Campaign, file: str, columns: Mapping[str, Sequence[str]]) -> tuple[Problem, ...]:
    """The topics and runs that the campaign lacks; InputError where too few are left to be compared."""
    tags, found = tags_by_code(campaign), list[Problem]()
    known = {"topic": {*topics.topic_ids(campaign)}, "run": {*tags, *tags.values()}}
    way = "use its topics and the tags or codes of its runs; files of one run, as trec_eval's, go in one archive"
    for name, least in (("topic", 1), ("run", 2)):
        given = {*columns.get(name, ())}
        if strange := sorted(given - known[name]):
            said = f"{counted(len(strange), name)} not in the campaign: {listed(strange)}; not compared"
            found.append(Problem(file, None, said))
        if given and len(given) - len(strange) < least:
            message = f"fewer than {counted(least, name)} of the campaign; {way}"
            raise InputError([*found, Problem(file, None, message)])
    return tuple(found)


def change_judges(
    campaign: Campaign,
    names: Sequence[str],
    *,
    back: bool = False,
    reason: str = "",
    by_team: tuple[str, datetime] | None = None,
) -> int:
    """Withdraw judges that teams submitted, or put them `back`; all or none, returns how many. The log keeps them.

    A team withdraws its own, while files are taken: `by_team` has its name and the moment.

    Raises:
        NotThere: there is no such judge, or not of this team.
        AlreadyDone: one is withdrawn already, or is not.
        CampaignError: the team may not do it now.
    """
    team = None if by_team is None else by_team[0]
    with campaign.write():
        if by_team is not None and (why := refusal_now(rules_of(campaign), *by_team)):
            raise CampaignError(why)
        known, out = {each.judge for each in submitted.files(campaign, team)}, submitted.withdrawn(campaign)
        if unknown := [name for name in names if name not in known]:
            raise NotThere(none_such("submitted judge", unknown, sorted(known), of=campaign.name))
        for name in dict.fromkeys(names):
            if (name in out) is not back:
                raise AlreadyDone(f"{name!r} is {'not withdrawn' if back else 'withdrawn already'}")
            submitted.set_withdrawn(campaign, name, back=back, reason=reason)
    return len({*names})
