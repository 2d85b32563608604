"""Adding topics to a campaign."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from types import MappingProxyType
from typing import NamedTuple

from workbench.campaign import questions
from workbench.campaign.ingest import naming
from workbench.core.errors import InputError, Problem
from workbench.core.extras import missing
from workbench.core.records import Topic
from workbench.core.wording import listed
from workbench.formats.text.files import STANDARD_STREAM
from workbench.formats.topics.fields import USUAL, FieldChoice
from workbench.formats.topics.reading import TopicsFile, read_topics
from workbench.methods.text.languages import FIELDS as LANGUAGE_FIELDS
from workbench.methods.text.languages import language_code, language_of
from workbench.methods.text.relatives import DICTIONARY, LANGUAGE
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import topics
from workbench.storage.campaign.organising import settings
from workbench.storage.campaign.organising.quota import check_quota
from workbench.storage.campaign.organising.settings import Settings


class AddedTopics(NamedTuple):
    """How many topics are new, have a new text, and are as they were."""

    new: int
    changed: int
    unchanged: int
    warnings: tuple[Problem, ...]


def add_topics(
    campaign: Campaign,
    paths: Sequence[str],
    *,
    display_names: naming.DisplayNames = naming.BY_PATH,
    choice: FieldChoice = USUAL,
) -> AddedTopics:
    """Add the topics of all files, or none of them; a topic known already gets the new text.

    `display_names` has the names of files that go by others than their paths; `choice` the fields that are title,
    description and narrative, and whether turns of conversations are topics, which they are too where the campaign's
    topics come from runs and are turns. Raises InputError when a file cannot be read, an id is in two files, or the
    campaign's runs have topics that the files lack.
    """
    with naming.with_display_names(display_names):
        files = _read_all(paths, display_names, choice)
        if settings.read(campaign).topics_from_runs and not choice.per_turn and STANDARD_STREAM not in paths:
            files = _as_the_runs_have_them(topics.topic_ids(campaign), files, paths, display_names, choice)
    with campaign.write():
        before = {stored.topic.topic_id: stored.topic for stored in topics.all_topics(campaign)}
        given = {topic.topic_id: _in_its_language(topic, choice) for file in files for topic in file.topics}
        from_runs = settings.read(campaign).topics_from_runs
        if from_runs:
            _check_covered(files[0].file, set(before), given)
        fresh = [topic for topic_id, topic in given.items() if before.get(topic_id) != topic]
        questions.check_ids(campaign, given)
        if fresh:
            read = [{"file": file.file, **file.source._asdict()} for file in files]
            topics.put(campaign, fresh, files=read)
        if from_runs:
            settings.change(campaign, {"topics_from_runs": False})
        check_quota(campaign)
    changed = [topic.topic_id for topic in fresh if topic.topic_id in before and not from_runs]
    return AddedTopics(
        new=len(fresh) - len(changed),
        changed=len(changed),
        unchanged=len(given) - len(fresh),
        warnings=tuple(warning for file in files for warning in file.warnings) + _without_dictionary(files),
    )


def _without_dictionary(files: Sequence[TopicsFile]) -> tuple[Problem, ...]:
    """What is said once where a topic's language needs a dictionary that is not installed."""
    if not (why := missing(DICTIONARY)):
        return ()
    german = (file.file for file in files if any(language_of(topic) == LANGUAGE for topic in file.topics))
    return tuple(Problem(file, None, why) for file in islice(german, 1))


def take_topic_ids(campaign: Campaign, topic_ids: Sequence[str], *, origin: str) -> None:
    """Let a campaign without topics take bare ids from `origin`, inside the open write transaction."""
    bare = [Topic(topic_id, "") for topic_id in topic_ids]
    topics.put(campaign, bare, files=[{"file": origin}])
    if not settings.read(campaign).topics_from_runs:
        settings.change(campaign, {"topics_from_runs": True})


def takes_topics(campaign: Campaign) -> bool:
    """Whether runs and qrels may still bring topics: no topic file was given yet."""
    return taken_from_runs(settings.read(campaign), topics.topic_ids(campaign))


def taken_from_runs(current: Settings, topic_ids: Sequence[str]) -> bool:
    """The same for a campaign that has these settings and topics."""
    return current.topics_from_runs or not topic_ids


def _in_its_language(topic: Topic, choice: FieldChoice) -> Topic:
    """The topic with the language that the chosen field of its title is named by (`fr`), unless a field says it."""
    code = language_code(choice.title or "")
    if not code or any(name in topic.fields for name in LANGUAGE_FIELDS):
        return topic
    return topic._replace(fields=MappingProxyType({**topic.fields, "language": code}))


def _read_all(
    paths: Sequence[str], display_names: naming.DisplayNames, choice: FieldChoice
) -> list[TopicsFile]:
    files: list[TopicsFile] = []
    problems: list[Problem] = []
    places: dict[str, str] = {}
    for path in paths:
        try:
            file = _named(read_topics(path, choice), display_names)
        except InputError as error:
            problems.extend(error.problems)
            continue
        files.append(file)
        for topic in file.topics:
            other = places.setdefault(topic.topic_id, file.file)
            if other != file.file:
                message = f"topic {topic.topic_id!r} is in {other} too; give each topic once"
                problems.append(Problem(file.file, None, message))
    if problems:
        raise InputError(problems)
    return files


def _as_the_runs_have_them(
    known: Sequence[str],
    files: list[TopicsFile],
    paths: Sequence[str],
    display_names: naming.DisplayNames,
    choice: FieldChoice,
) -> list[TopicsFile]:
    """The files with a topic for each turn of their conversations, if the runs' topics are these; else as they are."""
    if _covers(files, known):
        return files
    by_turn = _read_all(paths, display_names, choice._replace(per_turn=True))
    return by_turn if _covers(by_turn, known) else files


def _covers(files: list[TopicsFile], known: Sequence[str]) -> bool:
    return set(known) <= {topic.topic_id for file in files for topic in file.topics}


def _named(file: TopicsFile, display_names: naming.DisplayNames) -> TopicsFile:
    name = display_names.get(file.file, file.file)
    return file._replace(
        file=name,
        source=file.source._replace(path=name),
        warnings=naming.renamed(file.warnings, display_names),
    )


def _check_covered(file: str, known: set[str], given: dict[str, Topic]) -> None:
    missing = sorted(known - given.keys())
    if not missing:
        return
    mapping = naming.likely_mapping(missing, given) or naming.by_position(known, given, what="the runs")
    hint = f" ({mapping})" if mapping else ""
    message = (
        f"{naming.so_many_are(len(missing), 'topic')} in the campaign's runs but not in here: {listed(missing)}{hint}; "
        "give a file with all of them, or create another campaign and add the topics first"
    )
    raise InputError([Problem(file, None, message)])
