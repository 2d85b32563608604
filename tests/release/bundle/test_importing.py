"""A campaign out of a bundle: all that it says is checked, and nothing is left behind when it says what cannot be."""

from __future__ import annotations

import hashlib
import json
import re
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.fixture_types import JudgeAs, WriteRun
from tests.log_rows import row
from workbench.analysis.between_assessors.gathering import drawn_sample
from workbench.campaign import assigning
from workbench.campaign.changing_scale import NewScale, change_scale
from workbench.campaign.content_changes import withdraw_runs
from workbench.campaign.ingest import RunOptions, add_runs
from workbench.campaign.pools.making import add_pool
from workbench.core.errors import CampaignError, InputError
from workbench.core.records import REPEAT, TAKEN_BACK, Grade
from workbench.formats.run_repairs import Repairs
from workbench.release.archive import CHECKSUMS
from workbench.release.audit.checks import audit
from workbench.release.bundle.importing import import_bundle
from workbench.release.bundle.writing import BundleOptions, save_bundle
from workbench.storage.campaign import Campaign, open_campaign
from workbench.storage.campaign.assigning import draws
from workbench.storage.campaign.collection import run_details, runs
from workbench.storage.campaign.grades import judgments
from workbench.storage.campaign.grades.off_record import RepeatedJudgment, repeated_judgments
from workbench.storage.campaign.log import log


def changed(path: Path, name: str, change: Callable[[bytes], bytes]) -> Path:
    """The bundle with one file changed, and checksums that fit again."""
    with zipfile.ZipFile(path) as source:
        files = {entry.partition("/")[2]: source.read(entry) for entry in source.namelist()}
    del files[CHECKSUMS]
    files[name] = change(files[name])
    files[CHECKSUMS] = "".join(
        f"{hashlib.sha256(data).hexdigest()}  {file}\n" for file, data in files.items()
    ).encode()
    with zipfile.ZipFile(path.with_name("changed.zip"), "w") as target:
        for file, data in files.items():
            target.writestr(f"x/{file}", data)
    return path.with_name("changed.zip")


def described(fields: dict[str, object]) -> Callable[[bytes], bytes]:
    """A change of `runs.jsonl`: what is said of each run."""
    return lambda data: data.replace(b'"description":{}', b'"description":' + json.dumps(fields).encode())


