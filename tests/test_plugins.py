"""A package beside the workbench adds parts of each kind, and one that is broken stops nothing else."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.sentences import says

EXAMPLE = Path(__file__).parent / "plugin"
ROOT = Path(__file__).resolve().parent.parent
FILES = {
    "docs.cards": "document d1 Deep water\ndocument d2 Wide river\ndocument d3 A bank\n",
    "topics.cards": "topic 1 Rivers\ntopic 2 Banks\n",
    "alpha.cards": "run 1 d1 3.0\nrun 1 d2 2.0\nrun 2 d3 1.0\n",
    "beta.cards": "run 1 d2 3.0\nrun 1 d1 2.0\nrun 2 d3 1.0\n",
    "qrels.txt": "1 0 d1 1\n1 0 d2 1\n2 0 d3 0\n",
}
MAKING = (
    "new rivers --title Rivers --grades 0:No,1:Yes",
    "add topics rivers topics.cards",
    "add documents rivers docs.cards",
    "add runs rivers alpha.cards beta.cards",
    "pool rivers --strategy agreed --set depth=5",
    "add qrels rivers qrels.txt",
)
PAGES = """
import json, sys
from pathlib import Path
from workbench.people.accounts import add_account, begin_session, open_accounts
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.people import members
from workbench.web.app import create_app
with open_accounts(Path("instance")) as accounts:
    add_account(accounts, "Anna", "a river that is deep")
    token = begin_session(accounts, "Anna")
with open_campaign(Path("instance/rivers.db")) as campaign, campaign.write():
    members.put(campaign.by("anna"), "Anna", "organiser", team="")
app = create_app(Path("instance"))
client = app.test_client()
with client.session_transaction() as session:
    session.update(token=token)
answers = [client.get(address) for address in sys.argv[1:]]
print("\\n" + json.dumps([[each.status_code, each.text] for each in answers]))
app.extensions["workbench_connections"].close()
"""
BROKEN = {
    "absent": "import no_such_module",
    "exits": "import sys; sys.exit(3)",
    "taken": '@measure("AP")\ndef own(judged: JudgedRankings) -> FloatArray:\n    "Ours."',
    "undocumented": '@measure("Own")\ndef own(judged: JudgedRankings) -> FloatArray: ...',
    "untyped": '@measure("Own")\ndef own(judged: JudgedRankings, *, of: set[int]):\n    "Ours."',
    "early": "from workbench.plugins import of_tomorrow",
    "suffix": '@reader(".json")\ndef own(data: bytes, name: str):\n    "Ours."',
}
FAILING = {
    "Error": 'raise ValueError("no water")',
    "Recursion": "return own(judged)",
    "End": "raise SystemExit(3)",
    "Memory": "raise MemoryError",
    "One": "return np.float64(1)",
    "Few": "return np.zeros(1)",
    "Words": 'return np.array(["a"] * len(judged.topic))',
}
USES = "from workbench.plugins import *\nimport numpy as np\n"


class Place(NamedTuple):
    """A folder with a campaign, and the folders of the plugins that programs there see."""

    folder: Path
    plugins: tuple[Path, ...]

    def run(self, words: str, *, refuses: bool = False, **environment: str) -> str:
        """Standard output, and standard error behind it, of a command."""
        return self.program([sys.executable, "-m", "workbench", *words.split()], refuses, environment)

    def pages(self, *addresses: str) -> list[tuple[int, str]]:
        """Status and text of what an organiser is shown."""
        said = self.program([sys.executable, "-c", PAGES, *addresses], False, {})
        line = next(line for line in said.splitlines() if line.startswith("[["))
        return [tuple(each) for each in json.loads(line)]

    def with_plugin(self, code: str, *, name: str = "broken", requires: str = "") -> Place:
        """The same with a plugin of version 2.0 beside the others, as pip would have put it there."""
        site = self.folder / name
        described = site / f"{name}-2.0.dist-info"
        described.mkdir(parents=True)
        needs = f"Requires-Dist: {requires}\n" if requires else ""
        (described / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 2.0\n{needs}")
        (described / "entry_points.txt").write_text(f"[relevance_workbench]\nparts = parts_of_{name}\n")
        (site / f"parts_of_{name}.py").write_text(USES + code)
        return self._replace(plugins=(*self.plugins, site))

    def program(self, command: list[str], refuses: bool, environment: dict[str, str]) -> str:
        """The same of any program, which has to end with status 1 if it refuses."""
        path = os.pathsep.join(map(str, [ROOT, *self.plugins]))
        done = subprocess.run(
            command,
            cwd=self.folder,
            env=os.environ | {"PYTHONPATH": path} | environment,
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        assert done.returncode == int(refuses), done.stdout + done.stderr
        return done.stdout + done.stderr


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where pip has put the example; no network."""
    source, target = tmp_path_factory.mktemp("source") / "plugin", tmp_path_factory.mktemp("site")
    shutil.copytree(EXAMPLE, source)
    offline = ["--no-index", "--no-deps", "--no-build-isolation", "--disable-pip-version-check"]
    subprocess.run(
        [sys.executable, "-m", "pip", "install", "-q", *offline, "--target", target, source], check=True
    )
    return target


