"""Labels of models out of files: read in the form that is said, checked with the campaign, stored as answers."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from hashlib import md5
from pathlib import Path
from typing import Any, NamedTuple

from workbench.campaign import questions
from workbench.campaign.ingest.naming import with_display_names
from workbench.campaign.ingest.senders import Sender
from workbench.campaign.ingest.topics import take_topic_ids, takes_topics
from workbench.campaign.submission_rules import refusal_of_judge
from workbench.core.about import DOCUMENTS, NUGGETS
from workbench.core.errors import CampaignError, InputError, Problem
from workbench.core.model_answers import UNREADABLE, Judge, ModelAnswer, Submitted
from workbench.core.wording import counted, listed, none_such
from workbench.formats.answers.assigned import FAILED, PARTIAL, SUPPORT, UNSUPPORTED, read_assigned
from workbench.formats.model_labels.columns import LabelFile, read_autojudge, read_labels, read_rag25
from workbench.formats.model_labels.exported import Step, read_exported
from workbench.formats.model_labels.umbrela import read_umbrela
from workbench.formats.text.lines import shown
from workbench.formats.text.sources import describe
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import documents, question_topics, runs, topics, units
from workbench.storage.campaign.collection.question_topics import key_of
from workbench.storage.campaign.log.log import timestamp
from workbench.storage.campaign.models import answers, judges
from workbench.storage.campaign.organising import settings

OWN, UMBRELA, NUGGETIZER, AUTOJUDGE = "workbench", "umbrela", "nuggetizer", "autojudge"
COLUMNS: Mapping[str, Callable[[str | Path], LabelFile]] = {
    "qrels": read_labels,
    "rag25": read_rag25,
    AUTOJUDGE: read_autojudge,
}
FORMS = (*COLUMNS, UMBRELA, NUGGETIZER, OWN)
"""The forms of files of labels; a form is said, never guessed."""
UPLOADED = tuple(form for form in FORMS if form != UMBRELA)
"""Those that need no second file."""
ENDING = re.compile(r"(\.(txt|qrels|csv|jsonl?|tsv|eval|zip|gz|xz|bz2|zst))+$", re.IGNORECASE)
"""What the name of a judge leaves out of that of its file."""

MD5 = "md5:"
"""How AutoJudge begins the id of a text that has none."""


class LabelFiles(NamedTuple):
    """Files of labels, one of FORMS, UMBRELA's file, the first repeat's number, and an upload's name or ""."""

    paths: Sequence[str]
    form: str
    against: str | None = None
    sample: int = 0
    name: str = ""


class LabelUpload(NamedTuple):
    """What is said of uploaded labels: their form, and name, model, question and scale of the judge, "" for unsaid.

    Files of the form OWN name their judges, and those of a team have its name and theirs.
    """

    form: str = "qrels"
    judge: str = ""
    model: str = ""
    question: str = ""
    scale: str = ""


class AddedModelLabels(NamedTuple):
    """What an import did, or would do: whose answers were stored, how many, and of them without a grade; how many
    were there already, how many labels are new or changed, and what is odd in the files.
    """

    judges: tuple[str, ...]
    answers: int
    unlabelled: int
    unchanged: int
    labels: int
    warnings: tuple[Problem, ...]

    @property
    def sentence(self) -> str:
        """The same for people."""
        return (
            f"{counted(self.answers, 'answer')} of {', '.join(self.judges)}, {self.unlabelled:,} of them unlabelled; "
            f"{counted(self.labels, 'label')} new or changed; {counted(self.unchanged, 'answer')} already present"
        )


def take_labels(
    campaign: Campaign, path: str, name: str, said: LabelUpload, sender: Sender | None, *, dry_run: bool
) -> AddedModelLabels:
    """Store or check an upload's labels, a team's own by the judge named in it; errors as `add_model_labels`."""
    sent, judge_name = None, said.judge
    if said.form not in UPLOADED:
        raise CampaignError(none_such("form", said.form, UPLOADED))
    if sender is not None and sender.received is not None:
        judge_name, sent = submitted_as(sender, path, name)
    if bool(judge_name) is (said.form == OWN):
        raise CampaignError("name the judge; only files of the form workbench have judges in them")
    details = {"model": said.model, "question": said.question, "scale": parse_scale(said.scale)}
    given = {each: value or None for each, value in details.items()}
    judge = judge_with(campaign, judge_name, **given) if judge_name else None
    with with_display_names({path: name}):
        files = LabelFiles([path], said.form, name=name)
        return add_model_labels(campaign, files, judge, dry_run=dry_run, submitted=sent)


def submitted_as(sender: Sender, path: str | Path, name: str) -> tuple[str, Submitted]:
    """The name of the judge of a team's file, by team and file, and what the log says of how it came."""
    received = timestamp(sender.received) if sender.received else ""
    return f"{sender.team}/{ENDING.sub('', name)}", Submitted(sender.team, describe(path).sha256, received)


def parse_scale(text: str) -> tuple[int, ...]:
    """The grades that a text such as `0,1,2` lists; CampaignError for other texts."""
    try:
        return tuple(sorted({int(each) for each in text.split(",")})) if text.strip() else ()
    except ValueError:
        raise CampaignError(f"{text[:40]!r} is no scale; write its grades as 0,1,2") from None


