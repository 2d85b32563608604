"""What every test may ask for: the folder of real files, a real browser, and a small campaign.

Away from CI a missing folder or browser skips a test and says why; with CI=true it is a failure.
"""

from __future__ import annotations

import fcntl
import gc
import importlib
import importlib.util
import json
import os
import shutil
import signal
import subprocess
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NoReturn

import pytest
from hypothesis import HealthCheck, settings
from playwright.sync_api import Browser, expect, sync_playwright

import tests.log_rows  # noqa: F401 - it declares a kind of event for tests
from tests import sentences
from tests.at_length import AT_LENGTH, at_length
from tests.clusters import scheduler_in
from tests.judged_pairs import judge_as, submission
from tests.made_once import make_once
from tests.stores import missing, object_store, web_server
from workbench.campaign.assessing import Receipt
from workbench.campaign.ingest import add_documents, add_qrels, add_runs, add_topics
from workbench.campaign.new_campaign import new_campaign
from workbench.campaign.pools.making import add_pool
from workbench.core.errors import Problem
from workbench.core.records import Grade, Judgment, Topic
from workbench.people.accounts import passwords
from workbench.storage.campaign import Campaign, open_campaign
from workbench.storage.campaign.collection import topics

# No test is timed: what takes its time on a busy machine is not wrong. Each run draws the same cases, so that a failure
# belongs to the change it is seen with. Tests at length draw more, and others each time.
settings.register_profile(
    "untimed",
    deadline=None,
    derandomize=not AT_LENGTH,
    max_examples=at_length(400, 20),
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("untimed")
expect.set_options(timeout=30_000)

# The real cost of a hash is a third of a second and 128 MB; tests make hundreds of accounts.
passwords.COST = "scrypt:128:8:1"

make_once()

make_problem = Problem.__new__


def _make_problem(
    kind: type[Problem], file: str, line: int | None, message: str, *named: str, **more: str
) -> Problem:
    """A problem, if its parts are in their places: most tests look at its message alone."""
    assert isinstance(file, str)
    assert isinstance(message, str)
    assert line is None or isinstance(line, int)
    return make_problem(kind, file, line, message, *named, **more)


Problem.__new__ = _make_problem  # type: ignore[method-assign, assignment]

ROOT = Path(__file__).resolve().parent.parent
# The first has the engine of the second, and no windows: each test opens one, which is half of the work of a page.
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
QUIET = [
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]

# In the whole of Chromium the window of each context would start two processes for what the address bar might propose,
# which nobody sees: two thirds of its processor time. Such a list replaces Playwright's own, which comes first here.
NO_FEATURES = """
AvoidUnnecessaryBeforeUnloadCheckSync DestroyProfileOnBrowserClose HttpsUpgrades HttpsFirstBalancedModeAutoEnable
LensOverlay MediaRouter PaintHolding ThirdPartyStoragePartitioning AvoidCorsURLLoaderRestartOnRedirect
OptimizationHints NetworkTimeServiceQuerying AimEnabled PreconnectToSearch
WebUIOmniboxPopup WebUIOmniboxAimPopup
""".split()


MEMORY = Path("/dev/shm")
ROOM = 4 << 30  # bytes


def pytest_configure() -> None:
    """Temporary folders stand in memory where there is room: tests commit to thousands of small databases, and each
    commit waits for a disk. PYTEST_DEBUG_TEMPROOT or --basetemp name another place.

    A folder of a test that passed goes with it (`tmp_path_retention_policy`). Where pytest was started in the
    background, it and all that it starts would ignore Ctrl-C, which tests send.
    """
    signal.signal(signal.SIGINT, signal.default_int_handler)
    if MEMORY.is_dir() and os.access(MEMORY, os.W_OK):
        about = os.statvfs(MEMORY)
        may_run_programs = not about.f_flag & os.ST_NOEXEC
        if may_run_programs and about.f_bavail * about.f_frsize >= ROOM:
            os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))


def pytest_collection(session: pytest.Session) -> None:
    """Of all tests, each worker reads a share of the files before the others': in a fresh checkout pytest compiles what
    it reads, which takes longer than all imports, and a worker finds compiled what another has read.
    """
    gc.disable()  # until pytest_runtestloop
    worker: dict[str, Any] | None = getattr(session.config, "workerinput", None)
    if worker is None or session.config.args_source is not pytest.Config.ArgsSource.TESTPATHS:
        return
    files = sorted(
        path for path in (ROOT / "tests").rglob("test_*.py") if not is_left_out(path, session.config)
    )
    for path in files[int(worker["workerid"].removeprefix("gw")) :: worker["workercount"]]:
        with suppress(Exception):  # told when the tests of the file are collected
            importlib.import_module(".".join(path.relative_to(ROOT).with_suffix("").parts))


