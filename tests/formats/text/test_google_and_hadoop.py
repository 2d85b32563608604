"""Files in Google Cloud Storage and in HDFS: read as files here are, and what is said where they cannot be read."""

from __future__ import annotations

import gc
import gzip
import subprocess
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
import zstandard

from tests import google_store
from tests.clusters import outcome, running, workers
from tests.conftest import skip_or_fail
from tests.hadoop_store import hadoop
from tests.scoring.evaluation.test_parts import made
from tests.stores import missing
from workbench.core.errors import InputError
from workbench.formats.documents.reading import read_documents
from workbench.formats.text.content import expanded, load

pytestmark = pytest.mark.slow

RUN = b"1 Q0 d1 0 2 t\n1 Q0 d2 0 1 t\n"
DENIED = (
    "access is denied, or there are no credentials for {}://; give them as its library takes them, in the environment "
    "or a file, on every machine that reads"
)
GONE = "this file does not exist; check the address"
NONE = "no file has such an address; check it"
UNREAD = "it cannot be read ({}); check the address, and that its server answers"


@pytest.fixture
def hdfs(tmp_path: Path) -> Iterator[str]:
    """The address of a folder of HDFS, which anna reads; what stands in `tmp_path / "hdfs"` is in it."""
    if reason := missing("fsspec", "requests"):
        skip_or_fail(reason)
    (tmp_path / "hdfs").mkdir()
    from fsspec.implementations.webhdfs import WebHDFS

    with hadoop(tmp_path / "hdfs") as address:
        yield f"webhdfs://anna@{address}"
        WebHDFS.clear_instance_cache()
    forget_connections()


@pytest.fixture
def google(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, str]]:
    """A server of Google's protocol and the key to it, which are set in this process too."""
    if reason := missing("gcsfs", "gcp_storage_emulator", "cryptography"):
        skip_or_fail(reason)

    async def at_once(seconds: float) -> None:
        pass

    with google_store.google_store(tmp_path) as environment:
        for name, value in environment.items():
            monkeypatch.setenv(name, value)
        import gcsfs

        monkeypatch.setattr(
            "gcsfs.retry.asyncio", SimpleNamespace(sleep=at_once)
        )  # else it tries for 30 seconds
        yield environment
        gcsfs.GCSFileSystem.clear_instance_cache()
    forget_connections()


