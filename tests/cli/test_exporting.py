"""export: whole files or none, nothing but results on standard output."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.fixture_types import Fails, Workbench
from tests.log_rows import row
from tests.sentences import says
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.collection import runs
from workbench.storage.campaign.log import log


@pytest.fixture
def judged(done: Workbench) -> None:
    Path("q.txt").write_text("1 0 d1 1\n1 0 d4 -2\n2 0 d2 2\n", encoding="utf-8")
    done("add qrels small q.txt")


@pytest.mark.usefixtures("judged")
def test_qrels_on_standard_output_are_qrels_alone_special_ones_if_asked_for(done: Workbench) -> None:
    done("add qrels small - --assessor anna", given="1 0 d1 0\n")
    result = done("export qrels small")
    assert result.stdout == done("export qrels small -o -").stdout == "1 0 d1 0\n2 0 d2 2\n"
    assert says(result.stderr)  # one conflict, one special grade
    done("export qrels small --special -o out.txt")
    assert Path("out.txt").read_text(encoding="utf-8") == "1 0 d1 0\n1 0 d4 -2\n2 0 d2 2\n"


@pytest.mark.usefixtures("judged")
def test_the_other_exports_are_results_alone(done: Workbench) -> None:
    assert done("export pool small").stdout.startswith("1 d1\n1 d2\n")
    assert done("export pool small --as-of 5").stdout == ""
    assert done("export pool small --format csv").stdout.startswith("topic_id,document_id,pool,")
    told = [json.loads(line) for line in done("export judgments small").stdout.splitlines()]
    assert [(each["grade"], each["rationales"]) for each in told] == [(1, []), (-2, []), (2, [])]
    assert done("export rationales small").stdout == ""
    assert done("export scores small -m P@1").stdout == "run,P@1\nalpha,0.5\nbeta,0.5\n"
    with open_campaign("instance/small.db") as campaign, campaign.write():
        told = [("repeat", 0), ("norming", 2), ("adjudication", 0)]
        log.append_judgments(campaign, [row("Ann", "1", "d1", grade, kind=kind) for kind, grade in told])
    assert says(done("export judgments small").stderr)


def test_judgments_are_exported_for_other_tools_without_names_unless_they_are_wanted(done: Workbench) -> None:
    Path("book.csv").write_text("query,docid,Zoe\n1,d1,2\n", encoding="utf-8")
    done("add qrels small book.csv --names")
    for words, expected in (("", "assessor-1"), ("--names", "Zoe")):
        [task] = json.loads(done(f"export judgments small --format label-studio {words}").stdout)
        assert [each["assessor"] for each in task["annotations"]] == [expected]
    done("export judgments small --format quepid -o book.json")
    assert says(done("add qrels small book.json --assessor again --dry-run").stderr, "again-1")


@pytest.mark.usefixtures("judged")
def test_scores_in_a_layout_are_those_of_the_topics_and_the_means_of_the_csv(done: Workbench) -> None:
    of_topics = [
        line.split(",") for line in done("export topic-scores small -m P@1 -m num_rel").stdout.split()[1:]
    ]
    lines = done("export scores small -m P@1 -m num_rel --layout ir_measures").stdout.splitlines()
    expected = [
        f"{run}\t{topic}\t{measure}\t{value}"
        for run, _, topic, *values in of_topics
        for measure, value in zip(("P@1", "num_rel"), (values[0], f"{float(values[1]):.0f}"), strict=True)
    ]
    assert sorted(line for line in lines if "\tall\t" not in line) == sorted(expected)
    assert [line for line in lines if "\tall\t" in line] == [
        *("alpha\tall\tP@1\t0.5", "alpha\tall\tnum_rel\t2"),
        *("beta\tall\tP@1\t0.5", "beta\tall\tnum_rel\t2"),
    ]


def test_runs_go_into_a_folder_and_come_back_as_they_were(done: Workbench) -> None:
    assert done("export runs small -o out/").stderr == "2 runs written.\n"
    assert sorted(path.name for path in Path("out").iterdir()) == ["alpha.run", "beta.run"]
    done("new again")
    done("add runs again out/alpha.run out/beta.run")

    def checksums(path: str) -> list[str]:
        with open_campaign(path) as campaign:
            return [run.record.rankings_sha256 for run in runs.all_runs(campaign)]

    assert checksums("instance/again.db") == checksums("instance/small.db")


TAGS = ["../x", "a/b", ".", "..", "/etc/x", "=cmd|x", "@x", "-1+2", "100%", "%2E", "~", "$HOME", "雪", "a,b"]


def test_files_named_by_tags_stay_in_their_folder_and_apart(done: Workbench) -> None:
    done("new odd")
    for number, tag in enumerate(TAGS):
        Path(f"{number}.run").write_text(f"1 Q0 d{number} 1 3 {tag}\n", encoding="utf-8")
    done("add runs odd", *(f"{number}.run" for number in range(len(TAGS))))
    before = {path for path in Path().rglob("*") if path.is_file()}
    done("export runs odd -o out/")
    new = {path for path in Path().rglob("*") if path.is_file()} - before
    assert {path.parent for path in new} == {Path("out")}
    assert {path.read_text(encoding="utf-8").split()[-1] for path in new} == set(TAGS)
    assert Path("out/雪.run") in new


def test_one_run_goes_to_standard_output_or_a_file(done: Workbench, fails: Fails) -> None:
    shown = done("export runs small --run alpha -o -").stdout
    assert shown.splitlines()[0] == "1 Q0 d1 1 100.0 alpha"
    done("export runs small --run alpha --run alpha -o a.run")
    assert Path("a.run").read_text(encoding="utf-8") == shown
    fails("export runs small -o -", status=2)
    assert says(fails("export runs small -o alpha.run"))
    assert says(fails("export qrels small -o instance"))
    assert not Path("out").exists()
    fails("export runs small --run alpha --run gamma -o out/")
    assert not Path("out").exists()


def test_an_empty_campaign_exports_nothing_and_leaves_no_folder(done: Workbench) -> None:
    done("new web")
    for kind in ("qrels", "pool", "judgments"):
        assert done("export", kind, "web").stdout == ""
    assert done("export scores web").stdout.startswith("run,AP,")
    assert done("export runs web -o out/").stderr == "0 runs written.\n"
    assert not Path("out").exists()
