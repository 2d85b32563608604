"""Charts as files, made on this machine: nothing here needs a network."""

from __future__ import annotations

import csv
import json
import struct
from xml.etree import ElementTree

import altair
import pytest

from workbench.methods.charts import FORMATS, Chart
from workbench.methods.charts.chart import chart_of, field
from workbench.methods.charts.style import UNJUDGED
from workbench.methods.charts.topics import MapStretch, colours_of, topic_map, topic_spreads

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def scores() -> Chart:
    rows = [
        {"topic": "1", "lowest": 0.25, "median": 0.5, "highest": 1.0},
        {"topic": "2", "lowest": 0.0, "median": 0.0, "highest": 0.0},
    ]
    return topic_spreads("RBP(p=0.8)", 3, rows)


@pytest.fixture(scope="module")
def ranks() -> Chart:
    colours = colours_of({0: "Not relevant", 1: "Relevant"}, relevant_from=1)
    return topic_map(
        "1",
        ["alpha"],
        colours,
        [MapStretch("alpha", 1, 3, "Relevant"), MapStretch("alpha", 4, 9, "Unjudged")],
    )


def test_svg_is_a_picture_with_words_and_no_inline_style(scores: Chart) -> None:
    drawn = FORMATS["svg"].write(scores).decode()
    words = ["".join(one.itertext()) for one in ElementTree.fromstring(drawn).iter(f"{SVG}text")]
    assert {"RBP(p=0.8) of 3 runs", "Topic, the hardest first", "1", "2"} <= set(words)
    assert "style=" not in drawn
    assert "<script" not in drawn


def test_only_what_is_unjudged_is_hatched(ranks: Chart, scores: Chart) -> None:
    drawn = FORMATS["svg"].write(ranks).decode()
    assert '<pattern id="unjudged"' in drawn
    assert drawn.count('fill="url(#unjudged)"') == 2  # the stretch, and the legend's sample
    assert f'fill="{UNJUDGED}"' not in drawn.partition("</defs>")[2]
    assert b"<pattern" not in FORMATS["svg"].write(scores)


def test_png_has_two_pixels_for_each_unit_and_a_white_ground(ranks: Chart) -> None:
    picture = FORMATS["png"].write(ranks)
    assert picture.startswith(b"\x89PNG\r\n")
    width, height = struct.unpack(">II", picture[16:24])
    drawn = ElementTree.fromstring(FORMATS["svg"].write(ranks))
    assert abs(width - 2 * float(drawn.attrib["width"])) <= 2
    assert abs(height - 2 * float(drawn.attrib["height"])) <= 2


def test_pdf_is_one_page_and_csv_and_json_have_all_that_the_chart_has(scores: Chart) -> None:
    page = FORMATS["pdf"].write(scores)
    assert page.startswith(b"%PDF-")
    assert page.rstrip().endswith(b"%%EOF")
    lines = FORMATS["csv"].write(scores).decode().splitlines()
    assert lines == ["topic,lowest,median,highest", "1,0.25,0.5,1.0", "2,0.0,0.0,0.0"]
    assert json.loads(FORMATS["json"].write(scores)) == json.loads(json.dumps(scores.spec))
    with pytest.raises(ValueError, match="JSON"):
        FORMATS["json"].write(scores._replace(spec={"value": float("nan")}))


def test_csv_runs_nothing_in_a_spreadsheet_and_rows_may_lack_columns(ranks: Chart) -> None:
    evil = ranks._replace(rows=[{"run": "=SUM(A1)", "first": 1}])
    assert next(csv.DictReader(FORMATS["csv"].write(evil).decode().splitlines()))["run"] == "'=SUM(A1)"
    uneven = ranks._replace(rows=[{"run": "alpha"}, {"first": 1}])
    assert FORMATS["csv"].write(uneven) == b"run,first\nalpha,\n,1\n"


def bars() -> Chart:
    rows = [{"run": "alpha", "P.5": 0.4}, {"run": "beta", "P.5": 0.2}]
    drawing = altair.Chart(altair.NamedData(name="rows")).mark_bar().encode(y="run:N", x=f"{field('P.5')}:Q")
    return chart_of("bars", "What two runs score", drawing, rows)


def test_a_chart_is_its_specification_with_its_rows_inside() -> None:
    chart = bars()
    assert chart.spec["datasets"] == {"rows": [{"run": "alpha", "P.5": 0.4}, {"run": "beta", "P.5": 0.2}]}
    assert chart.spec["data"] == {"name": "rows"}


@pytest.mark.parametrize(
    ("name", "escaped"), [("AP", "AP"), ("RBP(p=0.8)", "RBP(p=0\\.8)"), ("a[1]", "a\\[1\\]")]
)
def test_a_name_with_signs_of_a_path_is_still_a_name(name: str, escaped: str) -> None:
    assert field(name) == escaped
