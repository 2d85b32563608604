"""Descriptions of a campaign file for other tools: every table and column; queries are in schema_queries.

For people who open the file with Datasette or a library; `workbench.release.datasette_files` makes of it what
Datasette reads.
"""

from __future__ import annotations

from typing import NamedTuple


class Described(NamedTuple):
    """What a row of a table or view is, what its columns say, and which column names a row ("" if none does).

    A hidden table is of use to the workbench alone.
    """

    row: str
    columns: dict[str, str]
    label: str = ""
    hidden: bool = False


_TOPIC = "The topic's id"
_DOCUMENT = "The document's id"
_SEQ = "The event that last changed this row, by its place in the log"
_CHOICE = "The event by which an adaptive pool chose it; empty where the pool had it from the start"
_SPAN = "counted in characters from 0"

_JUDGMENT = {
    "seq": "The place in the log, which judgments share with events; newest means largest",
    "uuid": "Given by the page that sent it, so that nothing is stored twice",
    "received_at": "When the server stored it (UTC)",
    "client_at": "When the assessor's browser says it was given",
    "assessor": "Who judged: an id of the table person, or a name in campaigns begun before there was one",
    "topic": _TOPIC,
    "document": _DOCUMENT,
    "pool": "The pool that brought the pair in; empty for judgments from elsewhere",
    "text_hash": "SHA-256 of the text that was shown, as in the table of documents",
    "topic_version": "The event that wrote the topic's text as it was shown",
    "guideline_version": "The event that wrote the guidelines as they stood",
    "kind": "grade, can't tell, cleared, import, adjudication or model; repeat and norming never count",
    "grade": "0 is not relevant, positive is relevant, negative is special; empty for can't tell and cleared",
    "replaces": "The judgment that the assessor saw and changed, by its place in the log",
    "active_seconds": "How long the assessor was at work on the document",
    "comment": "What the assessor wrote beside it, or its salted SHA-256: then the table remark has it",
    "source": "screen for the judging page, else the file it was read from",
    "input": "How it was given: key, button, or the same grade as a near duplicate",
    "same_as": "The near duplicate whose grade was taken over",
    "rationales": "JSON array of [field, start, end, text], the pieces kept as reasons; or its salted SHA-256",
    "hash": "SHA-256 of the hash before it and this row, so that a changed past is seen",
    "source_class": "Where it comes from, which its kind tells: assessor, adjudicator, import or model",
}

