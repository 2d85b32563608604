"""A campaign from its beginning to its release on the command line: what each command that changes something says.

Judgments, which come from the browser, are lines that begin with `judge`.
"""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.conftest import judge_as
from tests.recorded.conftest import AsRecorded
from workbench.cli import main
from workbench.storage.campaign import open_campaign

FILES = {
    "topics.tsv": "1\tdam\tHow is a dam built?\n2\tice\tWhen does a river freeze?\n10\tsalt\tWhere is salt mined?\n",
    "documents.jsonl": "".join(
        json.dumps({"id": f"d{number}", "title": f"Text {number}", "text": f"{word} and {word} of {number}"})
        + "\n"
        for number, word in enumerate(("dam", "ice", "salt", "river", "lake", "mine", "snow", "wall", "mill"))
    ),
    "another.jsonl": '{"id": "d1", "text": "another text"}\n{"id": "d99", "text": "in no run"}\n',
    "alpha.run": "".join(
        f"{topic} Q0 d{(number * 2 + topic) % 9} {number} {9 - number} alpha\n"
        for topic in (1, 2, 10)
        for number in range(1, 5)
    ),
    "beta.run": "".join(
        f"{topic} Q0 d{(number * 4 + topic) % 9} {number} {9 - number} beta\n"
        for topic in (1, 2, 10)
        for number in range(1, 4)
    ),
    "beta-2.run": "1 Q0 d3 1 3 beta\n1 Q0 d5 2 2 beta\n2 Q0 d0 1 1 beta\n10 Q0 d8 1 1 beta\n",
    "rough.run": "1 Q0 d1 1 3 rough\n1 Q0 d1 2 2 rough\n2 Q0 d2 1 x rough\n99 Q0 d7 1 1 rough\n",
    "earlier.qrels": "1 0 d4 1\n1 0 d8 0\n2 0 d4 2\n99 0 d1 1\n",
    "pairs.tsv": "1\td6\n2\td6\n",
    "who.csv": "topic,assessor,part\n1,anna,whole\n2,ben,whole\n2,anna,second\n",
    "sample.qrels": "1 0 d1 1 1\n1 0 d3 1 2\n1 0 d7 2 -1\n1 0 d2 2 0\n",
    "guests.csv": "name,role,team\nZoë,participant,Delft\nBen Maier,,\n",
    "more.csv": "name,topics\nÁgnes,\n",
    "guide.md": "Read the **whole** document.\n",
}

SESSION = """
new robust --title "Robust" --grades "0:No,1:Partly,2:Highly" --relevant-from 2 --guidelines guide.md
set robust contact "Otto <otto@example.org>"
set robust break-minutes 45
set robust guidelines --file guide.md
add topics robust topics.tsv
add runs robust alpha.run beta.run --team Delft
add runs robust rough.run
add runs robust rough.run --duplicates best-score --bad-lines drop --extra-topics drop
submissions robust --open --deadline 2031-03-01T18:00 --runs-per-team 3 --field "Method*=method.automatic"
correct robust rough --describe Method=automatic --reason "as they say"
submissions robust --no-fields
correct robust rough --team Bern --priority 2 --depth 50 --reason "a slip"
correct robust 10 --topic --text title="salt mine"
withdraw robust rough --reason "an old index"
withdraw robust rough --restore
withdraw robust --topics 10 --reason "too vague"
withdraw robust --topics 10 --restore
pool robust --depth 2 --dry-run
pool robust --depth 2
pool robust --depth 2 --order "best rank" --order-seed 3 --runs alpha
add documents robust documents.jsonl
add documents robust another.jsonl --all --changed --judge-again
search robust 1 "mine or river" --any
search robust 1 mill --add-first 1
search robust 1 zzz
search robust 2 text --add d3
pool robust --strategy list --pairs pairs.tsv
pool robust --strategy sequential-pps --depth 3 --set percent=5
pool robust --strategy sequential-pps --depth 3 --budget 6 --seed 4
add qrels robust earlier.qrels --assessor earlier --dry-run --extra-topics drop
add qrels robust earlier.qrels --assessor earlier --extra-topics drop --yes
member add robust otto --role organiser
member add robust anna --role assessor
member add robust ben --role assessor
member add robust paul --role participant --team Delft
member search robust anna
member search robust anna --forbid
member rename robust paul "Paul B"
member remove robust "Paul B"
assign who robust claimed --lease 90
assign import robust who.csv
assign give robust ben 10
assign give robust anna 10 --add
assign give robust anna 10 --part second
assign take robust 10
assign spread robust
assign double robust --share 0.4 --seed 7 --stratify topic
judge anna 1 d3 2
judge anna 1 d5 0
judge ben 2 d5 1
judge ben 2 d6 1
assign again robust 1 d3 --by ben --reason "cut off"
assign again robust 1 d5
assign again robust 1 d5 --by ben --take-back
assign again robust 1 d5 d3 --by ben --take-back
judge ben 1 d3 0
overrule robust 1 d3 1 --reason "names the dam"
repeats robust --share 0.5 --gap 2 --seed 5
norming open robust 1 --number 2 --seed 3
norming reveal robust
norming close robust --count
rule robust strictest --imports equal
rule robust newest --models gaps
rule robust newest
broken robust d6 --reason "cut off"
broken robust d6 --repaired
assign close robust 10 --reason "no time"
assign reopen robust 10
round robust --open 2
pool robust --retire 2 --reason "by mistake"
add runs robust beta-2.run --replaces --team Delft
pool robust --depth 4 --residual
round robust --cancel 2
quota robust 20
quota robust none
check rough.run
eval earlier.qrels alpha.run beta.run -m AP -m P@1
simulate earlier.qrels alpha.run beta.run --strategy depth --strategy mtf --depth 2
pool-files alpha.run beta.run --strategy depth --depth 1
assign export robust
export qrels robust -o qrels.txt
export qrels robust --up-to-round 1 -o of/rounds/
export qrels robust --up-to-round 1 -o of/rounds/
export judgments robust -o judgments.csv
export rationales robust -o rationales.csv
export pool robust -o pool.txt
export sample robust -o sample.txt
export runs robust -o out/
report robust --team Delft --format html -o sheets
bundle robust -o robust.zip --runs --comments --names names
import-bundle again robust.zip
add sample robust sample.qrels --assessor NIST --dry-run
add sample robust sample.qrels --assessor NIST
add sample robust sample.qrels --assessor NIST --yes
withdraw robust --documents d99 --delete --reason "in no run"
backup robust saved.db
member forget ben --yes --comments
""".strip().splitlines()