def skip_or_fail(reason: str) -> NoReturn:
    if os.environ.get("CI") == "true":
        pytest.fail(reason)
    pytest.skip(reason)


LONGEST = """
scoring/evaluation/test_on_cluster methods/statistics/test_coverage web/test_page_sizes cli/test_stopped_on_workers
web/engines/test_judging_in_three_engines methods/measures/test_peers_slow
web/judging/test_other_machines_in_the_browser web/engines/test_cards_and_offline_in_three_engines
test_killed_commands web/test_organisers_pages_in_the_browser
""".split()
"""Files whose slow tests take more than a minute, the longest first."""


def _place(path: Path, tests: list[pytest.Item], config: pytest.Config) -> tuple[int, bool, bool, int]:
    """Where a file stands in the order in which files begin."""
    name = path.relative_to(ROOT / "tests").with_suffix("").as_posix()
    is_long = config.option.markexpr != "not slow" and name in LONGEST
    is_story = path.parent == ROOT / "tests" and any(test.get_closest_marker("slow") for test in tests)
    has_browser = any(test.get_closest_marker("browser") for test in tests)
    return LONGEST.index(name) if is_long else len(LONGEST), not is_story, not has_browser, -len(tests)


def is_left_out(path: Path, config: pytest.Config) -> bool:
    """For the slow tests alone, files that do not name the mark are not read: three of four."""
    return config.option.markexpr == "slow" and path.suffix == ".py" and "slow" not in path.read_text("utf-8")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    return True if is_left_out(collection_path, config) else None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Files that take long begin first, so that no worker has one left at the end: stories of the whole program and
    what drives a browser, then the files with most tests.

    In CI a test of a browser is tried a second time if it fails, a few of all of them at most, and the end of the run
    names it: a machine may be too busy for a browser once among thousands of times. What fails twice fails.
    """
    of_file: dict[Path, list[pytest.Item]] = {}
    for item in items:
        of_file.setdefault(item.path, []).append(item)
    places = {path: _place(path, tests, config) for path, tests in of_file.items()}
    items.sort(key=lambda item: places[item.path])
    if os.environ.get("CI") == "true":
        for item in items:
            if item.get_closest_marker("browser") is not None:
                item.add_marker(pytest.mark.flaky(reruns=1))


def pytest_runtest_setup(item: pytest.Item) -> None:
    sentences.begin(item.nodeid)


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop() -> None:
    """What is there when the first test begins stays to the end: to look through it again and again for what nobody
    needs any more is a tenth of all work.
    """
    gc.freeze()
    gc.enable()
    gc.set_threshold(10_000)


@pytest.fixture(scope="session")
def data_folder() -> Path:
    """The folder of real files: WORKBENCH_TEST_DATA, else ../shared/data beside the repository."""
    if not sentences.DATA_FOLDER.is_dir():
        skip_or_fail(f"no folder of real files at {sentences.DATA_FOLDER}: set WORKBENCH_TEST_DATA")
    return sentences.DATA_FOLDER


def made_for_all_workers(
    tmp_path_factory: pytest.TempPathFactory, name: str, make: Callable[[Path], object]
) -> Path:
    """A folder of this name with what is made there; it is made once for all workers, and tests open copies."""
    shared = tmp_path_factory.getbasetemp()
    shared = shared.parent if "PYTEST_XDIST_WORKER" in os.environ else shared
    with (shared / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (shared / name).exists():
            draft = tmp_path_factory.mktemp(name)
            make(draft)
            draft.rename(shared / name)
    return shared / name


@pytest.fixture(scope="session")
def robust_file(data_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Robust 2003 as a campaign: 100 topics without titles, 17 runs, all official judgments."""
    folder = data_folder / "robust03"

    def make(draft: Path) -> None:
        ids = sorted({line.split()[0] for line in (folder / "qrels.txt").read_text().splitlines()})
        with new_campaign(draft / "robust.db", title="Robust 2003", actor="Olga", now=NOW) as campaign:
            with campaign.write():
                topics.put(campaign.by("Olga"), [Topic(topic_id, "") for topic_id in ids], files=[])
            add_runs(campaign.by("Olga"), sorted(map(str, (folder / "runs").iterdir())))
            add_qrels(campaign.by("Olga"), [str(folder / "qrels.txt")])

    return made_for_all_workers(tmp_path_factory, "robust03", make) / "robust.db"


