"""Evaluations on a real scheduler and real workers, each a process of its own: slow, killed, of another version."""

from __future__ import annotations

import gzip
import os
import resource
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

import workbench as wb
from tests.at_length import at_length
from tests.clusters import kill_busy, log_spilling, names, outcome, reader_of, running, wait_for, workers
from tests.scoring.evaluation.test_parts import made
from tests.sentences import refused, says
from tests.stores import fill as fill_store
from tests.test_faults_of_the_disk import fill
from workbench.core.errors import ClusterError, InputError

pytestmark = pytest.mark.slow


def evaluating(*words: str, **environment: str) -> subprocess.Popen[str]:
    return running("eval", *words, **environment)


def evaluated(*words: str, **environment: str) -> tuple[str, str, int]:
    """What a command prints, what it says, but not where a dashboard is if bokeh is here, and its status."""
    printed, said, status = outcome(evaluating(*words, **environment))
    lines = [line for line in said.splitlines(True) if not line.startswith("Dask's dashboard")]
    return printed, "".join(lines), status


def test_two_workers_print_the_same_bytes_as_one_process(scheduler: str, tmp_path: Path) -> None:
    qrels, runs = made(tmp_path, 12)
    subtopics, sample = tmp_path / "subtopics", tmp_path / "sample"
    subtopics.write_text("9 1 d1 1\n9 2 d1 1\n9 2 d2 2\n10 1 d3 1\n")
    sample.write_text("9 0 d1 1 1\n9 0 d2 1 0\n9 0 d3 1 -1\n9 0 d4 1 -1\n10 0 d1 1 1\n")
    with workers(scheduler, 2):
        for words in (
            ["-c", "-q", "-m", "all_trec", "--format", "csv", qrels],
            ["-m", "relstring.3", "-m", "runid", "-J", "-M", "4", "--format", "trec", qrels],
            ["-m", "nDCG@10", "-m", "RBP(p=0.8)", "--profile", "trec_eval-9", qrels],
            ["-m", "alpha_nDCG@10", "-m", "AP", "--format", "csv", str(subtopics)],
            ["-m", "xinfAP", "--format", "csv", str(sample)],
        ):
            alone = evaluated(*words, *runs)
            assert alone[2] == 0, alone
            assert evaluated("--scheduler", scheduler, *words, *runs) == alone


def test_broken_files_are_told_in_the_same_words_and_nothing_is_printed(
    scheduler: str, tmp_path: Path
) -> None:
    qrels, runs = made(tmp_path)
    Path(runs[1]).write_text("9 Q0 d1 0 x t\n9 Q0 d1 0 1 t\n")
    Path(runs[2]).write_bytes(b"\x1f\x8b\x08\x00\x00")  # gzip that ends in the middle
    runs.insert(3, str(tmp_path / "missing"))
    alone = evaluated(qrels, *runs)
    assert (alone[0], alone[2]) == ("", 1)
    with workers(scheduler):
        assert evaluated("--scheduler", scheduler, qrels, *runs) == alone
        Path(qrels).write_text("9 0 d1 much\n")
        alone = evaluated(qrels, *runs)
        assert evaluated("--scheduler", scheduler, qrels, *runs) == alone


def test_what_a_killed_worker_had_is_done_by_another_and_a_slow_one_is_waited_for(
    scheduler: str, tmp_path: Path
) -> None:
    qrels, runs = made(tmp_path, 6)
    alone = evaluated("-m", "all_trec", qrels, *runs)
    content = Path(runs[0]).read_bytes()
    Path(runs[0]).unlink()
    os.mkfifo(runs[0])  # a reader waits until there is a writer
    with workers(scheduler, 2) as started:
        begun = evaluating("-m", "all_trec", "--scheduler", scheduler, qrels, *runs)
        held = reader_of(runs[0])
        kill_busy(scheduler, started)
        again = reader_of(runs[0])
        os.close(held)  # only now: a reader without a writer is at the end
        assert begun.poll() is None
        os.write(again, content)
        os.close(again)
        assert outcome(begun) == alone


def test_a_worker_of_another_version_is_refused_with_both_versions(scheduler: str, tmp_path: Path) -> None:
    qrels, runs = made(tmp_path)
    other = tmp_path / "other" / "relevance_workbench-0.0.9.dist-info"
    other.mkdir(parents=True)
    (other / "METADATA").write_text("Metadata-Version: 2.1\nName: relevance-workbench\nVersion: 0.0.9\n")
    with workers(scheduler, PYTHONPATH=str(other.parent)):
        printed, said, status = evaluated("--scheduler", scheduler, qrels, *runs)
    assert (printed, status) == ("", 1)
    assert said.startswith("the worker tcp://127.0.0.1:")
    assert says(said)