@pytest.fixture
def bundle(small: Campaign, judging_as: JudgeAs, tmp_path: Path) -> Path:
    judging_as(small, "anna", "1", "d1", 1)
    return save_bundle(small, tmp_path / "small.zip", options=BundleOptions(runs=True)).path


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("settings.json", lambda data: data.replace(b'"bundle": 1', b'"bundle": 2')),
        ("settings.json", lambda data: data.replace(b'"bundle": 1', b'"bundle": 0')),
        ("settings.json", lambda data: data.replace(b'"relevant_from": 1', b'"relevant_from": 9')),
        ("settings.json", lambda data: b"[]"),
        ("judgments.jsonl", lambda data: data.replace(b'"grade":1', b'"grade":true')),
        ("judgments.jsonl", lambda data: data.replace(b'"grade":1', b'"grade":99999')),
        ("judgments.jsonl", lambda data: data.replace(b'"kind":"grade"', b'"kind":"cleared"')),
        ("judgments.jsonl", lambda data: data.replace(b'"topic_id":"1"', b'"topic_id":"unknown"')),
        ("judgments.jsonl", lambda data: data.replace(b'"document_id":"d1"', b'"document_id":"d 1"')),
        ("judgments.jsonl", lambda data: data.replace(b'"active_seconds":null', b'"active_seconds":NaN')),
        ("judgments.jsonl", lambda data: data.replace(b'"active_seconds":null', b'"active_seconds":1e999')),
        ("judgments.jsonl", lambda data: data.replace(b'"assessor-1"', b'"\\u0007"')),
        ("judgments.jsonl", lambda data: data + b"{"),
        ("judgments.jsonl", lambda data: b"[" * 100_000),
        ("pool.jsonl", lambda data: data + data),
        ("pool.jsonl", lambda data: data.replace(b'"pool":1', b'"pool":7')),
        ("pool.jsonl", lambda data: data.replace(b'"document_id":"d1"', b'"document_id":""')),
        ("pool.jsonl", lambda data: data.replace(b'probability":1.0', b'probability":0.0')),
        ("pool.jsonl", lambda data: data.replace(b'probability":1.0', b'probability":1.5')),
        ("pools.json", lambda data: data.replace(b'"descending"', b'"sideways"')),
        ("pools.json", lambda data: data.replace(b'"strategy": "depth"', b'"strategy": "guess"')),
        ("pools.json", lambda data: data.replace(b'"depth": ', b'"breadth": ')),
        ("pools.json", lambda data: data.replace(b'"depth": ', b'"depth": -')),
        ("pools.json", lambda data: data.replace(b'"depth": ', b'"depth": 9999999999999999999')),
        ("pools.json", lambda data: data.replace(b'"alpha"', b'"\\ud800"')),
        ("topics.jsonl", lambda data: data.replace(b'"topic_id":"2"', b'"topic_id":"\\ud800"')),
        ("runs.jsonl", lambda data: data.replace(b"runs/001-alpha.run", b"../../etc/passwd")),
        ("runs.jsonl", lambda data: data.replace(b"runs/002-beta.run", b"runs/001-alpha.run")),
        ("runs/001-alpha.run", lambda data: data.replace(b"100.0", b"high")),
        ("settings.json", lambda data: data.replace(b'"newest"', b'"loudest"')),
        ("settings.json", lambda data: data.replace(b'"model_labels": "never"', b'"model_labels": "gaps"')),
        ("runs.jsonl", described({"x" * 61: ""})),
        ("runs.jsonl", described({"x": "y" * 2001})),
        ("runs.jsonl", described({f"x{number}": "" for number in range(31)})),
        ("runs.jsonl", described({"x": 7})),
        ("runs.jsonl", lambda data: data.replace(b'"priority":null', b'"priority":0')),
        ("pools.json", lambda data: re.sub(rb'"runs": \[[^]]*\]', b'"runs": "alpha"', data)),
        ("pool.jsonl", lambda data: data.replace(b'"topic_id":"10"', b'"topic_id":"77"')),
        ("pool.jsonl", lambda data: data.replace(b'"pool":1}', b'"pool":1,"choice":5}', 1)),
        ("runs.jsonl", lambda data: data.replace(b'"repairs":[]', b'"repairs":"x"')),
        ("runs.jsonl", lambda data: data.replace(b'"repairs":[]', b'"repairs":[{"name":"a","lines":"b"}]')),
    ],
)
def test_a_bundle_that_says_what_cannot_be_leaves_nothing_behind(
    bundle: Path, tmp_path: Path, name: str, change: Callable[[bytes], bytes]
) -> None:
    path = changed(bundle, name, change)
    with pytest.raises(InputError):
        import_bundle(path, tmp_path / "again.db", actor="Olga")
    assert not (tmp_path / "again.db").exists()


@pytest.mark.parametrize(
    ("old", "new"),
    [(b'"Relevant"', b'"Other"'), (b"[1,2]", b'[1,"x"]'), (b'"asked_again":[]', b'"asked_again":7')],
)
def test_scales_that_are_not_those_of_the_settings_or_none_leave_nothing_behind(
    small: Campaign, judging_as: JudgeAs, tmp_path: Path, old: bytes, new: bytes
) -> None:
    judging_as(small, "anna", "1", "d1", 1)
    grades = (Grade(0, "Not relevant"), Grade(1, "Partly"), Grade(2, "Relevant"))
    change_scale(small.by("Olga"), NewScale(grades, 1, {1: 2}))
    path = save_bundle(small, tmp_path / "small.zip").path
    import_bundle(path, tmp_path / "good.db", actor="Olga")
    with pytest.raises(InputError):
        import_bundle(
            changed(path, "arrangements.jsonl", lambda data: data.replace(old, new)),
            tmp_path / "again.db",
            actor="Olga",
        )
    assert not (tmp_path / "again.db").exists()


def test_what_is_said_of_a_run_may_be_as_long_as_that(bundle: Path, tmp_path: Path) -> None:
    said = {"x" * 60: "y" * 2000} | {f"x{number}": "" for number in range(29)}
    import_bundle(changed(bundle, "runs.jsonl", described(said)), tmp_path / "again.db", actor="Olga")
    with open_campaign(tmp_path / "again.db") as campaign:
        assert {len(each.description) for each in run_details.details(campaign).values()} == {30}


