"""Tables of the documents that `workbench pooling simulate` makes hold what it says now, to the last digit."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.at_length import at_length
from tests.document_tables import table, three_digits
from workbench.campaign.ingest import add_documents, add_qrels, add_runs
from workbench.campaign.pools.making import add_pool
from workbench.cli import main
from workbench.core.records import Topic
from workbench.formats.topics.reading import read_topics
from workbench.storage.campaign import create_campaign
from workbench.storage.campaign.collection import topics

pytestmark = pytest.mark.data


def simulated(*words: str) -> list[dict[str, str]]:
    result = CliRunner().invoke(main, ["simulate", *words, "--format", "csv"], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return list(csv.DictReader(io.StringIO(result.stdout)))


def collection(folder: Path, qrels: str) -> list[str]:
    return [str(folder / qrels), *map(str, sorted((folder / "runs").iterdir()))]


def test_shares_found_in_cranfield(data_folder: Path) -> None:
    held = table("Strategy", "5 %", "10 %", "20 %", "30 %")
    strategies = [word for name in ("depth", "rrf", "hedge") for word in ("--strategy", name)]
    files = collection(data_folder / "cranfield", "trec-xml/cranqrel.trec.txt")
    replays = simulated(*files, *strategies, "--budget", "5,10,20,30")
    for name in ("depth", "rrf", "hedge"):
        found = [three_digits(float(row["recall"])) for row in replays if row["strategy"] == name]
        assert (name, found) == (name, held[name])


@pytest.mark.slow
def test_shares_that_texts_find_in_cranfield(data_folder: Path, tmp_path: Path) -> None:
    held = table("Strategy", "5 %", "10 %", "20 %", "30 %")
    folder, file = data_folder / "cranfield", tmp_path / "cranfield.db"
    qrels, *runs = collection(folder, "trec-xml/cranqrel.trec.txt")
    # Runs and judgments count topics by position, and the file of topics has ids of its own.
    titles = [topic.title for topic in read_topics(str(folder / "trec-xml/cran.qry.xml")).topics]
    with create_campaign(file) as campaign:
        with campaign.write():
            numbered = [Topic(str(number), title) for number, title in enumerate(titles, start=1)]
            topics.put(campaign.by("olga"), numbered, files=[])
        add_documents(campaign.by("olga"), [str(folder / "trec-xml/cran.all.1400.xml")], keep_all=True)
        add_runs(campaign.by("olga"), runs)
        add_pool(campaign.by("olga"), depth=100)
        add_qrels(campaign.by("olga"), [qrels])
    replays = simulated(str(file), "--strategy", "cal", "--budget", "5,10,20,30", "--seeds", "1")
    assert [three_digits(float(row["recall"])) for row in replays] == held["cal"]


@pytest.mark.slow
def test_strategies_on_robust03(data_folder: Path) -> None:
    held = table("Strategy", "Recall", "tau", "tau_AP", "RMSE")
    names = at_length([*held], ["depth", "rrf", "hedge", "random", "mtf", "separate"])
    strategies = [word for name in names for word in ("--strategy", name)]
    replays = simulated(*collection(data_folder / "robust03", "qrels.txt"), "--budget", "10", *strategies)
    columns = ("recall", "tau", "tau_ap", "rmse")
    found = {row["strategy"]: [three_digits(float(row[column])) for column in columns] for row in replays}
    assert found == {name: held[name] for name in names}
