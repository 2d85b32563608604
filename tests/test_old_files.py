"""Real files of every earlier schema are brought up to date, hold, and give the numbers that they gave then."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

import pytest
import zstandard
from click.testing import CliRunner
from sqlite_utils import Database
from sqlite_utils.migrations import Migrations

from workbench.cli import main
from workbench.release.audit.checks import audit
from workbench.release.export import export_qrels
from workbench.scoring.board import score_campaign
from workbench.scoring.board.rendering import RENDERINGS
from workbench.storage.accounts import check_password, list_accounts, open_accounts, security_log
from workbench.storage.accounts.account_restore import check_record
from workbench.storage.accounts.file import migrations as migrations_of_accounts
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.file import definitions
from workbench.storage.campaign.file.schema import migrations as migrations_of_campaigns
from workbench.storage.campaign.grades import rationales
from workbench.storage.campaign.log import log

FILES = Path(__file__).with_name("old_files")

HEADS = {
    "m001": (20, "3805f74b17ea3a6c2981cd9724dd5807f86a87419a13f15115a842f8555414cf"),
    "m002": (20, "ba17db32b5d8389e7983d256721033fb0b40716127841b29c42d9ee9a72bf070"),
    "m003": (20, "def41e4eaaf603473dc109f22aac1186b3252d7c19a8c980d4053367d460bb79"),
    "m004": (21, "a563d3ffbd3e7dc9c57c398b2b32ef0ee801f4bcc49cedfadb309f7da45daa97"),
    "m005": (21, "8d7945cbf3119ddccf2f522bd412f1e8cbac0232c3c9e98fafc993e9ea8edc34"),
    "m006": (23, "83ad4cbcc77b86d2b5f86e5ac5710affd3f160f6462df31493c63d2b84c4ad53"),
    "m007": (23, "ad87739e9b3257e623b03e31fd46a17983fefa3fb272a3e2419cc3e50e037c24"),
    "m009-without-m008": (23, "e1679555fdfeef2f93a72c672444fbb0ffc1b0751c994fa650022b451347cc4e"),
    "m009": (23, "8a666b6d237291ed38b15a071a71c28a5bcad1399bbdb2e0efb0843ef5fa0113"),
    "m010": (23, "6811832023cc1f491868d3d0f29065d7b352002ec4f34651d793b4a5c77c15f6"),
    "m011": (23, "ab59ade052dd35f92161895e94f7c8ec4cc7401e4697ca3ba97693c34ce31016"),
    "m012": (23, "0cccba0efddee6293e9309eb502d1d9a61bec5d6078670e7fd3f3bc851396a6a"),
    "m013": (23, "9b64acb41a5479e059ad97a536ec86563fde25ed7df00bff845c8def5ef1ef27"),
    "m014": (23, "f5660c424e2294389f838e23a1e3757deb99ceecc70bd0460e21f58818627c87"),
}
"""The last row of each campaign's log, as the audit of its own version told it."""

QRELS = "1 0 d1 2|1 0 d2 {d2}|1 0 d3 2|1 0 d4 1|1 0 d6 0|2 0 d1 {d1}|2 0 d2 1|2 0 d6 1|"

EARLY = """\
run,AP,nDCG@10,P@5
alpha,0.8333333333333333,0.8670656938930192,0.6000000000000001
beta,0.6527777777777777,0.665722565289037,0.5
gamma,0.3333333333333333,0.38268031849431083,0.2
"""

WITH_GAMMA_WITHDRAWN = EARLY[: EARLY.index("gamma")]

WITH_D2_ADJUDICATED = """\
run,AP,nDCG@10,P@5
alpha,0.8333333333333333,0.8826803184943108,0.6000000000000001
beta,0.6527777777777777,0.6995173223661855,0.5
"""

WITH_IMPORTS_IN_GAPS = """\
run,AP,nDCG@10,P@5
alpha,0.625,0.6934264036172708,0.5
beta,0.7916666666666666,0.807418672423212,0.5
"""

SCORES = {
    **dict.fromkeys(("m001", "m002", "m003"), EARLY),
    **dict.fromkeys(("m004", "m005"), WITH_GAMMA_WITHDRAWN),
    **dict.fromkeys(("m006", "m007", "m009-without-m008"), WITH_D2_ADJUDICATED),
    **dict.fromkeys(("m009", "m010", "m011", "m012", "m013", "m014"), WITH_IMPORTS_IN_GAPS),
}
"""What each version printed: `workbench export scores -m AP -m nDCG@10 -m P@5`."""


def unpacked(name: str, path: Path) -> Path:
    packed = (FILES / f"{name}.db.zst").read_bytes()
    path.write_bytes(zstandard.ZstdDecompressor().decompress(packed))
    return path


