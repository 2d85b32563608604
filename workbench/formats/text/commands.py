"""The commands that messages advise, each declared here alone: a test runs each on the file that caused the advice."""

from __future__ import annotations

from types import MappingProxyType

COMMANDS = MappingProxyType(
    {
        "run without tag": """awk '{print $1, $2, $3, $4, $5, "TAG"}'""",
        "run of ranks": """awk '{print $1, "Q0", $2, $3, -$3, "TAG"}'""",
        "run of scores": """awk '{print $1, "Q0", $2, ++rank[$1], $3, "TAG"}'""",
        "qrels of a sample": "awk '{print $1, 0, $2, $3}'",
        "qrels with strata": "awk '$5 >= 0 {print $1, $2, $3, $5}'",
        "qrels with a remark": "awk '{print $1, $2, $3, $4}'",
        "qrels under names": "awk 'NR > 1 {print $1, 0, $2, $3}'",
        "qrels without zeros": "awk '{print $1, 0, $2, $3}'",
        "qrels with repeated lines": "awk '!seen[$1, $3]++'",
        "line ends": "tr '\\r' '\\n' <",
        "windows-1252": "iconv -f windows-1252 -t UTF-8",
        "UTF-16": "iconv -f UTF-16 -t UTF-8",
        "UTF-32": "iconv -f UTF-32 -t UTF-8",
    }
)
"""Commands by what is wrong with the file; its name follows, and that of a new one."""


def command(name: str) -> str:
    """The command with placeholders for the two files."""
    return f"{COMMANDS[name]} FILE > NEWFILE"
