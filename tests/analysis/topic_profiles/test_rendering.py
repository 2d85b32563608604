"""The table of topics for other programs."""

from __future__ import annotations

from workbench.analysis.topic_profiles import as_sheet, topic_table
from workbench.core.results import content
from workbench.formats.tables.csv_cells import as_csv
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.log import log


def test_csv_has_a_line_for_each_topic_and_nothing_where_there_are_no_scores(judged: Campaign) -> None:
    head, one, two, ten = as_csv(as_sheet(topic_table(judged)))
    assert head == ("topic,title,runs,pooled,judged,waiting,relevant,lowest,median,mean,highest,place\n")
    assert one == f"1,frozen rivers,2,3,2,1,1,{1 / 3!r},{2 / 3!r},{2 / 3!r},1.0,1\n"
    assert ten == "10,deep seas,1,1,0,1,0,,,,,\n"
    assert two == "2,warm lakes,2,3,1,2,1,0.5,0.75,0.75,1.0,2\n"


def test_json_names_the_row_of_the_log(judged: Campaign) -> None:
    table = topic_table(judged)
    found = content(table)
    assert (found["seq"], found["measure"], found["runs"]) == (log.newest_seq(judged), "AP", 2)
    assert [found["topics"][1][name] for name in ("lowest", "mean", "highest")] == [0.5, 0.75, 1.0]
    assert found["topics"][2]["median"] is None