@pytest.mark.parametrize("schema", HEADS)
def test_a_campaign_of_each_schema_holds_and_has_its_log_qrels_and_scores_of_that_time(
    schema: str, tmp_path: Path
) -> None:
    path = unpacked(f"campaign-{schema}", tmp_path / "old.db")
    before = path.read_bytes()
    with open_campaign(path) as campaign:
        assert (log.head(campaign).seq, log.head(campaign).hash.hex()) == HEADS[schema]
        assert [(finding.question, finding.wrong) for finding in audit(campaign) if finding.wrong] == []
        # d1 of topic 2 was judged 0 and then imported as 1: an import overruled a person until m008.
        expected = QRELS.format(
            d2=1 if schema < "m006" else 2,
            d1=0 if schema in ("m009", "m010", "m011", "m012", "m013", "m014") else 1,
        )
        assert (
            "".join(
                f"{row.topic_id} 0 {row.document_id} {row.grade}|" for row in export_qrels(campaign).qrels
            )
            == expected
        )
        scored = score_campaign(campaign, ["AP", "nDCG@10", "P@5"])
        assert "".join(RENDERINGS["csv"](scored)) == SCORES[schema]
        told = [kept.text for kept in rationales.in_force(campaign)]
        assert told == ([] if schema == "m001" else ["river"])
    copies = [copy.read_bytes() for copy in tmp_path.glob("old.before-*.db")]
    assert len(copies) == 1
    assert all(len(copy) == len(before) for copy in copies)


EVENTFUL = {
    "settled": (
        (101, "952e86b1f482fcbc29c57150538108a6ec8df3fb3b2c8e767db8611b09c250a4"),
        ("d483a2ffc2864040", "ed8ea6f656764fd2"),
    ),
    "messy": (
        (2684, "439ed69008822f59721fe679a6d5e18219df912e2f36ffa11618ea7515559eca"),
        ("a2db4bcd522f6906", "7dcbee75a954d379"),
    ),
}
"""Of campaigns in which much has happened: the last row of the log, and the SHA-256 of its qrels and scores."""


@pytest.mark.parametrize("name", EVENTFUL)
def test_a_campaign_in_which_much_has_happened_exports_the_same_bytes_as_before(
    name: str, tmp_path: Path
) -> None:
    path = unpacked(f"campaign-m009-{name}", tmp_path / f"{name}.db")
    head, digests = EVENTFUL[name]
    with open_campaign(path) as campaign:
        assert (log.head(campaign).seq, log.head(campaign).hash.hex()) == head
        assert [(finding.question, finding.wrong) for finding in audit(campaign) if finding.wrong] == []
    exported = [
        CliRunner().invoke(main, ["export", *words]).stdout
        for words in (
            ["qrels", str(path)],
            ["scores", str(path), "-m", "AP", "-m", "nDCG@10", "-m", "P@5", "--sort", "added"],
        )
    ]
    assert tuple(sha256(text.encode()).hexdigest()[:16] for text in exported) == digests


def known_to(migrations: Migrations) -> list[str]:
    database = Database(memory=True)
    migrations.apply(database)
    return [name for (name,) in database.execute("SELECT name FROM _sqlite_migrations").fetchall()]


def newest_of_files(kind: str) -> set[str]:
    return {file.name.split("-")[1][:4] for file in FILES.glob(f"{kind}-*.zst")}


def test_there_is_a_file_of_every_schema_before_the_newest_one() -> None:
    campaigns = sorted(name[:4] for name in definitions.known_migrations(migrations_of_campaigns))
    assert set(campaigns[:-1]) - {"m008"} <= newest_of_files("campaign")  # m008 came after m009
    accounts = sorted(name[:4] for name in known_to(migrations_of_accounts))
    assert set(accounts[:-1]) <= newest_of_files("accounts")


@pytest.mark.parametrize("schema", sorted(newest_of_files("accounts")))
def test_accounts_of_each_schema_sign_in_and_have_no_more_rights_than_then(
    schema: str, tmp_path: Path
) -> None:
    unpacked(f"accounts-{schema}", tmp_path / "accounts.db")
    with open_accounts(tmp_path) as accounts:
        check_record(accounts)
        found = {each.name: (each.disabled, each.makes_campaigns) for each in list_accounts(accounts)}
        assert found == {"anna": (False, schema != "m001"), "ben": (True, False)}
        assert check_password(accounts, "anna", "the river of anna is deep") is not None
        assert check_password(accounts, "ben", "the river of ben is deep") is None
        recorded = ["account made", "account made", "disabled", "allowed", "reset link made"]
        assert len(security_log.acts(accounts)) == (0 if schema == "m001" else len(recorded))