PEOPLE = """
user list
user add otto --organiser
user add anna
user list
user allow anna
user forbid anna
user password anna
user reset anna --address https://ir.example.org
user second-factor anna
user second-factor anna --remove
user sign-out anna
user disable anna
user enable anna
user backup accounts.db
user forbid otto
user disable anna
user restore accounts.db
user audit
new robust
member add robust anna --role assessor
member invite robust --role assessor --days 3 --for "the reading room" --address https://ir.example.org
member invite robust --role participant --team Delft
member invite robust --list guests.csv --role assessor --days 9
member invite robust --list guests.csv --role assessor
member list robust
member add robust otto --role organiser
member add robust otto --role adjudicator
member add robust otto --role organiser
member remove robust otto
member remove robust otto
user log anna
""".strip().splitlines()
PASSWORD = "correct horse of the river"

TIMES = re.compile(
    r"\b\d{8}T\d{6}Z\b|\b20[0-2]\d-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d+)?)?)?(Z|[+-]\d\d:\d\d)?\b"
)
TOKENS = re.compile(r"(?<=/reset/)[\w-]{20,}|(?<=/invitation/)[\w-]{20,}")
HASHES = re.compile(r"(?<!\.)\b[0-9a-f]{16,}\b|(?<=person )[0-9a-f]{4}\b")


def test_commands_that_change_something_say_what_they_said(folder: Path, as_recorded: AsRecorded) -> None:
    written = [f"$ {'workbench ' * (line[:6] != 'judge ')}{line}\n{done(line)}" for line in SESSION]
    as_recorded("changes.txt", without_chance("".join(written), folder))


def test_commands_about_accounts_say_what_they_said(folder: Path, as_recorded: AsRecorded) -> None:
    written = [f"$ workbench {line}\n{done(line)}" for line in PEOPLE]
    as_recorded("people.txt", without_chance("".join(written), folder))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory, with the files, and where it is Otto who types."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("WORKBENCH_INSTANCE", raising=False)
    monkeypatch.setenv("LOGNAME", "otto")
    monkeypatch.setenv("COLUMNS", "100")
    for name, text in FILES.items():
        Path(name).write_text(text, encoding="utf-8")
    return tmp_path


def without_chance(text: str, folder: Path) -> str:
    """A text without times, hashes, tokens and the place of the folder."""
    for pattern, word in ((TOKENS, "(token)"), (TIMES, "(time)"), (HASHES, "(hash)")):
        text = pattern.sub(word, text)
    return text.replace(str(folder), "(folder)")


def done(line: str) -> str:
    """What a command says, or that a judgment was made."""
    words = shlex.split(line)
    if words[0] == "judge":
        with open_campaign(Path("instance/robust.db")) as campaign:
            judge_as(campaign, *words[1:4], int(words[4]))
        return ""
    result = CliRunner().invoke(main, words, input=f"{PASSWORD}\n" * 2, catch_exceptions=False)
    return result.output + f"exit status {result.exit_code}\n" * bool(result.exit_code)
