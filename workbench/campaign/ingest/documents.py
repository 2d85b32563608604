"""Adding documents: a collection passes through once, and the texts of the documents that matter are kept."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from uuid import uuid4

from workbench.campaign.adaptive_pools import adaptive_pools
from workbench.campaign.campaign_settings import REST, SETTINGS, as_link, document_fields
from workbench.campaign.ingest.naming import BY_PATH, DisplayNames, renamed, so_many_are, with_display_names
from workbench.campaign.near_duplicates import OnTopic, find_near_duplicates
from workbench.core.errors import InputError, Problem
from workbench.core.records import NO_ANSWER, NO_FIELDS, Judgment, Source
from workbench.core.wording import listed
from workbench.formats.text.addresses import holds_secrets, is_address, without_secrets
from workbench.formats.text.files import OnBytes
from workbench.formats.text.sources import describe, digest_of
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import documents, near_duplicates, pooled_units, staging
from workbench.storage.campaign.grades import judgments
from workbench.storage.campaign.grades.sources import ADJUDICATION
from workbench.storage.campaign.log import log
from workbench.storage.campaign.organising import settings
from workbench.storage.campaign.organising.quota import check_quota
from workbench.storage.campaign.organising.settings import Settings, parts_of

if TYPE_CHECKING:
    from workbench.formats.documents.fields import FieldNames
    from workbench.formats.documents.reading import Repeated


FIELD, ADDRESS = "_field", "address_field"
SOURCE = "changed text"
"""What a judgment that was cleared says of where it came from."""


def put_changed_texts(campaign: Campaign, place: int, source: int) -> int:
    """Put the texts staged for `place` in the places of others, inside the open write transaction; how many.

    The event names each document with the hashes of the old and of the new text; the old text is not kept. Units of
    answers that cite such a document, and were judged, are named with it. A source's
    first one is written also where no text differs: texts that are read later come from the newest such source first.
    """
    changes = staging.differing_texts(campaign, place)
    staging.replace_texts(campaign, place, source)
    if changes or source not in {each.source for each in documents.changes(campaign)}:
        documents.put_changes(campaign, source, [*changes, *pooled_units.renew(campaign)])
    near_duplicates.forget(
        campaign, near_duplicates.topics_of(campaign, [each.document_id for each in changes])
    )
    return len(changes)


def clear_judgments_of_other_texts(campaign: Campaign, *, now: datetime | None = None) -> int:
    """Clear judgments given on another text than the one stored now, inside the open write transaction; how many.

    These pairs are open again. Imported labels name no text, and stay.
    """
    old = judgments.standing_on_other_texts(campaign)
    texts = {each: documents.text_hash_of(campaign, each) for each in {row.document_id for row in old}}
    log.append_judgments(campaign, [_cleared(row, texts[row.document_id], now) for row in old])
    return len(old)


def _cleared(old: Judgment, text_hash: str | None, now: datetime | None) -> Judgment:
    """The row that takes a judgment back in the name of its assessor; an adjudication without a grade does so too."""
    return old.follows(
        uuid=str(uuid4()),
        received_at=log.timestamp(now),
        text_hash=text_hash,
        kind=ADJUDICATION if old.kind == ADJUDICATION else "cleared",
        replaces=old.seq,
        source=SOURCE,
        **NO_ANSWER,
    )


def sources_in_order(campaign: Campaign) -> Sequence[documents.StoredSource]:
    """The recorded sources as texts are read from them: those that changed texts, newest first, then the others."""
    changing = [change.source for change in documents.changes(campaign)]
    rank = {source: place for place, source in enumerate(changing)}
    return sorted(documents.sources(campaign), key=lambda each: -rank.get(each.source, -1))


SECRETS_IN_ADDRESS = (
    "texts are read again when a pool grows, and what is secret in an address (user, password, what follows ?) is not "
    "stored; let the environment or a file give the credentials, or store all texts now (--all)"
)


class AddedDocuments(NamedTuple):
    """How many documents the sources hold, how many texts are new in the campaign, and the ids of pooled documents that
    still have no text; how many texts took the place of others (`changed`), how many judgments of other texts were
    cleared, and how many stand (`on_other_texts`).
    """

    documents: int
    texts: int
    without_text: tuple[str, ...]
    warnings: tuple[Problem, ...]
    changed: int = 0
    cleared: int = 0
    on_other_texts: int = 0


class MissingTexts(NamedTuple):
    """How many missing texts were found, which are still missing, and sources with some that are gone or changed."""

    found: int
    without_text: tuple[str, ...]
    gone: tuple[str, ...]


def add_documents(
    campaign: Campaign,
    paths: Sequence[str],
    *,
    keep_all: bool = False,
    complete: bool = False,
    changed: bool = False,
    judge_again: bool = False,
    fields: Mapping[str, str] = NO_FIELDS,
    identical_once: bool = False,
    on_bytes: OnBytes | None = None,
    on_topic: OnTopic | None = None,
    display_names: DisplayNames = BY_PATH,
) -> AddedDocuments:
    """Read sources of documents and record them; all of them, or none. Then look for near duplicates.

    Args:
        paths: files, folders, or addresses of files.
        keep_all: keep every text; else only those of pooled documents and of the candidates of adaptive pools, the
            others being read later from the recorded sources when a pool asks for them.
        complete: these sources (with those added before) hold the whole collection, so that runs naming
            other documents are refused from now on.
        changed: texts that differ from those the campaign holds take their places; else those are kept.
        judge_again: clear the judgments in force that were given on another text than the one stored now, so that their
            pairs are open again.
        fields: the names of the fields that are `id_field`, `text_field` and `title_field`, which come before those
            in the campaign's settings, and the `document_encoding`; the `address_field` joins the setting
            `document_fields` as a link. With any of them texts change as with `changed`. A file without a field that
            is named here is refused.
        identical_once: documents that stand twice in a source with the same content are taken once.
        on_bytes: called with the number of bytes read since the last call.
        display_names: names of files that go by others than their paths. Such a file is not read again later: keep all
            of its texts.
    """
    warnings: list[Problem] = []
    before = settings.read(campaign)
    chosen = _settings_for(before, fields)
    changed = changed or bool(chosen)
    asked = [parts for name, value in fields.items() if name.endswith(FIELD) and (parts := parts_of(value))]
    choice = _choice(before._replace(**chosen), asked)
    with with_display_names(display_names):
        sources = [_described(path, display_names, choice, keep_all=keep_all) for path in paths]
    wanted = None
    if not keep_all:  # what an adaptive pool chooses has to be there at once
        lacking = documents.all_without_text if adaptive_pools(campaign) else documents.without_text
        wanted = {*lacking(campaign), *(documents.with_text(campaign) if changed else ())}
    with staging.staged_documents(campaign) as staged, with_display_names(display_names):
        filled = [
            _fill(
                staged,
                place,
                path,
                wanted,
                on_bytes,
                warnings.append,
                display_names.get(path),
                choice=choice,
                repeated="identical" if identical_once else "refuse",
            )
            for place, path in enumerate(paths)
        ]
        staged.flush()
        with campaign.write():
            texts = replaced = 0
            warnings += [] if changed else _other_texts(campaign, paths)
            for place, (source, (number_of, stored)) in enumerate(zip(sources, filled, strict=True)):
                number = _recorded(campaign, place, stored or source, number_of)
                if changed:
                    replaced += put_changed_texts(campaign, place, number)
                texts += staging.move_texts(campaign, place, number)
            cleared = clear_judgments_of_other_texts(campaign, now=campaign.moment) if judge_again else 0
            if complete and not before.documents_complete:
                chosen["documents_complete"] = True
            if chosen := {name: value for name, value in chosen.items() if getattr(before, name) != value}:
                settings.change(campaign, chosen)
            check_quota(campaign)
    find_near_duplicates(campaign, on_topic=on_topic)
    return AddedDocuments(
        sum(number_of for number_of, _ in filled),
        texts,
        tuple(documents.without_text(campaign)),
        renamed(warnings, display_names),
        changed=replaced,
        cleared=cleared,
        on_other_texts=len(judgments.standing_on_other_texts(campaign)) if changed else 0,
    )


def fetch_missing_texts(
    campaign: Campaign,
    *,
    every: bool = False,
    on_bytes: OnBytes | None = None,
    on_topic: OnTopic | None = None,
) -> MissingTexts:
    """Read the texts that are wanted and lacking from the sources recorded before, and look for near duplicates.

    Wanted are the texts of pooled documents, and of all that an adaptive pool may choose; with `every` those of all
    documents that have a row.

    A source that is gone, or whose bytes are no longer those that were recorded, is not read.
    """
    of_all = every or bool(adaptive_pools(campaign))
    lacking = documents.all_without_text if of_all else documents.without_text
    missing = set(lacking(campaign))
    choice = _choice(settings.read(campaign))
    before = len(missing)
    gone: dict[str, set[str]] = {}
    for source in sources_in_order(campaign):
        here = missing.intersection(
            id_ for ids in documents.source_ids(campaign, source.source) for id_ in ids
        )
        if not here:
            continue
        with staging.staged_documents(campaign) as staged:
            if not _fill_again(staged, source.file, here, on_bytes, choice):
                gone.setdefault(source.file.path, set()).update(here)
                continue
            staged.flush()
            with campaign.write():
                staging.move_texts(campaign, 0, source.source)
        missing -= here
    find_near_duplicates(campaign, on_topic=on_topic)
    left = documents.without_text(campaign)
    needed = (path for path, ids in gone.items() if not ids.isdisjoint(left))
    still = lacking(campaign) if of_all else left
    return MissingTexts(before - len(still), tuple(left), tuple(needed))


def _settings_for(before: Settings, fields: Mapping[str, str]) -> dict[str, Any]:
    """What the settings become by the fields that are chosen; earlier names stay, as earlier files are read again."""
    from workbench.formats.documents.fields import plain_name

    found: dict[str, Any] = {}
    for name, value in fields.items():
        if value and name == ADDRESS:
            found["document_fields"] = as_link(before.document_fields, map(plain_name, parts_of(value)))
        elif value:
            names = f"{value}; {getattr(before, name)}" if name.endswith(FIELD) else value
            found[name] = SETTINGS[name.replace("_", "-")].value_of(names)
    return found


def _choice(current: Settings, asked: Sequence[Sequence[str]] = ()) -> FieldNames:
    from workbench.formats.documents.fields import BETRAYING, chosen_fields

    forms = dict(document_fields(current.document_fields))
    hidden = frozenset(name for name in (*forms, *BETRAYING) if forms.get(name, forms.get(REST)) == "hidden")
    title, text, ids = map(parts_of, (current.title_field, current.text_field, current.id_field))
    links = tuple(name for name, form in forms.items() if form == "link")
    names = chosen_fields(title, text, ids, asked)
    return names._replace(address=links, hidden=hidden, encoding=current.document_encoding)


def describe_collection(path: str, choice: FieldNames) -> Source:
    """A file or folder of documents as it is now: path, size in bytes, and SHA-256.

    The hash of a folder, and of a page with images beside it, is that of the lines `name NUL size NUL SHA-256` of the
    files that are read.
    """
    from workbench.formats.documents.reading import document_files

    files = document_files(path, choice)
    if files == (Path(path),):
        return describe(path)
    folder = Path(path) if Path(path).is_dir() else Path(path).resolve().parent
    read = [(file.relative_to(folder).as_posix(), describe(file)) for file in files]
    lines = "".join(f"{name}\0{file.size}\0{file.sha256}\n" for name, file in read)
    return Source(path, sum(file.size for _, file in read), sha256(lines.encode()).hexdigest())


def _described(path: str, display_names: DisplayNames, choice: FieldNames, *, keep_all: bool) -> Source:
    """A source as it will be recorded; of an address size and hash are known when it was read."""
    if path == "-":
        message = "documents are read again when a pool grows; give a file or a folder instead of -"
        raise InputError([Problem(path, None, message)])
    if not is_address(path):
        if path in display_names:
            return describe(path)._replace(path=display_names[path])
        return describe_collection(path, choice)._replace(path=str(Path(path).resolve()))
    shown = without_secrets(path)
    if holds_secrets(path) and not keep_all:
        raise InputError([Problem(shown, None, SECRETS_IN_ADDRESS)])
    return Source(shown, 0, "")


def _unchanged(source: Source, choice: FieldNames) -> bool:
    try:
        return describe_collection(source.path, choice)[1:] == source[1:]
    except InputError:
        return False


def _fill_again(
    staged: staging.StagedDocuments,
    source: Source,
    wanted: Collection[str],
    on_bytes: OnBytes | None,
    choice: FieldNames,
) -> bool:
    """Stage the wanted documents of a recorded source; whether it is there still, with the bytes it had."""
    if not is_address(source.path):
        if not _unchanged(source, choice):
            return False
        _fill(staged, 0, source.path, wanted, on_bytes, choice=choice)
        return True
    if holds_secrets(source.path):
        return False
    try:
        return _fill(staged, 0, source.path, wanted, on_bytes, choice=choice)[1] == source
    except InputError:
        return False


def _fill(
    staged: staging.StagedDocuments,
    place: int,
    path: str,
    wanted: Collection[str] | None,
    on_bytes: OnBytes | None,
    on_warning: Callable[[Problem], None] | None = None,
    name: str | None = None,
    *,
    choice: FieldNames,
    repeated: Repeated = "skip",
) -> tuple[int, Source | None]:
    """How many documents were staged; of an address also what stands there, from the same reading."""
    from workbench.formats.documents.reading import read_documents

    staged.begin(place)
    digest = digest_of(path) if is_address(path) else None
    for document in read_documents(
        path,
        wanted=wanted,
        on_bytes=on_bytes,
        on_warning=on_warning,
        name=name,
        on_stored=None if digest is None else digest.update,
        on_pages=staged.add_pages if staged.keeps_pages else None,
        choice=choice,
        repeated=repeated,
    ):
        staged.add(document, keep_text=wanted is None or document.document_id in wanted)
    return (staged.documents, None if digest is None else digest.source(without_secrets(path)))


def _other_texts(campaign: Campaign, paths: Sequence[str]) -> Iterator[Problem]:
    """A warning for each source whose texts are not those that the campaign holds already, and goes on holding."""
    for place, path in enumerate(paths):
        differing = staging.differing_texts(campaign, place)
        if differing:
            message = (
                f"{so_many_are(len(differing), 'document')} here with another text than the one stored before, "
                f"which is kept: {listed([each.document_id for each in differing])}"
            )
            yield Problem(without_secrets(path), None, message)


def _recorded(campaign: Campaign, place: int, source: Source, count: int) -> int:
    known = documents.same_source(campaign, source, count)
    if known is not None:
        return known.source
    number = documents.put_source(campaign, source, count).source
    staging.move_ids(campaign, place, number)
    return number
