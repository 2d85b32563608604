"""Records of answers under other names of team and run, without what else says who sent them."""

from __future__ import annotations

from collections.abc import Mapping

from workbench.formats.answers.forms import FORMS, SENTENCES
from workbench.formats.text.json_values import JsonValue, json_of, loads

KEPT = {
    *("metadata", "topic", "topic_id", "narrative_id", "request_id", "title", "narrative"),
    *("question", "type", "task", "use_starter_kit", "collection_ids", "references"),
    *("response_length", "text", *SENTENCES),
    *(name for form in FORMS.values() for name in (form.topic, form.given, *form.cites) if name),
}
"""The fields that stay as they are; all others may name people, teams or programs."""


def renamed(record: str, team: str, run: str) -> str:
    """A record, a line of JSON, as if `team` had sent it in `run`; the texts of its sentences stay."""
    names = {"team_id": team, "run_id": run, "run_desc": run}

    def fields(node: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
        kept = {name: inside(name, each) for name, each in node.items() if name in KEPT}
        return kept | {name: each for name, each in names.items() if name in node}

    def inside(name: str, value: JsonValue) -> JsonValue:
        if name == "metadata" and isinstance(value, dict):
            return fields(value)
        if name in SENTENCES and isinstance(value, list):
            return [fields(each) if isinstance(each, dict) else each for each in value]
        return value

    return json_of(fields(loads(record)))
