"""Our verdict on every small file of the folder broken-runs, with its reason.

The names say what the authors of these files thought; where our verdict differs, the comment says why.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest

from workbench.core.errors import InputError
from workbench.formats.runs import read_run

pytestmark = pytest.mark.data


class Verdict(NamedTuple):
    """`accepted`, `warned` (read, with these warnings) or `refused` (with these problems): the start of each message,
    after the name of the file."""

    verdict: str
    messages: tuple[str, ...] = ()


ACCEPTED = Verdict("accepted")
FROM_ZERO = ":1: ranks count from 0, not from 1; the order comes from the scores, so nothing to do"
# In most of these files the ranks count from 0, which is the only thing to say about them.
ONLY_FROM_ZERO = Verdict("warned", (FROM_ZERO,))
NOT_A_RUN = Verdict(
    "refused", (":1: this looks like JSON, but neither {topic: {document: value}} nor records",)
)

VERDICTS = {
    # No run at all: two lines of prose that happen to have more than six words.
    "SOURCE.txt": Verdict(
        "refused",
        (
            ":1: score 'ir-measures/tests' is not a number",
            ":2: score 'e993f1fe34e5ecd8808ede19a4ea396013d0803d' is not a number",
            ":2: tag 'tests/data' differs from tag '(no' at line 1",
        ),
    ),
    "empty_file.txt": Verdict("refused", (": the file is empty",)),
    "qrels_sample_valid.txt": Verdict("refused", (":1: 4 columns: this looks like qrels",)),
    "run_sample_invalid_less_columns.txt": Verdict(
        "refused", (":2: 5 columns, but a run has six (topic Q0 document rank score tag): '1 Q0 2 1 3.35",)
    ),
    # Text after the tag is ignored by the reference program too; a tag of two words is read as its first.
    "run_sample_invalid_more_columns.txt": Verdict(
        "warned", (":2: what follows the tag 'pyterrier' is not read", FROM_ZERO)
    ),
    "run_sample_invalid_multiple_tags.txt": Verdict(
        "refused", (":2: tag 'pydolphin' differs from tag 'pyterrier' at line 1; a run has one tag",)
    ),
    "run_sample_valid.txt": ONLY_FROM_ZERO,
    "run_sample_warning_consistency.txt": Verdict(
        "warned", (FROM_ZERO, ":3: the rank column contradicts the scores in 1 topic, here in topic '1'")
    ),
    # A run knows no qrels: unjudged documents are ordinary, and are shown as unjudged on the board.
    "run_sample_warning_docid_not_in_qrels.txt": ONLY_FROM_ZERO,
    # An identifier is any text without blanks.
    "run_sample_warning_docid_special_chars.txt": ONLY_FROM_ZERO,
    # The second column means nothing.
    "run_sample_warning_ignored_column_wrong.txt": ONLY_FROM_ZERO,
    # The order of the topics in a file means nothing.
    "run_sample_warning_qid_not_asc.txt": ONLY_FROM_ZERO,
    # Unknown topics are for the campaign to refuse, which knows its topics.
    "run_sample_warning_qid_not_in_qrels.txt": ONLY_FROM_ZERO,
    "run_sample_warning_qid_special_chars.txt": ONLY_FROM_ZERO,
    "run_sample_warning_rank_not_asc.txt": Verdict(
        "warned", (FROM_ZERO, ":5: the rank column contradicts the scores in 1 topic, here in topic '1'")
    ),
    # Gaps between ranks agree with the scores.
    "run_sample_warning_rank_not_consecutive.txt": ONLY_FROM_ZERO,
    "run_sample_warning_rank_not_int.txt": Verdict(
        "warned", (":1: rank '0.2' is not a whole number (so in 5 lines)",)
    ),
    "run_sample_warning_rank_not_num.txt": Verdict(
        "warned", (":1: rank 'A' is not a whole number (so in 5 lines)",)
    ),
    # Its authors count ranks from 0; the rest of the field counts from 1, as here.
    "run_sample_warning_rank_not_start_at_0.txt": ACCEPTED,
    "run_sample_warning_rank_ties.txt": Verdict(
        "warned",
        (FROM_ZERO, ":5: the rank column gives documents of different scores the same rank in 1 topic"),
    ),
    "run_sample_warning_score_not_desc.txt": Verdict(
        "warned", (FROM_ZERO, ":3: the rank column contradicts the scores in 1 topic, here in topic '1'")
    ),
    # The reference program reads 3.25 and a letter as 3.25; we do not guess.
    "run_sample_warning_score_not_num.txt": Verdict(
        "refused", (":5: score '3.251238969336898a' is not a number; write it like 12.5 or 1e-5",)
    ),
    "run_sample_warning_score_scientific.txt": ONLY_FROM_ZERO,
    # Equal scores are ordinary; the order of ties is a rule of ours, the same for all runs, and not that of the ranks.
    "run_sample_warning_score_ties.txt": Verdict(
        "warned", (FROM_ZERO, ":2: documents of equal scores are ordered by their ids")
    ),
    "run_sample_warning_tag_special_chars.txt": ONLY_FROM_ZERO,
    "topics_sample_valid.jsonl": NOT_A_RUN,
    "topics_sample_warning_qid_not_in_qrels.jsonl": NOT_A_RUN,
    "topics_sample_warning_qid_not_in_run.jsonl": NOT_A_RUN,
    # Blanks separate as well as tabs.
    "checkthat/delimiter_space.tsv": ACCEPTED,
    "checkthat/duplicate_pairs.tsv": Verdict(
        "refused",
        (":3: document '695' is listed twice in topic '93', first at line 2; keep one of the two lines",),
    ),
    "checkthat/format_q0.tsv": ACCEPTED,
    "checkthat/less_columns.tsv": Verdict("refused", (":3: 5 columns, but a run has six",)),
    # A column too many in the middle: the tag is not where it was.
    "checkthat/more_columns.tsv": Verdict(
        "refused", (":3: tag '2.1455016' differs from tag 'elasic' at line 1",)
    ),
    "checkthat/ok.tsv": ACCEPTED,
    "checkthat/rank_not_1.tsv": Verdict("warned", (":3: ranks count from 0, not from 1",)),
    "checkthat/score_not_float.tsv": Verdict("refused", (":3: score 'abc' is not a number",)),
}


def test_every_file_has_a_verdict(data_folder: Path) -> None:
    folder = data_folder / "broken-runs"
    files = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    assert files == set(VERDICTS)


@pytest.mark.parametrize("name", VERDICTS)
def test_each_file_gets_its_verdict_and_its_reason(data_folder: Path, name: str) -> None:
    path = data_folder / "broken-runs" / name
    try:
        run = read_run(path)
    except InputError as error:
        verdict, findings = "refused", error.problems
    else:
        verdict, findings = "warned" if run.warnings else "accepted", run.warnings
    expected = VERDICTS[name]
    messages = [str(finding).removeprefix(str(path)) for finding in findings]
    assert verdict == expected.verdict, messages
    assert len(messages) == len(expected.messages), messages
    for message, start in zip(messages, expected.messages, strict=True):
        assert message.startswith(start)
