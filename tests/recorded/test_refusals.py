"""What commands say that refuse: in one record, so that a reader can compare their words."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.recorded.conftest import AsRecorded
from workbench.cli import main

FILES = {
    "twice.run": "1 Q0 doc-0 1 3 twice\n1 Q0 doc-0 2 2 twice\n2 Q0 doc-7 1 x twice\n",
    "strange.run": "".join(f"{topic} Q0 none-{topic} 1 1 strange\n" for topic in range(20, 45)),
    "short.run": "1 Q0 doc-0 1 3\n\n2 Q0\n",
    "no numbers.qrels": "1 0 doc-0 one\n2 0 doc-7\n",
    "strange.qrels": "".join(f"{topic} 0 none-{topic} 1\n" for topic in range(20, 45)),
    "twice.tsv": "1\tone\n1\tanother\n\n2\n",
    "broken.jsonl": '{"id": "a", "text": "x"}\n{"id": "a", "text": "y"}\n{"title": "none"}\n[1]\n{\n',
    "list.tsv": "1\tdoc-0\n26\tdoc-0\n1\n",
    "empty": "",
}

REFUSED = """
topics none
topics messi
runs
score messy -m AAP
score messy -m P@0
score messy -m "RBP(p=2)"
score messy -m "RBP(q=.5)"
score messy -m nDCG@ten
score messy --as-of 99999
score messy --as-of tomorrow
score messy --as-of 2020-01-01
compare messy sys1
compare messy sys1 sys1
compare messy sys1 sys99
compare messy sys1 sys2 --topic 99
certain messy -m Bpref
certain messy -m AP@x
certain messy --witness sys1 sys99
stop messy --pairs
stop messy --alpha 2
stop eventful --alpha 0
stop eventful --pairs -m nDCG@10
reuse messy -m Judged@10
reuse messy --depth 0
agreement messy --by person
rule messy mayority
rule messy owner --imports sometimes
repeats messy --share 2
norming open messy 99
norming close messy
withdraw messy sys99 sys98 sys97 sys96 sys95 sys94 sys93 sys92 sys91 sys90 sys89 sys88 --reason none
withdraw messy sys7 --reason again
pool messy
pool messy --depth 0
pool messy --depth 5 --set dept=5
pool messy --strategy rrff --depth 5
pool messy --strategy rrf --depth 5 --set k=-1
pool messy --strategy hedge --depth 5 --set beta=2
pool messy --depth 5 --runs sys99
pool messy --depth 5 --ties random
pool messy --strategy list --pairs list.tsv
round messy --open 1
round messy --cancel
assign give messy anna 99
assign take messy 99
assign close messy 99
assign double messy --share 3
assign who messy everyone
member add messy "" --role assessor
member add messy new --role boss
member remove messy nobody
overrule messy 1 none 1 --reason wrong
export qrels messy --grades 7
export runs messy --run sys99
plot messy topicz
plot messy topic-map
plot messy topic-map topic=99
plot messy topic-map topic=1 colour=red
plot messy compare-curves run=sys99
report messy --team team99
import-bundle new.db empty
restore none.db messy
quota messy -1
search messy 99 river
search messy 1 ""
add topics messy twice.tsv
add topics messy empty
add topics messy none.tsv
add documents messy broken.jsonl
add runs messy twice.run
add runs messy strange.run short.run
add runs messy empty
add runs messy none.run "none 2.run"
add qrels messy "no numbers.qrels" --assessor earlier
add qrels messy strange.qrels --assessor earlier
check short.run twice.run
eval "no numbers.qrels" short.run
eval strange.qrels none.run
simulate strange.qrels strange.run --strategy depht
new messy
new "a/b" --grades 0:No
new two --grades "0:No,0:Yes"
new two --grades "no"
new two --grades "0:No,1:Yes" --relevant-from 5
serve none
serve --port 99999
user add ""
set messy colour red
""".strip().splitlines()


def test_what_is_refused_is_refused_in_the_same_words(
    eventful: Path, messy: Path, as_recorded: AsRecorded, monkeypatch: pytest.MonkeyPatch
) -> None:
    (eventful.parent / "messy.db").write_bytes(messy.read_bytes())
    for name, text in FILES.items():
        Path(name).write_text(text, encoding="utf-8")
    monkeypatch.setenv("COLUMNS", "100")
    said, taken = [], []
    for line in REFUSED:
        done = CliRunner().invoke(main, shlex.split(line), catch_exceptions=False)
        said.append(f"$ workbench {line}\n{done.output.rstrip()}\nexit status {done.exit_code}\n")
        taken += [line] * (done.exit_code == 0)
    assert not taken, "\n".join(taken)
    as_recorded("refusals.txt", "\n".join(said))