@pytest.fixture(scope="module")
def scheduler(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a Dask scheduler without workers."""
    if importlib.util.find_spec("distributed") is None:
        skip_or_fail("distributed is not installed: make test-slow")
    with scheduler_in(tmp_path_factory.mktemp("scheduler")) as address:
        yield address


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A folder on a disk of a few megabytes."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=8m", "none", folder], check=False, capture_output=True
    )
    if mounted.returncode:
        pytest.skip("only root may mount a small disk")
    yield folder
    subprocess.run(["umount", "--lazy", folder], check=True)


@pytest.fixture
def web(tmp_path: Path) -> Iterator[str]:
    """Host and port of a web server of the test's folder; what reads from it is there."""
    if reason := missing("fsspec", "aiohttp"):
        skip_or_fail(reason)
    with web_server(tmp_path) as address:
        yield address


@pytest.fixture
def store() -> Iterator[dict[str, str]]:
    """A server that speaks S3: what a process needs in its environment to read from it."""
    if reason := missing("moto", "flask_cors", "s3fs"):
        skip_or_fail(reason)
    with object_store() as environment:
        yield environment


@pytest.fixture(scope="session")
def demo_instance(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An instance folder with the demo's campaign in it: tests that judge copy `demo.db` first."""
    from workbench.cli.demo.campaign import ready_demo

    made = made_for_all_workers(tmp_path_factory, "demo", ready_demo)
    return Path(shutil.copytree(made, tmp_path_factory.mktemp("demo") / "instance"))


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """The system's own Chromium; each test opens its own context: `browser.new_context()`."""
    program = next(filter(None, map(shutil.which, BROWSERS)), None)
    if program is None:
        skip_or_fail(f"no browser: none of {', '.join(BROWSERS)} is installed")
    # Chromium refuses to run as root inside its own sandbox.
    as_root = ["--no-sandbox"] if os.geteuid() == 0 else []
    without = f"--disable-features={','.join(NO_FEATURES)}"
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=program, args=[*QUIET, without, *as_root])
        yield launched
        launched.close()


NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)

SMALL_GRADES = (
    Grade(-2, "Spam"),
    Grade(0, "Not relevant"),
    Grade(1, "Relevant"),
    Grade(2, "Highly relevant"),
)

SMALL_TOPICS = "1\tfrozen rivers\n2\twarm lakes\n10\tdeep seas\n"

SMALL_DOCUMENTS = {f"d{number}": f"The text of document {number}." for number in range(1, 6)}

SMALL_RUNS = {"alpha": {"1": "d1 d2 d3", "2": "d1 d2"}, "beta": {"1": "d4 d2 d1", "2": "d2 d5", "10": "d6"}}

SMALL_POOL = {"1": ["d1", "d2", "d4"], "10": ["d6"], "2": ["d1", "d2", "d5"]}


def write_run(path: Path, tag: str, rankings: dict[str, str]) -> str:
    """A run file from the documents of each topic in rank order, with scores that fall from 100."""
    lines = [
        f"{topic_id} Q0 {document_id} {rank} {101 - rank} {tag}\n"
        for topic_id, ranking in rankings.items()
        for rank, document_id in enumerate(ranking.split(), start=1)
    ]
    path.write_text("".join(lines), encoding="utf-8")
    return str(path)


def write_json_lines(path: str, *records: object) -> None:
    Path(path).write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")


@pytest.fixture(scope="session")
def small_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The campaign `small`, which nobody has judged: SMALL_POOL is pooled to depth 2, and d6 has no text."""
    folder = tmp_path_factory.mktemp("small")
    (folder / "topics.tsv").write_text(SMALL_TOPICS, encoding="utf-8")
    texts = [
        json.dumps({"id": document_id, "title": f"Document {document_id}", "text": text})
        for document_id, text in SMALL_DOCUMENTS.items()
    ]
    (folder / "documents.jsonl").write_text("\n".join(texts) + "\n", encoding="utf-8")
    files = [write_run(folder / f"{tag}.run", tag, rankings) for tag, rankings in SMALL_RUNS.items()]
    path = folder / "small.db"
    with new_campaign(path, title="Small", grades=SMALL_GRADES, actor="Olga", now=NOW) as campaign:
        add_topics(campaign.by("Olga", NOW), [str(folder / "topics.tsv")])
        add_documents(campaign.by("Olga", NOW), [str(folder / "documents.jsonl")], keep_all=True)
        add_runs(campaign.by("Olga", NOW), files)
        add_pool(campaign.by("Olga", NOW), depth=2, viewing="document id")
    return path


@pytest.fixture
def small(small_file: Path, tmp_path: Path) -> Iterator[Campaign]:
    """A campaign of one's own with 3 topics, 2 runs, 7 pooled pairs and 5 texts; see the constants above."""
    path = tmp_path / "small.db"
    shutil.copyfile(small_file, path)
    with open_campaign(path) as campaign:
        yield campaign


@pytest.fixture(scope="session")
def submit() -> Callable[..., Judgment]:
    """The function `submission`."""
    return submission


@pytest.fixture(scope="session")
def judging_as() -> Callable[..., Receipt]:
    """The function `judge_as`."""
    return judge_as


@pytest.fixture(scope="session")
def written_run() -> Callable[[Path, str, dict[str, str]], str]:
    """The function `write_run`."""
    return write_run
