"""Banks and reports of autojudge-base, where it is installed, are read here, and it reads what is written here.

AUTOJUDGE_PYTHON names the Python of an environment that has it: pip install autojudge-base requests.
"""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from workbench.formats.answers.bank_forms import read_banks
from workbench.formats.answers.banks import Bank, Creator, GoldAnswer, Nugget, Reference
from workbench.formats.answers.banks_written import banks_text
from workbench.formats.answers.judged_reports import Cited, read_judged_reports, written_report

pytestmark = pytest.mark.slow

MAKE = """
from autojudge_base.nugget_data import *
from autojudge_base.nugget_data.nuggetizer.nuggetizer_data import *
from autojudge_base.report import Report
def question(text, *answers, **more):
    return NuggetQuestion(query_id="300", question=text, **more).add_answers(list(answers))
decades = Answer.from_lazy(answer="decades", references=["d1"])
parts = [question("Who counts?", Answer(answer="divers"))]
asked = question("How long?", decades, Answer(answer="years"), sub_nuggets=parts, importance=2,
    aggregator_type=AggregatorType.OR, creator=[Creator(is_human=True, assessor_id="ann")])
place = Reference(doc_id="d2", collection="c", offsets=Offsets(start_offset=3, end_offset=9, encoding="utf-8"))
claim = NuggetClaim(query_id="300", claim="Grazers help \u0633.", references=[place])
bank = NuggetBank(query_id="300", title_query="Reefs").add_nuggets([asked, claim])
bank.index_nuggets()
banks = NuggetBanks.from_banks_list([bank])
write_nugget_banks(banks, "v3.jsonl")
write_nugget_banks(banks, "v3", format="directory")
facts = [NuggetizerNugget(text="slow", importance="vital"), NuggetizerNugget(text="fish", importance="okay")]
facts = NuggetizerNuggetBanks.from_banks_list([NuggetizerNuggetBank(query="Reefs", qid="17", nuggets=facts)])
write_nuggetizer_banks(facts, "facts.jsonl")
open("v4.json", "w").write(facts.model_dump_json(exclude_none=True))
given = {"metadata": {"team_id": "uni", "run_id": "one", "topic_id": "t1"}, "nugget_bank": [
    {"question": "Q?", "aggregator_type": "AND", "answers": [{"answer": "A", "references": ["d1"]}]}]}
ragtime = Ragtime26NuggetBanks.from_banks_list([Ragtime26NuggetBank(**given)])
write_ragtime26_nugget_banks(ragtime, "ragtime.jsonl")
"""
READ = """
import json, sys
from autojudge_base.nugget_data import *
from autojudge_base.nugget_data.nuggetizer.nuggetizer_data import *
from autojudge_base.report import Report
name = sys.argv[1]
load = {"v3": load_nugget_banks_from_file, "facts": load_nuggetizer_banks_from_file,
    "v4": lambda file: NuggetizerNuggetBanks.model_validate_json(open(file).read()),
    "ragtime": load_ragtime26_nugget_banks_from_file}
if name == "report.jsonl":
    found = [Report.model_validate(json.loads(line)["report"]).model_dump() for line in open(name)]
else:
    found = load[name.partition(".")[0].partition("/")[0]](name).model_dump(exclude_none=True)
print(json.dumps(found, default=str, sort_keys=True))
"""
FORM = {"v3": "argue", "facts": "nuggetizer", "v4": "v4", "ragtime": "argue"}
AGAIN = {
    "v3.jsonl": "v3.again.jsonl",
    "v3/300.json.gz": "v3.again.json",
    "facts.jsonl": "facts.again.jsonl",
    "v4.json": "v4.again.json",
    "ragtime.jsonl": "ragtime.again.jsonl",
}
"""Its files, and what they are written to again; those of v4 its classes read, but none of its functions."""