@pytest.fixture(scope="module")
def made(installed: Path, tmp_path_factory: pytest.TempPathFactory) -> Place:
    place = Place(tmp_path_factory.mktemp("work"), (installed,))
    for name, text in FILES.items():
        (place.folder / name).write_text(text)
    for words in MAKING:
        place.run(words)
    return place


@pytest.fixture
def place(made: Place, tmp_path: Path) -> Place:
    """A campaign that was made with the example."""
    return made._replace(folder=Path(shutil.copytree(made.folder, tmp_path / "work")))


def test_the_example_uses_each_decorator_and_nothing_but_the_door() -> None:
    import workbench.plugins as door

    code = (EXAMPLE / "workbench_example.py").read_text()
    decorators = {
        "measure",
        "strategy",
        "reader",
        "renderer",
        "prompt",
        "figure",
        "analysis",
        "export",
        "rendering",
    }
    assert decorators <= set(door.__all__)
    assert {line[1:].partition("(")[0] for line in code.splitlines() if line.startswith("@")} == decorators
    assert all(
        line.startswith("from workbench.plugins ")
        for line in code.splitlines()
        if "import" in line and "workbench." in line
    )


def test_the_version_lists_what_plugins_add(place: Place) -> None:
    assert says(place.run("--version"), "workbench-example 1.0", "measure Enough", "prompt yes-or-no")


def test_the_command_line_has_each_part(place: Place) -> None:
    scores = json.loads(
        place.run("score rivers -m Enough@2 -m RR --format json").partition("\nEnough@2 is")[0]
    )
    assert [run["scores"]["Enough@2"] for run in scores["runs"]] == [0.5, 0.5]
    assert scores["plugins"] == {"Enough@2": "workbench-example 1.0"}
    assert place.run("score rivers -m RR --format means").startswith("alpha 0.5000\nbeta 0.5000\n")
    assert "Enough@2              \tall\t0.5000" in place.run("eval -m Enough@2 qrels.txt alpha.cards")
    assert place.run("export positive rivers") == "1 d1\n1 d2\n"
    assert (
        place.run("analyse long-runs rivers --set least=3 --format csv") == "run,documents\nalpha,3\nbeta,3\n"
    )
    assert "least is 0" in place.run("analyse long-runs rivers --set least=0", refuses=True)
    assert says(place.run("analyse plot rivers run-lengths -o lengths.svg"))
    assert "1,536" in place.run("judge-by-model rivers --judge a --model b --prompt yes-or-no --dry-run")


@pytest.mark.parametrize(
    ("words", "name"),
    [
        ("analyse measures", "Enough"),
        ("pooling strategies", "agreed"),
        ("analyse figures", "run-lengths"),
        ("analyse --help", "long-runs"),
        ("export --help", "positive"),
        ("score --help", "means"),
    ],
)
def test_lists_have_its_name(place: Place, words: str, name: str) -> None:
    assert name in place.run(words)