def forget_connections() -> None:
    """Those that the libraries leave to the collector of memory."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)
        gc.collect()


def numbers(csv: str) -> list[list[str]]:
    """Everything but the names of the runs, in which files stand."""
    return [line.split(",")[1:] for line in csv.splitlines()]


def place(folder: Path, files: dict[str, bytes]) -> None:
    for name, data in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)


def said(address: str) -> str:
    """What is said of an address that cannot be read, without the address."""
    with pytest.raises(InputError) as refused:
        load(expanded([address])[0])
    shown, _, message = str(refused.value).rpartition(": ")
    assert address.rpartition("@")[2] in shown
    return message


def logged(caplog: pytest.LogCaptureFixture) -> list[str]:
    """What was logged, but for what the servers log, which are in this process too."""
    return [each.getMessage() for each in caplog.records if not each.name.startswith("gcp_storage_emulator")]


@pytest.mark.parametrize("store", ["google", "hdfs"])
def test_a_folder_of_packed_runs_is_scored_as_files_here_and_on_workers_with_the_same_words(
    store: str, request: pytest.FixtureRequest, scheduler: str, tmp_path: Path
) -> None:
    qrels, runs = made(tmp_path, 3)
    plain, *others = (Path(run).read_bytes() for run in runs)
    files = {
        "r/a.run": plain,
        "r/b.run.gz": gzip.compress(others[0]),
        "r/c.run.zst": zstandard.compress(others[1]),
    }
    if store == "google":
        environment = request.getfixturevalue("google")
        google_store.fill(environment, {**files, "qrels": Path(qrels).read_bytes(), "r/denied": b"1"})
        address = "gs://runs"
    else:
        address = request.getfixturevalue("hdfs").replace("anna@", "")
        place(tmp_path / "hdfs", {**files, "qrels": Path(qrels).read_bytes(), "r/denied": b"1"})
        environment = {"FSSPEC_WEBHDFS_USER": "anna"}
    words = ["eval", "-q", "-m", "AP", "--format", "csv"]
    there = [f"{address}/qrels", f"{address}/r/*.run*"]
    alone = outcome(running(*words, *there, **environment))
    assert numbers(alone[0]) == numbers(outcome(running(*words, qrels, *runs))[0])
    broken = [f"{address}/qrels", f"{address}/r/a.run", f"{address}/r/gone", f"{address}/r/denied"]
    refused = outcome(running("eval", *broken, **environment))
    assert (refused[0], refused[2]) == ("", 1)
    denied = DENIED.format(address.partition(":")[0])
    assert refused[1].endswith(f"{broken[2]}: {GONE}\n{broken[3]}: {denied}\n")
    with workers(scheduler, 2, **environment):
        assert outcome(running(*words, "--scheduler", scheduler, *there, **environment)) == alone
        assert outcome(running("eval", "--scheduler", scheduler, *broken, **environment)) == refused


def test_what_cannot_be_read_of_hdfs_is_named_with_what_to_do(hdfs: str, tmp_path: Path) -> None:
    names = ("a.run", "cut", "short", "lost", "denied/a.run")
    place(tmp_path / "hdfs", {**dict.fromkeys(names, RUN), "empty": b""})
    assert load(f"{hdfs}/a.run").data == RUN
    denied = DENIED.format("webhdfs")
    assert said(f"{hdfs}/gone") == GONE
    assert said(f"{hdfs}/gone/*.run") == NONE
    assert said(f"{hdfs}/z*") == NONE
    assert said(f"{hdfs}/denied/a.run") == said(f"{hdfs}/denied/*") == denied
    assert said(f"{hdfs}/denied") == denied
    (tmp_path / "hdfs" / "folder").mkdir()
    assert said(f"{hdfs}/folder") == "this is a folder; name the files in it, or write /* at its end"
    assert said(f"{hdfs}/empty") == "the file is empty; was it written to the end?"
    assert said(f"{hdfs}/cut") == UNREAD.format("ChunkedEncodingError")
    assert said(f"{hdfs}/short") == "it ends after 14 of 28 bytes; read it again"
    assert said(f"{hdfs}/lost") == UNREAD.format(
        "HTTPError"
    )  # and not what the data node says as lines of a run


def test_only_who_may_read_hdfs_does_and_no_password_is_shown(hdfs: str, tmp_path: Path) -> None:
    place(tmp_path / "hdfs", {"a.run": RUN})
    server = hdfs.partition("@")[2]
    denied = DENIED.format("webhdfs")
    assert said(f"webhdfs://{server}/a.run") == said(f"webhdfs://eva@{server}/*") == denied
    with pytest.raises(InputError) as refused:
        load(f"webhdfs://eva:geheim@{server}/a.run")
    assert str(refused.value) == f"webhdfs://...@{server}/a.run: {denied}"
    assert refused.value.__suppress_context__


def test_a_name_node_that_does_not_answer_is_named(hdfs: str) -> None:
    assert said("webhdfs://127.0.0.1:1/a.run") == UNREAD.format("ConnectionError")
    assert said("webhdfs://127.0.0.1:1/*.run") == UNREAD.format("ConnectionError")


def test_what_cannot_be_read_of_google_is_named_with_what_to_do(google: dict[str, str]) -> None:
    files = {"r/a.run": RUN, "r/empty": b"", "r/cut": RUN * 2000}
    google_store.fill(google, {**files, "s/denied": RUN})
    assert load("gs://runs/r/a.run").data == load("gcs://runs/r/a.run").data == RUN
    assert expanded(["gcs://runs/r/a*"]) == ["gcs://runs/r/a.run"]
    assert said("gs://runs/r/gone") == said("gs://no-bucket/a.run") == said("gs://runs/r") == GONE
    assert said("gs://runs/r/z*") == said("gs://no-bucket/*.run") == NONE
    assert said("gs://runs/s/denied") == said("gs://runs/denied/*") == DENIED.format("gs")
    assert said("gs://runs/r/empty") == "the file is empty; was it written to the end?"
    assert said("gs://runs/r/cut") == UNREAD.format("ClientPayloadError")


@pytest.mark.parametrize("key", ["eva.json", "gone.json", ""])
def test_without_a_key_that_google_accepts_access_is_denied_and_nothing_else_said(
    key: str,
    google: dict[str, str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setenv("GOOGLE_APPLICATION_CREDENTIALS", key and str(tmp_path / key))
    assert said("gs://runs/a.run") == said("gs://runs/*.run") == DENIED.format("gs")
    assert logged(caplog) == []


def test_a_store_of_googles_that_does_not_answer_is_named(
    google: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STORAGE_EMULATOR_HOST", "http://127.0.0.1:1")
    assert said("gs://runs/a.run") == UNREAD.format("ClientConnectorError")


def test_documents_are_read_as_streams_whose_end_is_checked(
    hdfs: str, google: dict[str, str], tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    lines = b"".join(b'{"id": "d%d", "text": "text %d"}\n' % (number, number) for number in range(9000))
    files = {"d.jsonl.zst": zstandard.compress(lines), "cut.jsonl": lines, "denied.jsonl": lines}
    google_store.fill(google, {name: data for name, data in files.items() if name != "denied.jsonl"})
    place(tmp_path / "hdfs", {**files, "lost.jsonl": lines})
    for root in ("gs://runs", hdfs):
        assert len(list(read_documents(f"{root}/d.jsonl.zst"))) == 9000
        with pytest.raises(InputError, match=r"cut\.jsonl: it cannot be read \(\w+\)"):
            list(read_documents(f"{root}/cut.jsonl"))
        with pytest.raises(InputError, match=r"denied\.jsonl: access is denied"):
            list(read_documents(f"{root}/denied.jsonl"))
        with pytest.raises(InputError, match=r"gone\.jsonl: this file does not exist"):
            list(read_documents(f"{root}/gone.jsonl"))
    assert logged(caplog) == []
    with pytest.raises(InputError, match=r"lost\.jsonl: it cannot be read \(HTTPError\)"):
        list(read_documents(f"{hdfs}/lost.jsonl"))


@pytest.mark.parametrize(
    ("address", "library"),
    [("gs://runs/a.run", "gcsfs"), ("webhdfs://host/a.run", "requests"), ("hdfs://host/a.run", "pyarrow")],
)
def test_without_its_library_a_store_says_which_one_it_needs(address: str, library: str) -> None:
    if reason := missing("fsspec"):
        skip_or_fail(reason)
    program = f"""
import sys
sys.modules[{library!r}] = None
from workbench.formats.text.content import load
load({address!r})
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    message = done.stderr.splitlines()[-1]
    kind = address.partition(":")[0]
    assert f"{address}: {kind}:// needs a package of its own, and it is not installed: " in message
    assert library in message.partition("installed: ")[2]
