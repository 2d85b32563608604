"""Lists of people to invite."""

from __future__ import annotations

import pytest

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
    ("text", "message"),
    [
        ("who\nAnn\n", "people.csv:1: the first line names no column 'name'"),
        ("name,age\nAnn,7\n", "people.csv:1: there is no column 'age'; a list has the columns name, role"),
        (
            "name,email\nAnn,a@b\n",
            "people.csv:1: the columns 'name' and 'email' both say who is invited; leave one of them",
        ),
        ("name,team,team\nAnn,x,y\n", "people.csv:1: column 'team' is there 2 times; leave one"),
        ("name\n\n", "people.csv: the list has no rows below its header"),
        ("name,role\n,assessor\n", "people.csv:2: the name is missing"),
        ("name\nAnn\nBen\nANN\n", "people.csv:4: ANN is invited in line 2 already; take one of the rows out"),
    ],
)
def test_what_is_wrong_with_a_list_is_said_with_its_line(text: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        read(text)
    assert message in str(error.value)


def test_links_are_a_table_that_a_spreadsheet_opens_without_running_anything() -> None:
    rows = [(Invited("=Ann", "assessor", "", ("1", "2"), 2), "https://example.org/x")]
    assert "".join(write_links(rows)) == (
        "name,role,team,topics,link\n'=Ann,assessor,,1 2,https://example.org/x\n"
    )
