"""Qrels with subtopics or a sample and runs, from their files as tables to labels and what else their measures need."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from workbench.formats.text.parse_mode import ParseMode
from workbench.scoring.evaluation.at_once import File
from workbench.scoring.evaluation.joining import Joined, join
from workbench.scoring.evaluation.labelling import LabelledFiles, NamedRun, names_of
from workbench.scoring.evaluation.profiles import Profile
from workbench.scoring.evaluation.reading import EvaluationFiles, read_evaluation
from workbench.scoring.evaluation.sample_joining import join_sample
from workbench.scoring.evaluation.subtopic_joining import join_subtopics


def tabulated_files(
    qrels: File,
    runs: Sequence[File],
    parse_mode: ParseMode,
    profile: Profile,
    *,
    subtopics: bool,
    sample: bool,
) -> LabelledFiles:
    """Read, check and join them; arguments and errors as in `read_evaluation`."""
    files = read_evaluation(
        qrels,
        runs,
        lenient=parse_mode.lenient,
        comments=parse_mode.comments,
        encoding=parse_mode.encoding,
        own_documents=parse_mode.own_documents,
        subtopics=subtopics,
        sample=sample,
    )
    named = tuple(NamedRun(run.file, run.tag, run.frame["topic_id"][0]) for run in files.runs)
    highest = int(files.qrels.frame["grade"].to_numpy().max())
    odd = (*files.qrels.warnings, *(problem for run in files.runs for problem in run.warnings))
    return LabelledFiles(files.qrels.file, highest, named, _joined(files, profile), odd)


def _joined(files: EvaluationFiles, profile: Profile) -> Joined:
    frames = [run.frame for run in files.runs]
    joined = join(files.qrels.frame, frames, names_of(files.runs), single_precision=profile.single_precision)
    if files.qrels.sample is not None:
        sample = join_sample(files.qrels.sample, frames, single_precision=profile.single_precision)
        return replace(joined, sample=sample)
    if files.qrels.subtopics is None:
        return joined
    subtopics = join_subtopics(files.qrels.subtopics, frames, single_precision=profile.single_precision)
    return replace(joined, subtopics=subtopics)
