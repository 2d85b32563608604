"""Whatever topics are withdrawn, commands and pages answer, and no number is over a topic that is out."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner
from flask.testing import FlaskClient

from tests.recorded.conftest import NOW
from tests.recorded.test_commands import COMMANDS
from tests.recorded.test_pages import FIGURES, PAGES
from workbench.analysis.figures import load_figures
from workbench.cli import main
from workbench.people.accounts import begin_session, open_accounts
from workbench.people.accounts.people import add_account
from workbench.web.app import create_app

OUT = [["1", "2", "3", "4", "5"], ["1", "2", "3", "4", "5", "6"]]
MORE = """
score C --format csv -m AP -m nDCG@10 -m RBP(p=0.8) -m Judged@10 -m ERR@10 -m Success@1
compare C --all --format csv
certain C -m AP --format csv
reuse C --by run --format csv
assessors C --format csv
conflicts C --format csv
export qrels C
export topic-scores C -m AP
export runs C --run sys0 -o -
""".strip().splitlines()
INTERFACE = "agreement board certain certain/history certain/witness?one=sys0&two=sys1 reuse stop".split()


@pytest.fixture(params=OUT, ids=len)
def fewer(eventful: Path, request: pytest.FixtureRequest) -> Path:
    """The eventful campaign without some of its six topics."""
    done = CliRunner().invoke(
        main, ["withdraw", "eventful", "--topics", *request.param], catch_exceptions=False
    )
    assert done.exit_code == 0, done.output
    return eventful


@pytest.mark.usefixtures("fewer")
def test_every_command_that_reads_answers() -> None:
    for words in COMMANDS + MORE:
        done = CliRunner().invoke(main, words.replace(" C", " eventful", 1).split(), catch_exceptions=False)
        assert done.exit_code in (0, 1), f"{words}: {done.output}"


@pytest.mark.slow
def test_every_page_and_figure_answers(fewer: Path) -> None:
    app = create_app(fewer.parent)
    with open_accounts(fewer.parent) as accounts:
        add_account(accounts.at(NOW), "Otto", "the password of Otto")
        token = begin_session(accounts, "Otto")
    client: FlaskClient = app.test_client()
    with client.session_transaction() as session:
        session.permanent = True
        session.update(token=token)
    pages = [line.split()[1] for line in PAGES if line.startswith("Otto")]
    figures = [f"figures/{name}.json?{FIGURES.get(name, '')}" for name in load_figures()]
    for address in [*pages, *figures, *(f"api/{one}" for one in INTERFACE)]:
        assert client.get(f"/c/eventful/{address}").status_code in (200, 202, 404, 422), address
    app.extensions["workbench_connections"].close()


def test_an_order_over_a_topic_that_is_out_says_so_and_what_to_do(eventful: Path) -> None:
    CliRunner().invoke(main, ["withdraw", str(eventful), "--topics", "1", "6"], catch_exceptions=False)
    refused = CliRunner().invoke(main, ["stop", str(eventful), "--pairs"])
    assert (refused.exit_code, refused.stderr) == (
        1,
        "topics of the order are withdrawn: 1, 6; restore them (workbench task withdraw --topics --restore), or pool "
        "in an order with another seed\n",
    )
    CliRunner().invoke(
        main, ["withdraw", str(eventful), "--topics", "1", "6", "--restore"], catch_exceptions=False
    )
    assert CliRunner().invoke(main, ["stop", str(eventful)]).exit_code == 0


def test_the_effect_of_disagreement_is_over_topics_that_take_part(eventful: Path) -> None:
    words = ["agreement", str(eventful), "-m", "AP"]
    before = CliRunner().invoke(main, words, catch_exceptions=False)
    CliRunner().invoke(main, ["withdraw", str(eventful), "--topics", "1"], catch_exceptions=False)
    after = CliRunner().invoke(main, words, catch_exceptions=False)
    assert (before.exit_code, after.exit_code) == (0, 0)
    assert before.output != after.output