def test_a_plugin_that_is_switched_off_adds_nothing(place: Place) -> None:
    off = place.run("analyse measures", WORKBENCH_WITHOUT_PLUGINS="other, workbench_example")
    assert "nDCG" in off
    assert "Enough" not in off
    assert off == place._replace(plugins=()).run("analyse measures")


def test_pages_and_the_api_have_each_part(place: Place) -> None:
    *got, described = place.pages(
        "/c/rivers/board?m=Enough@2",
        "/c/rivers/pool?strategy=agreed",
        "/c/rivers/of-plugins/long-runs",
        "/c/rivers/api/of-plugins/long-runs?least=2",
        "/c/rivers/figures/run-lengths.svg",
        "/c/rivers/download/positive",
        "/c/rivers/models",
        "/c/rivers/document-frame?topic=1&document=d1",
        "/api/openapi.json",
    )
    assert [status for status, _ in got] == [200] * len(got), [
        text[:300] for status, text in got if status != 200
    ]
    board, pool, page, numbers, _, positive, models, document = (text for _, text in got)
    assert "Enough@2" in board
    assert 'name="least"' in pool
    assert "Long runs" in page
    assert json.loads(numbers)["runs"][0] == {"run": "alpha", "documents": 3}
    assert positive == "1 d1\n1 d2\n"
    assert "yes-or-no" in models
    assert "<em>" in document
    assert "alert(1)" not in document
    assert {"LongRuns", "RunLength"} <= json.loads(described[1])["components"]["schemas"].keys()


def test_plugins_that_are_broken_are_off_and_the_others_work(place: Place) -> None:
    for name, code in BROKEN.items():
        place = place.with_plugin(code, name=name)
    place = place.with_plugin("", name="newer", requires="relevance-workbench>=99")
    place = place.with_plugin("", name="other", requires='relevance-workbench>=99; extra == "more"')
    place = place.with_plugin("", name="half")
    (place.plugins[-1] / "half-2.0.dist-info" / "METADATA").write_bytes(b"Name: \xff")
    version = place.run("--version")
    assert "plugin other 2.0: adds nothing" in version
    assert "plugin half 2.0: switched off" in version
    for name in (*BROKEN, "newer"):
        (line,) = (each for each in version.splitlines() if f"plugin {name} 2.0" in each)
        assert says(line, f"pip uninstall {name}", f"WORKBENCH_WITHOUT_PLUGINS={name}")
    assert "example 1.0: measure Enough" in version
    assert "2.0: measure Own" not in version
    assert "0.5000" in place.run("score rivers -m Enough@2")


def test_measures_that_fail_leave_the_others(place: Place) -> None:
    code = "".join(
        f'@measure("{name}")\ndef own(judged: JudgedRankings) -> FloatArray:\n    "Ours."\n    {what}\n'
        for name, what in FAILING.items()
    )
    place, names = place.with_plugin(code), " ".join(f"-m {name}" for name in ("RR", *FAILING))
    said = place.run(f"score rivers {names} --format csv", refuses=True)
    assert f"alpha,0.5{',nan' * len(FAILING)}" in said
    for name in FAILING:
        (line,) = (line for line in said.splitlines() if line.startswith(f"Measure {name} "))
        assert says(line, "broken 2.0", "pip uninstall broken")
    of_files = place.run(f"eval {names} --format csv qrels.txt alpha.cards", refuses=True)
    assert f"alpha,0.5{',nan' * len(FAILING)}" in of_files


def test_a_server_starts_with_a_broken_plugin_and_organisers_are_told(place: Place) -> None:
    (status, dashboard), (_, board) = place.with_plugin("1 / 0").pages(
        "/c/rivers/dashboard", "/c/rivers/board?m=RR"
    )
    assert status == 200
    assert says(dashboard, "Plugin broken 2.0", "ZeroDivisionError")
    assert "0.5000" in board