def test_runs_come_back_in_parts_or_are_named_and_other_scores_are_noticed(
    small: Campaign, bundle: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("workbench.release.bundle.importing.RUNS_AT_ONCE", 1)
    path = tmp_path / "again.db"
    assert import_bundle(bundle, path, actor="Olga").same_scores
    with open_campaign(path) as campaign:
        assert [run.record.tag for run in runs.all_runs(campaign)] == ["alpha", "beta"]
    others = changed(bundle, "scores/board.csv", lambda data: data.replace(b"0.5", b"0.6"))
    assert import_bundle(others, tmp_path / "others.db", actor="Olga").same_scores is False
    without = save_bundle(small, tmp_path / "without.zip").path
    restored = import_bundle(without, tmp_path / "without.db", actor="Olga")
    assert (restored.judgments, restored.runs, restored.same_scores) == (1, 0, None)
    assert restored.not_there == ("alpha", "beta")


def test_a_campaign_that_is_there_is_never_replaced(bundle: Path, tmp_path: Path) -> None:
    (tmp_path / "there.db").write_bytes(b"")
    with pytest.raises(CampaignError, match="already exists"):
        import_bundle(bundle, tmp_path / "there.db", actor="Olga")
    assert (tmp_path / "there.db").read_bytes() == b""


def test_an_imported_campaign_proves_itself_and_names_where_its_judgments_came_from(
    small: Campaign, judging_as: JudgeAs, tmp_path: Path
) -> None:
    judging_as(small, "zoe", "1", "d1", 1)
    judging_as(small, "anna", "1", "d1", 2, comment="a note")
    judging_as(small, "zoe", "1", "d1", 0)
    path = save_bundle(small, tmp_path / "small.zip", options=BundleOptions(runs=True)).path
    import_bundle(path, tmp_path / "again.db", actor="Olga")
    with open_campaign(tmp_path / "again.db") as again:
        assert [finding.wrong for finding in audit(again) if finding.wrong] == []
        rows = list(judgments.log(again))
    told = [(row.assessor, row.kind, row.grade, row.source, row.comment) for row in rows]
    assert told == [
        ("assessor-1", "grade", 1, "small.zip", ""),
        ("assessor-2", "grade", 2, "small.zip", ""),
        ("assessor-1", "grade", 0, "small.zip", ""),
    ]
    assert rows[2].replaces == rows[0].seq


def test_a_hidden_repeat_that_was_taken_back_comes_back_as_that(small: Campaign, tmp_path: Path) -> None:
    with small.write():
        log.append_judgments(small, [row("zoe", "1", each, 1) for each in ("d1", "d2")])
        again = [row("zoe", "1", each, 0, kind=REPEAT) for each in ("d1", "d2")]
        log.append_judgments(small, [*again, again[0]._replace(uuid="x" * 8, grade=None, source=TAKEN_BACK)])
    path = save_bundle(small, tmp_path / "small.zip", options=BundleOptions(runs=True)).path
    import_bundle(path, tmp_path / "again.db", actor="Olga")
    with open_campaign(tmp_path / "again.db") as restored:
        assert repeated_judgments(restored) == [RepeatedJudgment("1", "d2", "assessor-1", 1, 0)]


def test_teams_and_runs_outside_the_pool_come_back_as_they_were(
    small: Campaign, written_run: WriteRun, judging_as: JudgeAs, tmp_path: Path
) -> None:
    files = [written_run(tmp_path / f"{tag}.run", tag, {"1": "d5 d1"}) for tag in ("gamma", "delta")]
    add_runs(small.by("Olga"), files[:1], team="=A/B", contributes=False)
    add_runs(small.by("Olga"), files[1:], team="فريق")
    judging_as(small, "zoe", "1", "d1", 1)
    path = save_bundle(small, tmp_path / "small.zip", options=BundleOptions(runs=True)).path
    import_bundle(path, tmp_path / "again.db", actor="Olga")
    with open_campaign(tmp_path / "again.db") as again:
        found = [run.record for run in runs.all_runs(again)]
        told = [run.record for run in runs.all_runs(small)]
    same = ("tag", "team", "lines", "topics", "contributes", "header", "rankings_sha256")
    assert [[getattr(run, name) for name in same] for run in found] == [
        [getattr(run, name) for name in same] for run in told
    ]
    assert found[2].file == "gamma.run"


def test_a_withdrawn_run_is_named_but_not_given_away_and_the_numbers_are_the_same(
    small: Campaign, judging_as: JudgeAs, tmp_path: Path
) -> None:
    judging_as(small, "zoe", "1", "d1", 1)
    before = log.head(small).seq
    withdraw_runs(small.by("Olga"), ["beta"])
    path = save_bundle(small, tmp_path / "small.zip", options=BundleOptions(runs=True)).path
    with zipfile.ZipFile(path) as source:
        names = [name.partition("/")[2] for name in source.namelist()]
    assert [name for name in names if name.startswith("runs/")] == ["runs/001-alpha.run"]
    restored = import_bundle(path, tmp_path / "again.db", actor="Olga")
    assert (restored.not_there, restored.same_scores) == (("beta",), True)
    earlier = save_bundle(small.at(before), tmp_path / "e.zip", options=BundleOptions(runs=True)).path
    assert import_bundle(earlier, tmp_path / "earlier.db", actor="Olga").runs == 2


def test_several_pools_come_back_with_their_own_pairs(
    small: Campaign, judging_as: JudgeAs, tmp_path: Path
) -> None:
    add_pool(small.by("Olga"), depth=3, tags=["alpha"])
    judging_as(small, "zoe", "1", "d3", 1)
    path = save_bundle(small, tmp_path / "small.zip", options=BundleOptions(runs=True)).path
    assert import_bundle(path, tmp_path / "again.db", actor="Olga").pairs == 8
    with open_campaign(tmp_path / "again.db") as again:
        assert [finding.wrong for finding in audit(again) if finding.wrong] == []
        assert [row.pool for row in judgments.log(again)] == [2]


@pytest.fixture
def drawn_bundle(small: Campaign, tmp_path: Path) -> Path:
    assigning.choose_who_judges(small.by("Olga"), "assigned")
    assigning.draw_double(small.by("Olga"), 0.5, 7, stratify="topic", assessors=["Ben"])
    return save_bundle(small, tmp_path / "small.zip", options=BundleOptions(runs=True)).path


def test_draws_are_restored_with_their_probabilities(
    small: Campaign, drawn_bundle: Path, tmp_path: Path
) -> None:
    import_bundle(drawn_bundle, tmp_path / "again.db", actor="Olga")
    with open_campaign(tmp_path / "again.db") as again:
        assert [draw[:2] for draw in draws.all_draws(again)] == [draw[:2] for draw in draws.all_draws(small)]
        assert drawn_sample(again) == drawn_sample(small)
        assert [finding for finding in audit(again) if finding.wrong] == []


@pytest.mark.parametrize(
    "change",
    [
        lambda told: told[0].update(stratify="moon"),
        lambda told: told[0].update(share=0),
        lambda told: told[0]["drawn"][0].update(inclusion_probability=2),
        lambda told: told[0]["drawn"][0].update(document_id="d99"),
        lambda told: told[0]["drawn"].append(told[0]["drawn"][0]),
        lambda told: told.append(told[0]),
    ],
)
def test_a_draw_that_cannot_be_is_refused(
    drawn_bundle: Path, tmp_path: Path, change: Callable[[list[dict[str, object]]], None]
) -> None:
    def broken(data: bytes) -> bytes:
        told = json.loads(data)
        change(told)
        return json.dumps(told).encode()

    with pytest.raises(InputError, match=r"drawn\.json"):
        import_bundle(changed(drawn_bundle, "drawn.json", broken), tmp_path / "again.db", actor="Olga")
    assert not (tmp_path / "again.db").exists()


def test_a_repaired_run_is_published_with_its_repairs_and_comes_back_with_them(
    small: Campaign, judging_as: JudgeAs, tmp_path: Path
) -> None:
    (path := tmp_path / "twice.run").write_text("1 Q0 d1 1 3 twice\n1 Q0 d1 2 2 twice\n", encoding="utf-8")
    add_runs(small.by("Olga"), [str(path)], options=RunOptions(repairs=Repairs(duplicates="first")))
    judging_as(small, "anna", "1", "d1", 1)
    message = "1 line of documents listed twice in a topic left out; the first line of each was kept"
    repair = runs.RunRepair("duplicates first", 1, message)
    bundle = save_bundle(small, tmp_path / "small.zip", options=BundleOptions(runs=True)).path
    with zipfile.ZipFile(bundle) as source:
        text = {name.partition("/")[2]: source.read(name).decode() for name in source.namelist()}
    sha256 = hashlib.sha256(path.read_bytes()).hexdigest()
    assert f"- twice: {message}\n" in text["DATASHEET.md"]
    assert text["runs.csv"].splitlines()[3].endswith(f",,{message},,,,,,,")
    assert json.loads(text["runs.jsonl"].splitlines()[2])["repairs"] == [repair._asdict()]
    import_bundle(bundle, tmp_path / "again.db", actor="Olga")
    with open_campaign(tmp_path / "again.db") as again:
        stored = runs.all_runs(again)[2]
        assert (stored.repairs, stored.record.sha256) == ((repair,), sha256)
        assert [finding.wrong for finding in audit(again) if finding.wrong] == []