TABLES: dict[str, Described] = {
    "topic": Described(
        "A topic with its newest text. Earlier texts are in the log.",
        {
            "topic": _TOPIC,
            "title": "A few words, as typed into a search box",
            "description": "What is asked for, in a sentence",
            "narrative": "What makes a document relevant, and what does not",
            "fields": "JSON object of the other fields of the topic file",
            "version": "The event that wrote this text, by its place in the log",
        },
        label="title",
    ),
    "document": Described(
        "A document that is pooled or judged, or any other that was kept.",
        {
            "document": _DOCUMENT,
            "title": "The title, if it has one",
            "text": "The whole text; empty where no file with it has been added",
            "media_type": "text/plain, text/html, text/markdown or text/x-code",
            "fields": "JSON object of the other fields of the document's file",
            "text_hash": "SHA-256 of the JSON array [title, media_type, fields, text]",
            "source": "The file it was read from",
        },
        label="title",
    ),
    "page_image": Described(
        "A page of a PDF as an image, to be looked at beside its text, which is what is judged.",
        {
            "document": _DOCUMENT,
            "page": "The page, counted from 1",
            "width": "In pixels",
            "height": "In pixels",
            "image": "A PNG",
        },
    ),
    "run": Described(
        "A run as it was submitted. Its rankings are in the table of rankings, and decoded by the query “One ranking”.",
        {
            "run": "The run's number in this campaign",
            "tag": "The run's name",
            "team": "Who sent it",
            "file": "The file it was read from",
            "sha256": "SHA-256 of that file",
            "lines": "Ranked documents over all topics",
            "topics": "Topics with at least one document",
            "contributes": "1 if pools draw on it unless told otherwise",
            "header": "The comment lines of that file",
            "rankings_sha256": "Checksum of all its rankings",
            "seq": "The event that added it, by its place in the log",
            "withdrawn": "The event that took it out of pools and scores; empty while it takes part",
            "warnings_sha256": "Checksum of its warnings",
        },
        label="tag",
    ),
    "run_warning": Described(
        "What deserved a look when a run was added.",
        {
            "run": "The run",
            "place": "Counts the warnings of a run from 1",
            "line": "The line of the file, if it is about one",
            "message": "What was found",
        },
    ),
    "ranking": Described(
        "One run's documents for one topic in rank order, packed. The query “One ranking” shows them one by one.",
        {
            "run": "The run",
            "topic": _TOPIC,
            "documents": "Numbers into the topic's vocabulary in rank order, unsigned 32-bit, little-endian",
            "scores": "The scores in the same order, 64-bit floats, little-endian",
        },
    ),
    "vocabulary": Described(
        "The documents that runs retrieved for a topic, numbered for the packed rankings.",
        {
            "topic": _TOPIC,
            "first": "The number of the first document here; the others follow",
            "documents": "JSON array of document ids",
        },
    ),
    "pool": Described(
        "A pool as it was asked for. Pairs that an earlier pool has stay with that one.",
        {
            "pool": "The pool's number",
            "strategy": "How pairs were chosen",
            "parameters": "JSON object of the strategy's parameters, such as the depth",
            "ties": "The order of documents with equal scores, by document id",
            "runs": "JSON array of the tags of the runs it draws on",
            "viewing": "The order in which an assessor sees a topic's pairs",
            "seed": "What a shuffled order depends on, besides the assessor",
            "pairs": "Pairs that this pool added to those before it when it was made",
            "seq": "The event that made it, by its place in the log",
            "pairs_sha256": "Checksum of the pairs that this pool added when it was made",
            "retired": "The event that took the pool out again; empty while it is in force",
        },
    ),
    "withdrawn_topic": Described(
        "A time during which a topic is withdrawn: it has no labels, no scores and no pooled pairs then.",
        {"topic": _TOPIC, "withdrawn": "The event that began it", "restored": "The event that ended it"},
    ),
    "retired_pair": Described(
        "A pair of a pool that was retired, or of a topic that is withdrawn: it is not to be judged any more.",
        {
            "pool": "The pool that had brought it in",
            "topic": _TOPIC,
            "document": _DOCUMENT,
            "best_rank": "The best rank that any of the pool's runs gave it, from 1; 0 where none has it",
            "runs": "How many of the pool's runs brought it in",
            "stratum": "The stratum of a sampled pool; 1 where all pairs are to be judged",
            "inclusion_probability": "The chance it had to be chosen; 1 where all pairs are to be judged",
            "choice": _CHOICE,
        },
    ),
    "pooled": Described(
        "A pair of topic and document that is to be judged.",
        {
            "topic": _TOPIC,
            "document": _DOCUMENT,
            "pool": "The pool that brought it in",
            "best_rank": "The best rank that any of the pool's runs gave it, from 1; 0 where none has it",
            "runs": "How many of the pool's runs brought it in",
            "stratum": "The stratum of a sampled pool; 1 where all pairs are to be judged",
            "inclusion_probability": "The chance it had to be chosen; 1 where all pairs are to be judged",
            "choice": _CHOICE,
        },
    ),
    "judgment": Described(
        "What one assessor said of one document for one topic. Rows are only ever appended.", _JUDGMENT
    ),
    "current_judgment": Described(
        "What is in force: each assessor's newest own judgment of each pair, and of each pair the newest adjudication, "
        "which is not an assessor's own (see its kind). Repeats, norming sessions and labels of models are left out.",
        _JUDGMENT,
    ),
    "model_label": Described(
        "Each model's newest label of each pair. Whether it counts, where no person gave one, is a setting.",
        {
            "topic": _TOPIC,
            "document": _DOCUMENT,
            "model": "The model's name",
            "grade": _JUDGMENT["grade"],
            "seq": "The row of the log that gave it",
        },
    ),
    "qrel": Described(
        "The label of each pair: the one grade that counts, by the campaign's rule.",
        {
            "topic": _TOPIC,
            "document": _DOCUMENT,
            "grade": _JUDGMENT["grade"],
            "seq": "The judgment that gave it, by its place in the log",
            "rule": "Which of several assessors' grades counts; majority where that is said by a model, not in SQL",
        },
    ),
    "rationale": Described(
        "A piece of a document that an assessor kept as a reason.",
        {
            "judgment": "The judgment it belongs to, by its place in the log",
            "place": "Counts the pieces of a judgment from 1",
            "field": "title or text",
            "start": f"Where the piece begins in the field, {_SPAN}",
            "end": f"Where it ends, {_SPAN}, itself not included",
            "text": "What is there",
        },
    ),
    "event": Described(
        "Everything else that changes a number, in one sequence with the judgments. Rows are only ever appended.",
        {
            "seq": "The place in the log",
            "at": "When it was written (UTC)",
            "actor": "Who did it, an id of the table person or a name",
            "kind": "settings, topics, source, run, pool, member, and others",
            "content": "JSON object with all that is needed to do it again",
            "hash": _JUDGMENT["hash"],
        },
    ),
    "setting": Described(
        "A setting as it stands now: title, grades, guidelines and others.",
        {"name": "The setting", "value": "Its value as JSON", "seq": _SEQ},
    ),
    "member": Described(
        "A person with a role in this campaign.",
        {
            "name": "The person's name",
            "role": "organiser, adjudicator, assessor, participant, observer, or none",
            "seq": _SEQ,
            "team": "The team whose runs a participant sees",
        },
    ),
    "source": Described(
        "A file or folder of documents as it was read.",
        {
            "source": "The source's number",
            "path": "Where it lay",
            "size": "Its size in bytes",
            "sha256": "Its SHA-256",
            "documents": "How many documents it holds",
            "seq": "The event that recorded it, by its place in the log",
        },
        label="path",
    ),
    "source_documents": Described(
        "The ids of all documents of a source.",
        {"source": "The source", "part": "Counts parts of 100,000 ids", "ids": "Lines of text, by zlib"},
        hidden=True,
    ),
    "near_duplicate": Described(
        "A pooled document of a topic that is almost the same as others of that topic.",
        {"topic": _TOPIC, "document": _DOCUMENT, "first": "The first of the group, by which it is known"},
    ),
    "compared": Described(
        "How many texts of a topic near duplicates were looked for in.",
        {"topic": _TOPIC, "texts": "Texts that the topic's pooled documents had then"},
        hidden=True,
    ),
    "later": Described(
        "A document that an assessor put off.",
        {"assessor": "The assessor", "topic": _TOPIC, "document": _DOCUMENT},
        hidden=True,
    ),
    "own_term": Described(
        "A term that an assessor has highlighted.",
        {
            "number": "Orders the terms; the remainder of its division by five is the term's colour",
            "assessor": "The assessor",
            "topic": _TOPIC,
            "term": "The term",
        },
        hidden=True,
    ),
    "unmarked_term": Described(
        "A word of a topic that an assessor has switched off.",
        {"assessor": "The assessor", "topic": _TOPIC, "term": "The word as the topic has it"},
        hidden=True,
    ),
    "preference": Described(
        "A setting of an assessor's screen.",
        {"assessor": "The assessor", "name": "The setting", "value": "Its value as JSON"},
        hidden=True,
    ),
    "assignment": Described(
        "A topic that an assessor is to judge.",
        {
            "topic": _TOPIC,
            "assessor": "The assessor",
            "part": "whole for all its pairs, second for those that are judged twice",
            "seq": _SEQ,
            "place": "Counts the assignments of that event from 0, in the order of the list they came from",
        },
    ),
    "former_assignment": Described(
        "A topic that an assessor was to judge once; what was judged then stays.",
        {
            "topic": _TOPIC,
            "assessor": "The assessor",
            "part": "whole for all its pairs, second for those that are judged twice",
            "seq": "The event that ended it, by its place in the log",
        },
        hidden=True,
    ),
    "claim": Described(
        "A topic that an assessor has taken for a while.",
        {"topic": _TOPIC, "assessor": "The assessor", "until": "When it is free again (UTC)"},
        hidden=True,
    ),
    "closed_topic": Described("A topic of which nothing is judged any more.", {"topic": _TOPIC, "seq": _SEQ}),
    "drawn_pair": Described(
        "A pair that was drawn to be judged by a second assessor.",
        {
            "topic": _TOPIC,
            "document": _DOCUMENT,
            "stratum": "The group of pairs it was drawn from",
            "inclusion_probability": "The probability with which it was drawn",
            "seq": "The draw, by its place in the log",
        },
    ),
    "norming": Described(
        "A session in which all assessors judge the same few documents.",
        {
            "norming": "Counts the sessions",
            "topic": _TOPIC,
            "counts": "1 if its grades were taken over as grades that count when it was closed",
            "opened": "When it was opened, by its place in the log",
            "revealed": "When the grades were shown to all, by its place in the log",
            "closed": "When it ended, by its place in the log",
        },
    ),
    "norming_document": Described(
        "A document of a norming session.",
        {"norming": "The session", "document": _DOCUMENT, "place": "Its place in the session, from 1"},
    ),
    "person": Described(
        "A person whom the log names by an id; no hash covers the names.",
        {
            "id": "The id, random",
            "name": "The name of the person's account; empty once it is erased",
            "shown": "The name that pages, commands and exports show",
            "state": "named, hidden or erased",
        },
        label="shown",
    ),
    "remark": Described(
        "The words of a judgment whose row in the log has salted hashes of them.",
        {
            "judgment": "The judgment, by its place in the log",
            "salt": "What the hashes are salted with; empty once the words are erased",
            "comment": "What the assessor wrote beside it",
            "rationales": "JSON array of [field, start, end, text], the pieces kept as reasons",
        },
        hidden=True,
    ),
}