def judge_with(campaign: Campaign, name: str, **said: Any) -> Judge:
    """The judge of a name with what is said of it now: the rest as before, or as for a new one; None says nothing.

    The scale of a new one is that of the campaign, or of the question that it answers. It has a version where it is
    the newest one as it stands. UnknownName for no question.
    """
    before, current = (
        (judges.versions(campaign, name) or (Judge(name, scale=()),))[-1],
        settings.read(campaign),
    )
    judge = before._replace(**{field: value for field, value in said.items() if value is not None})
    grades = current.question(judge.question).grades if judge.question else current.grades
    judge = judge if judge.scale else judge._replace(scale=tuple(each.grade for each in grades))
    return judge if judge == before else judge._replace(version=0)


def add_model_labels(
    campaign: Campaign,
    files: LabelFiles,
    judge: Judge | None,
    *,
    dry_run: bool = False,
    submitted: Submitted | None = None,
) -> AddedModelLabels:
    """Store the labels of files as answers of a judge, all or nothing; files of the form OWN name their judges.

    An answer that is there already is not stored again. A pair that a file has several times has several samples. What
    a team `submitted` is held to the rules of submissions.

    Raises:
        InputError: a file cannot be read, names topics or units that are not there, or grades off the judge's scale.
        CampaignError: the campaign forbids labels of models, or the judge cannot be declared.
    """
    judges.require_allowed(campaign)
    name = judge.name if judge else ""
    check_rules(campaign, submitted, name)
    steps, warnings = _steps(campaign, files, judge)
    names, stored, unchanged = dict[str, None](), list[answers.Batch](), 0
    with campaign.write(keep=not dry_run):
        check_rules(campaign, submitted, name)
        for file, by, step in steps:
            if step.judge is not None:
                if files.form == OWN and by.name not in names and judges.versions(campaign, by.name):
                    raise CampaignError(
                        f"{by.name!r} judges here already; such a file brings judges that are new"
                    )
                judges.put_judge(campaign, by)
                names[by.name] = None
                continue
            if not by.question and takes_topics(campaign):
                new = {each.topic_id for each in step.answers} - set(topics.topic_ids(campaign))
                take_topic_ids(campaign, sorted(new), origin=files.name or file)
            before = {} if files.form == OWN else _stored(campaign, by.name)
            added = [each for each in step.answers if before.get((each.pair, each.sample)) != each]
            unchanged += len(step.answers) - len(added)
            if added:
                source = files.name or file
                batch = answers.put_answers(campaign, by.name, added, source=source, submitted=submitted)
                stored.append(batch)
        questions.put_due(campaign)
    counts = (sum(getattr(each, name) for each in stored) for name in ("answers", "unlabelled", "labels"))
    number, unlabelled, labels = counts
    return AddedModelLabels(tuple(names), number, unlabelled, unchanged, labels, warnings)


def check_rules(campaign: Campaign, submitted: Submitted | None, judge: str) -> None:
    """CampaignError where the rules do not take what a team submits of a judge; not for others."""
    if submitted is None:
        return
    received = datetime.fromisoformat(submitted.received)
    why = refusal_of_judge(campaign, submitted.team, received, judge)
    if why or takes_topics(campaign):
        raise CampaignError(why or "the campaign has no topics yet; ask an organiser to add them")


def _steps(
    campaign: Campaign, files: LabelFiles, judge: Judge | None
) -> tuple[list[tuple[str, Judge, Step]], tuple[Problem, ...]]:
    """What the files add, each step with its file and judge, checked with the campaign; and what is odd in them."""
    steps = [("", judge, Step(judge, [], []))] if judge else []
    warnings, problems, by = list[Problem](), list[Problem](), judge or Judge("")
    for path in files.paths:
        try:
            if files.form == OWN:
                read = read_exported(path)
            else:
                file = _in_form(campaign, files, path, by)
                warnings += file.warnings
                read = [Step(None, _numbered(file.answers, files.sample), list(file.lines))]
        except InputError as error:
            problems += error.problems
            continue
        for step in read:
            by = step.judge or by
            problems += _wrong(campaign, path, by, step)
            steps.append((path, by, step))
    if problems:
        raise InputError(problems)
    return steps, tuple(warnings)


def _in_form(campaign: Campaign, files: LabelFiles, path: str, judge: Judge) -> LabelFile:
    if files.form == NUGGETIZER:
        return _of_nuggets(campaign, path, judge)
    if files.form == UMBRELA and files.against is None:
        raise CampaignError("labels of UMBRELA have no ids; name the file that it was given (--against)")
    found = read_umbrela(path, files.against) if files.against else COLUMNS[files.form](path)
    keyed = [each._replace(topic_id=key_of(each.topic_id, judge.question)) for each in found.answers]
    found = found._replace(answers=keyed)
    return _by_md5(campaign, found) if files.form == AUTOJUDGE else found


