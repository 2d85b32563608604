"""Lists of people to invite."""

from __future__ import annotations

import pytest

from tests.sentences import says
from workbench.core.errors import InputError
from workbench.formats.people_lists import Invited, read_invitations, write_links
from workbench.formats.text.content import content_of


def read(text: str) -> list[Invited]:
    return read_invitations(content_of("people.csv", text.encode()))


def test_a_list_names_people_and_if_wanted_role_team_and_topics() -> None:
    text = (
        "Name;Role;Team;Topics\nAnn Lee;Assessor;;301, 302 301\n\nben@example.org;participant;  Oslo  1 ;\n"
    )
    assert read(text) == [
        Invited("Ann Lee", "assessor", "", ("301", "302"), 2),
        Invited("ben@example.org", "participant", "Oslo 1", (), 4),
    ]
    assert read("email\nann@example.org\n") == [Invited("ann@example.org", "", "", (), 2)]


@pytest.mark.parametrize(
    "text",
    [
        "who\nAnn\n",
        "name,age\nAnn,7\n",
        "name,email\nAnn,a@b\n",
        "name,team,team\nAnn,x,y\n",
        "name\n\n",
        "name,role\n,assessor\n",
        "name\nAnn\nBen\nANN\n",
    ],
)
def test_what_is_wrong_with_a_list_is_said_with_its_line(text: str) -> None:
    with pytest.raises(InputError) as error:
        read(text)
    assert says(str(error.value))


def test_links_are_a_table_that_a_spreadsheet_opens_without_running_anything() -> None:
    rows = [(Invited("=Ann", "assessor", "", ("1", "2"), 2), "https://example.org/x")]
    assert "".join(write_links(rows)) == (
        "name,role,team,topics,link\n'=Ann,assessor,,1 2,https://example.org/x\n"
    )