def test_a_board_shows_the_others_and_the_dashboard_says_what_failed(place: Place) -> None:
    code = '@measure("Own")\ndef own(judged: JudgedRankings) -> FloatArray:\n    "Ours."\n    1 / 0\n'
    (status, board), (_, news), (_, dashboard) = place.with_plugin(code).pages(
        "/c/rivers/board?m=RR&m=Own&sort=Own", "/c/rivers/api/board?m=RR&m=Own", "/c/rivers/dashboard"
    )
    assert status == 200
    assert "0.5000" in board
    assert "NaN" not in news
    assert says(dashboard, "Measure Own of plugin broken 2.0", "ZeroDivisionError")
    assert says(json.loads(news)["sentence"], "Own")


@pytest.mark.parametrize(
    ("code", "words"),
    [
        (
            '@strategy("own")\ndef own(rankings: Rankings) -> PoolPairs:\n    "Ours."\n',
            "pool rivers --strategy own",
        ),
        (
            '@figure("own")\ndef own(campaign: Campaign) -> Chart:\n    "Ours."\n',
            "analyse plot rivers own -o a.svg",
        ),
        (
            '@export("own", title="Own", ending="txt")\ndef own(campaign):\n    "Ours."\n    yield 1 / 0\n',
            "export own rivers",
        ),
        (
            '@reader(".own")\ndef own(data: bytes, name: str):\n    "Ours."\n    yield 1 / 0\n',
            "add runs rivers a.own",
        ),
        (
            '@reader(".own")\ndef own(data: bytes, name: str):\n    "Ours."\n    yield {"a": {1}}\n',
            "add runs rivers a.own",
        ),
    ],
)
def test_another_part_that_fails_is_named(place: Place, code: str, words: str) -> None:
    (place.folder / "a.own").write_text("1\n")
    assert says(place.with_plugin(code).run(words, refuses=True), "own" if "{1}" in code else "broken 2.0")


def test_a_document_whose_renderer_fails_is_shown_as_its_text(place: Place) -> None:
    code = '@renderer("text/x-card")\ndef own(text: str, *, latex: bool) -> str:\n    "Ours."\n    1 / 0\n'
    alone = place._replace(plugins=()).with_plugin(code)
    (status, document), (_, dashboard) = alone.pages(
        "/c/rivers/document-frame?topic=1&document=d1", "/c/rivers/dashboard"
    )
    assert status == 200
    assert "water" in document
    assert says(dashboard, "text/x-card of plugin broken 2.0")


def test_a_campaign_of_a_plugin_is_whole_without_it(place: Place) -> None:
    without = place._replace(plugins=())
    place.run("release bundle rivers -o rivers.zip")
    assert "RR" in without.run("score rivers")
    assert says(without.run("score rivers -m Enough@2", refuses=True), "Enough@2")
    assert says(without.run("campaign audit rivers"), "workbench-example 1.0")
    ((_, pool),) = without.pages("/c/rivers/pool")
    assert says(pool, "plugin workbench-example 1.0")
    assert says(without.run("release import-bundle copy rivers.zip", refuses=True), "workbench-example 1.0")
    place.run("release import-bundle copy rivers.zip")


def test_a_bundle_names_plugins_with_their_versions(place: Place) -> None:
    place.run("release bundle rivers -o rivers.zip")
    folder = place.folder / "opened"
    shutil.unpack_archive(place.folder / "rivers.zip", folder)
    (pools,) = folder.rglob("pools.json")
    assert json.loads(pools.read_text())[0]["plugin"] == "workbench-example 1.0"
    assert any('"plugin workbench-example": "1.0"' in each.read_text() for each in folder.rglob("*.json"))


def test_scores_of_files_load_no_plugin_that_they_do_not_need(place: Place) -> None:
    (place.folder / "alpha.run").write_text("1 Q0 d1 1 2.0 alpha\n")
    program = "import sys; from workbench.cli import main; "
    program += "main('eval -m AP qrels.txt alpha.run'.split(), standalone_mode=False); "
    program += (
        "print(sorted({'workbench_example', 'workbench.plugins', 'importlib.metadata'} & {*sys.modules}))"
    )
    assert "[]" in place.program([sys.executable, "-c", program], False, {})
