"""Agreement as sheets and as JSON."""

from __future__ import annotations

import json

from workbench.analysis.between_assessors import sheets
from workbench.analysis.between_assessors.coefficients import agreement
from workbench.analysis.between_assessors.effect import effect_of_disagreement
from workbench.core.results import content
from workbench.formats.tables.json_text import json_text
from workbench.storage.campaign import Campaign


def test_coefficients_stand_side_by_side_and_what_is_not_defined_says_so(disputed: Campaign) -> None:
    scope = agreement(disputed, "topic").scopes[1]
    rows = {str(row[0]): row[1:] for row in sheets.sheet_of_coefficients(scope).rows}
    assert list(rows)[:3] == ["raw agreement", "overlap", "Cohen's kappa"]
    assert len(rows) == 12
    assert rows["raw agreement"] == (1, None, None, 0, None, None)
    assert rows["overlap"] == (1, None, None, None, None, None)
    assert rows["Cohen's kappa"][0] == "not defined"


def test_the_table_of_two_assessors_names_them_and_every_grade(disputed: Campaign) -> None:
    found = agreement(disputed)
    (scope,) = found.scopes
    assert scope.table is not None
    sheet = sheets.sheet_of_table(found, scope, scope.table)
    assert [column.head for column in sheet.columns] == ["Ann \\ Ben", "-2", "0", "1", "2"]
    assert sheet.rows[3] == ("2", 0, 0, 1, 0)


def test_topics_and_pairs_of_assessors_are_rows(disputed: Campaign) -> None:
    topics = sheets.sheet_of_scopes(agreement(disputed, "topic"))
    assert [row[:5] for row in topics.rows] == [("1", 2, 2, 0, 0), ("2", 2, 1, 1, 1)]
    pairs = sheets.sheet_of_scopes(agreement(disputed, "pair"))
    assert [row[:3] for row in pairs.rows] == [("Ann", "Ben", 3)]
    assert {len(row) for row in topics.rows} == {len(topics.columns)}
    assert {len(row) for row in pairs.rows} == {len(pairs.columns)}


def test_rows_for_programs_have_every_coefficient_with_its_note(disputed: Campaign) -> None:
    sheet = sheets.sheet_of_values(agreement(disputed, "topic"))
    assert len(sheet.rows) == 2 * (6 + 11)
    undefined = [row for row in sheet.rows if row[3] is None]
    assert undefined
    assert all("not defined" in str(row[-1]) for row in undefined)


def test_views_and_ranges_have_a_row_each(disputed: Campaign) -> None:
    effect = effect_of_disagreement(disputed)
    views = sheets.sheet_of_views(effect)
    assert [row[0] for row in views.rows] == ["Ann", "Ben", "union", "intersection"]
    assert [row[-2:] for row in views.rows] == [(0, "")] * 4
    ranges = sheets.sheet_of_ranges(effect)
    assert [column.name for column in ranges.columns][-2:] == ["union", "intersection"]
    assert [row[0] for row in ranges.rows] == ["beta", "alpha"]
    told = json.loads(json_text(content(effect)))
    assert (told["seq"], told["measure"], told["views"][0]["boards"]["tau_b"]) == (effect.seq, "AP", 1)
    # As if alpha had stood first by the campaign's own grades.
    turned = effect.views[0].boards
    swapped = tuple(place._replace(rank=3 - place.rank) for place in turned.positions)
    falling = effect.views[0]._replace(boards=turned._replace(positions=swapped))
    assert sheets.sheet_of_views(effect._replace(views=(falling,))).rows[0][-2:] == (1, "alpha")


def test_everything_about_agreement_is_there_and_nothing_is_nan(disputed: Campaign) -> None:
    found = agreement(disputed, "topic")
    told = json.loads(json_text(content(found)))
    assert (told["seq"], told["by"], told["grades"]) == (found.seq, "topic", [-2, 0, 1, 2])
    topic = told["scopes"][1]
    assert topic["table"][3] == [0, 0, 1, 0]
    kappa = topic["relevant_or_not"][2]
    assert (kappa["name"], kappa["value"], kappa["interval"]) == ("Cohen's kappa", None, None)
    assert "not defined" in kappa["note"]