@pytest.fixture
def python(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    # It loads a list of stop words when it starts, which no bank needs.
    (tmp_path / "nltk" / "corpora" / "stopwords").mkdir(parents=True)
    (tmp_path / "nltk" / "corpora" / "stopwords" / "english").write_text("the\n")
    (tmp_path / "nltk" / "tokenizers" / "punkt").mkdir(parents=True)
    monkeypatch.setenv("NLTK_DATA", str(tmp_path / "nltk"))
    if found := os.environ.get("AUTOJUDGE_PYTHON"):
        return found
    if importlib.util.find_spec("autojudge_base") is None:
        pytest.skip("autojudge-base is not installed: see AUTOJUDGE_PYTHON in this file")
    return sys.executable


def run(python: str, script: str, *words: str) -> str:
    done = subprocess.run([python, "-c", script, *words], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def read_there(python: str, name: str) -> Any:
    return json.loads(run(python, READ, name))


def plain(nugget: Nugget) -> tuple[Any, ...]:
    answers = [(each.text, [one[:2] for one in each.references]) for each in nugget.answers]
    return nugget.text, nugget.importance, nugget.aggregator, answers, list(map(plain, nugget.parts))


@pytest.mark.parametrize("name", AGAIN)
def test_a_file_of_its_own_is_read_and_written_again_it_is_the_same_to_it(python: str, name: str) -> None:
    run(python, MAKE)
    there = read_there(python, name)
    read = read_banks(name)
    (bank,) = read.banks
    found = [plain(each) for each in bank.nuggets]
    if name.startswith("v3"):
        part = ("Who counts?", "", "", [("divers", [])], [])
        answers = [("decades", [("d1", None)]), ("years", [])]
        assert (bank.topic_id, bank.query) == ("300", "Reefs")
        assert found == [("How long?", "2", "OR", answers, [part]), ("Grazers help س.", "", "", [], [])]
        assert [each[:2] for each in bank.nuggets[1].references] == [("d2", (3, 9))]
        assert bank.nuggets[0].creators == (Creator("ann", is_human=True),)
    elif name.startswith("ragtime"):
        assert (bank.topic_id, found) == ("t1", [("Q?", "", "AND", [("A", [("d1", None)])], [])])
    else:
        assert (bank.topic_id, [each[:2] for each in found]) == ("17", [("slow", "vital"), ("fish", "okay")])
    form = FORM[AGAIN[name].partition(".")[0]]
    Path(AGAIN[name]).write_text(banks_text(read, form))
    assert read_there(python, AGAIN[name]) == there


def test_a_bank_of_ones_own_is_read_there_with_all_that_it_has(python: str) -> None:
    ann, model = Creator("ann", is_human=True), Creator("m", is_human=False)
    decades = GoldAnswer("decades", references=(Reference("d1", (3, 9)),), creators=(ann,))
    part = Nugget("Who counts?", "p1", True, answers=(GoldAnswer("divers"),))
    asked = Nugget("How long?", "n1", True, "vital", "OR", (decades,), (part,), (Reference("d2"),), (model,))
    bank = Bank("300", (asked, Nugget("Grazers help س.", "n2", importance="okay")), "", "Reefs")
    Path("v3.jsonl").write_text(banks_text([bank], "argue"))
    (found,) = read_there(python, "v3.jsonl")["banks"].values()
    question, claim = found["nugget_bank"]["How long?"], found["claim_bank"]["Grazers help س."]
    assert (question["question_id"], question["importance"], claim["importance"]) == ("n1", "vital", "okay")
    assert question["answers"]["decades"]["references"][0]["offsets"]["end_offset"] == 9
    assert [each["question"] for each in question["sub_nuggets"]] == ["Who counts?"]
    assert [each["llm_model"] for each in question["creator"]] == ["m"]
    Path("v4.json").write_text(banks_text([Bank("17", (Nugget("slow", importance="vital"),), "")], "v4"))
    (facts,) = read_there(python, "v4.json")["banks"].values()
    assert facts["nuggets"] == [{"text": "slow", "importance": "vital"}]


def test_a_judged_report_has_a_report_of_it_within(python: str) -> None:
    cited = [Cited("d1", "Reefs take decades.", True, True), Cited("d2", "", None, None)]
    said = [("Reefs recover slowly.", cited), ("Nobody knows.", [])]
    answered = Nugget("How long?", "n1", True, "vital", answers=(GoldAnswer("decades"),))
    Path("report.jsonl").write_text(written_report("one", "uni", "300", said, [answered]))
    (found,) = read_there(python, "report.jsonl")
    assert (found["metadata"]["run_id"], found["metadata"]["topic_id"]) == ("one", "300")
    assert [each["text"] for each in found["responses"]] == [text for text, _ in said]
    assert [each.topic_id for each in read_judged_reports("report.jsonl")] == ["300"]