def test_a_scheduler_that_is_not_there_or_has_no_workers_is_named_with_the_way_out(
    scheduler: str, tmp_path: Path
) -> None:
    qrels, runs = made(tmp_path)
    wait_for(lambda: not names(scheduler))
    addresses = ["tcp://127.0.0.1:1", "tls://127.0.0.1:1", "nonsense://x", scheduler]
    begun = [
        evaluating("--scheduler", address, qrels, *runs) for address in addresses
    ]  # each waits for 15 seconds
    for address, process in zip(addresses, begun, strict=True):
        printed, said, status = outcome(process)
        assert (printed, status, "Traceback" in said) == ("", 1, False)
        assert says(said.replace(address, "ADDRESS"))


def test_when_all_workers_die_it_ends_and_says_so(scheduler: str, tmp_path: Path) -> None:
    qrels, runs = made(tmp_path)
    Path(runs[0]).unlink()
    os.mkfifo(runs[0])
    with workers(scheduler) as started:
        begun = evaluating("--scheduler", scheduler, qrels, *runs)
        held = reader_of(runs[0])
        started[0].kill()
        printed, said, status = outcome(begun)
        os.close(held)
    assert (printed, status) == ("", 1)
    assert says(said)


def test_the_library_takes_a_scheduler_a_client_or_a_cluster_too(scheduler: str, tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed")
    qrels, runs = made(tmp_path)
    files = dict(zip("abcde", runs, strict=True))
    with workers(scheduler):
        found = wb.evaluate(qrels, files, ["AP", "nDCG@10"], scheduler=scheduler)
        assert (
            wb.evaluate(qrels, runs[0], "AP", scheduler=scheduler).mean["tag0"]["AP"] == found.mean["a"]["AP"]
        )
        with distributed.Client(scheduler, set_as_default=False) as client:
            assert wb.evaluate(qrels, files, ["AP", "nDCG@10"], scheduler=client).mean == found.mean
            assert client.status == "running", "who opened it closes it"
    with distributed.LocalCluster(
        1, threads_per_worker=1, dashboard_address="127.0.0.1:0", security=True
    ) as own:
        assert wb.evaluate(qrels, files, ["AP", "nDCG@10"], scheduler=own).mean == found.mean
        assert own.status.name == "running"
    alone = wb.evaluate(qrels, files, ["AP", "nDCG@10"])
    assert found.mean == alone.mean
    assert found.per_topic == alone.per_topic
    with refused(ClusterError, "8786"):
        wb.evaluate(qrels, files, "AP", scheduler=8786)
    with refused(InputError):
        wb.evaluate({"9": {"d1": 1}}, files, "AP", scheduler=scheduler)


def test_qrels_and_runs_are_read_from_an_object_store(
    scheduler: str, store: dict[str, str], tmp_path: Path
) -> None:
    qrels, runs = made(tmp_path)
    packed = {f"r/{Path(run).name}.gz": gzip.compress(Path(run).read_bytes()) for run in runs}
    fill_store(store, {"qrels": Path(qrels).read_bytes(), **packed})
    words = ["-q", "-m", "all_trec", "--format", "csv"]
    there = ["s3://runs/qrels", "s3://runs/r/*.gz"]
    alone = evaluated(*words, *there, **store)
    assert numbers(alone[0]) == numbers(evaluated(*words, qrels, *runs)[0])
    with workers(scheduler, **store):
        assert evaluated("--scheduler", scheduler, *words, *there, **store) == alone
        printed, said, status = evaluated(
            "--scheduler", scheduler, "s3://runs/qrels", "s3://runs/r/gone.gz", **store
        )
        assert (printed, status) == ("", 1)
        assert says(said)
    refused = {**store, "AWS_ACCESS_KEY_ID": "", "AWS_SECRET_ACCESS_KEY": "", "HOME": str(tmp_path)}
    printed, said, status = evaluated("s3://runs/qrels", runs[0], **refused)
    assert (printed, status) == ("", 1)
    assert says(said)


def test_wrong_credentials_are_refused_in_the_same_words_and_not_shown(
    scheduler: str, store: dict[str, str], tmp_path: Path
) -> None:
    qrels, runs = made(tmp_path)
    fill_store(store, {"a.run": Path(runs[0]).read_bytes()})
    address = f"{store['AWS_ENDPOINT_URL']}/moto-api/reset-auth"
    from_now_on = urllib.request.Request(address, b"0", {"Content-Type": "text/plain"})
    urllib.request.urlopen(from_now_on).close()  # keys are checked
    wrong = {**store, "AWS_ACCESS_KEY_ID": "AKIANOBODY", "AWS_SECRET_ACCESS_KEY": "nobodys-secret"}
    alone = evaluated(qrels, "s3://runs/a.run", **wrong)
    assert (alone[0], alone[2], "NOBODY" in alone[1].upper()) == ("", 1, False)
    assert says(alone[1], "s3://runs/a.run: ")
    with workers(scheduler, **wrong):
        assert evaluated("--scheduler", scheduler, qrels, "s3://runs/a.run", **wrong) == alone


def test_a_worker_whose_disk_is_full_does_its_work_and_keeps_in_memory_what_finds_no_room(
    scheduler: str, tmp_path: Path, small_disk: Path
) -> None:
    qrels, runs = made(tmp_path, 12)
    Path(runs[1]).write_bytes(gzip.compress(Path(runs[1]).read_bytes()))
    words = ["-q", "-m", "all_trec", "--format", "csv", qrels, *runs]
    alone = evaluated(*words)
    broken = [qrels, runs[0], str(tmp_path / "missing")]
    # Dask moves what a worker holds to its disk from the first byte on, and has no other folder to write to.
    everything = {"DASK_DISTRIBUTED__WORKER__MEMORY__TARGET": "1e-9"}
    folder = {"DASK_TEMPORARY_DIRECTORY": str(small_disk), "TMPDIR": str(small_disk)}
    with workers(scheduler, **everything, **folder):
        log_spilling(scheduler, log := tmp_path / "spilling.log")
        fill(small_disk / "filler")
        with pytest.raises(OSError, match="No space left on device"):
            (small_disk / "more").write_bytes(b"x" * 5_000)
        assert evaluated("--scheduler", scheduler, *words) == alone
        assert evaluated("--scheduler", scheduler, *broken) == evaluated(*broken)
        assert "Spill to disk failed; keeping data in memory" in log.read_text()


def test_without_room_for_temporary_files_processes_of_this_machine_are_refused_in_a_sentence(
    tmp_path: Path, small_disk: Path, scheduler: str
) -> None:
    qrels, runs = made(tmp_path)
    fill(small_disk / "filler")
    # Python looks for another folder where one is full: this one was found while there was room.
    found_before = (
        "import sys, tempfile; tempfile.tempdir = sys.argv.pop(1); from workbench.cli import main; main()"
    )
    words = [sys.executable, "-c", found_before, str(small_disk), "eval", "--workers", "1", qrels, *runs]
    ended = subprocess.run(words, capture_output=True, text=True, check=False, timeout=300)
    assert (ended.stdout, ended.returncode) == ("", 1)
    assert says(ended.stderr)


def test_many_files_in_one_call_need_few_open_ones_and_two_that_are_broken_are_named(tmp_path: Path) -> None:
    qrels, runs = many(tmp_path)
    words = ["-m", "AP", "--format", "csv", qrels, *map(str, runs)]

    def with_few_files_open() -> tuple[str, str, int]:
        begun = evaluating(*words)
        resource.prlimit(begun.pid, resource.RLIMIT_NOFILE, (100, 100))
        return outcome(begun)

    printed, said, status = with_few_files_open()
    assert (said, status) == ("", 0)
    assert printed.splitlines()[1:] == [f"t{number},{float(number % 7 == 1)}" for number in range(MANY)]
    assert evaluated("--workers", "2", *words) == (printed, "", 0)
    runs[200].write_text("9 Q0 d1 0 x t\n")
    runs[-1].unlink()
    printed, said, status = with_few_files_open()
    assert (printed, status) == ("", 1)
    assert [line.split(": ")[0] for line in said.splitlines()] == [f"{runs[200]}:1", f"{runs[-1]}"]


MANY = at_length(1000, 300)


def many(folder: Path) -> tuple[str, list[Path]]:
    """Qrels, and as many runs of one line."""
    (folder / "qrels").write_text("9 0 d1 1\n")
    runs = [folder / f"{number}" for number in range(MANY)]
    for number, run in enumerate(runs):
        run.write_text(f"9 Q0 d{number % 7} 0 2.5 t{number}\n")
    return str(folder / "qrels"), runs


def numbers(csv: str) -> list[list[str]]:
    """Everything but the names of the runs, in which files stand."""
    return [line.split(",")[1:] for line in csv.splitlines()]