def _numbered(given: Sequence[ModelAnswer], first: int) -> list[ModelAnswer]:
    """The answers with the numbers of their samples: of a pair that comes again the next one."""
    samples, found = Counter[tuple[str, str]](), list[ModelAnswer]()
    for each in given:
        found.append(each._replace(sample=first + samples[each.pair]))
        samples[each.pair] += 1
    return found


def _stored(campaign: Campaign, name: str) -> dict[tuple[tuple[str, str], int], ModelAnswer]:
    """The newest answer of each sample, of the newest version of a judge."""
    version = judges.judge_named(campaign, name).version
    found = (each for each in answers.each_answer(campaign, name) if each.version == version)
    return {(each.answer.pair, each.answer.sample): each.answer for each in found}


def _wrong(campaign: Campaign, file: str, judge: Judge, step: Step) -> Iterator[Problem]:
    """Topics and units that are not there or made up, and grades off the judge's scale, each with its line."""
    known, unknown = set(topics.topic_ids(campaign.asking(judge.question))), dict[str, int]()
    about = question_topics.about(campaign.asking(judge.question))
    for line, answer in zip(step.lines, step.answers, strict=False):
        if answer.topic_id not in known:
            unknown.setdefault(answer.topic_id, line)
        elif (
            about != DOCUMENTS and answer.document_id not in units.of_topic(campaign, answer.topic_id).numbers
        ):
            message = f"{shown(answer.document_id)} is no unit of topic {answer.topic_id}; add its run, or name others"
            yield Problem(file, line, message)
        if answer.grade is not None and answer.grade not in judge.scale:
            scale = ",".join(map(str, judge.scale))
            message = f"grade {answer.grade} is not on the scale of {judge.name!r}, {scale}; correct it, or the scale"
            yield Problem(file, line, message)
    if unknown and (judge.question or not takes_topics(campaign)):
        asked = f" for the question {judge.question!r}" if judge.question else ""
        message = f"{counted(len(unknown), 'topic')} not in the campaign{asked}: {listed(list(unknown))}"
        yield Problem(file, min(unknown.values()), f"{message}; add these topics first, or correct them")


def _by_md5(campaign: Campaign, file: LabelFile) -> LabelFile:
    """The answers with the ids of documents, or units, in the place of hashes of their texts."""
    hashed = {each.document_id: line for each, line in zip(file.answers, file.lines, strict=True)}
    hashed = {id_: line for id_, line in hashed.items() if id_.startswith(MD5)}
    ids = dict[str, str]()
    for topic_id in {each.topic_id for each in file.answers} & question_topics.questions(campaign).keys():
        for unit in units.of_topic(campaign, topic_id).units:
            ids |= {_md5(unit.text.replace("\n", between)): unit.unit_id for between in ("\n", " ", "")}
    for stored in documents.all_texts(campaign) if hashed.keys() - ids.keys() else ():
        ids.setdefault(_md5(stored.document.text), stored.document.document_id)
    if unknown := hashed.keys() - ids.keys():
        message = "no text of the campaign has the hash {}; add the texts first"
        raise InputError([Problem(file.file, hashed[each], message.format(each)) for each in sorted(unknown)])
    found = [
        each._replace(document_id=ids[each.document_id] if each.document_id in hashed else each.document_id)
        for each in file.answers
    ]
    return file._replace(answers=found)


def _md5(text: str) -> str:
    return MD5 + md5(text.encode("utf-8", "surrogatepass"), usedforsecurity=False).hexdigest()


def _of_nuggets(campaign: Campaign, path: str, judge: Judge) -> LabelFile:
    """The assigned nuggets of a file as labels of units: support is the highest grade, partial support 1."""
    if question_topics.about(campaign.asking(judge.question)) != NUGGETS:
        raise CampaignError("nuggetizer's labels answer a question about nuggets; name it with --question")
    grades = {SUPPORT: judge.scale[-1], PARTIAL: 1, UNSUPPORTED: 0, FAILED: None}
    numbers = {run.record.tag: run.run for run in runs.in_force(campaign)}
    known = set(topics.topic_ids(campaign.asking(judge.question)))
    found, lines, problems = list[ModelAnswer](), list[int](), list[Problem]()
    for line, run, topic_id, _, nuggets in read_assigned(path):
        key = key_of(topic_id, judge.question)
        there = units.of_topic(campaign, key) if key in known else None
        if there is None or (own := there.by_run.get(numbers.get(run, 0))) is None:
            message = f"run {run!r} has no answer to topic {topic_id} with nuggets; add the run and the nuggets first"
            problems.append(Problem(path, line, message))
            continue
        ids = {there.units[number].text: there.units[number].unit_id for number in own.number}
        for nugget in nuggets:
            if nugget.text not in ids:
                problems.append(
                    Problem(path, line, f"topic {topic_id} has no nugget {shown(nugget.text)}; add it first")
                )
                continue
            grade = grades[nugget.assignment]
            failure = UNREADABLE if grade is None else ""
            found.append(ModelAnswer(key, ids[nugget.text], grade=grade, failure=failure))
            lines.append(line)
    if problems:
        raise InputError(problems)
    return LabelFile(path, found, lines)
