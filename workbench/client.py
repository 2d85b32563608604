"""A campaign on a server, for programs elsewhere: `workbench.connect(address, token)`.

Every method asks one address of docs/build/api.md and gives its JSON; `get` and `post` reach those without a method.
What the server refuses raises ServerRefused with its sentence. Work that takes long is a job on the server, which is
waited for; a request that found the server busy is sent again.
"""

from __future__ import annotations

import json
import time
import uuid
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlencode, urljoin

from workbench import __version__
from workbench.core.errors import WorkbenchError

if TYPE_CHECKING:
    from urllib3 import BaseHTTPResponse

LONGEST_WAIT = 2.0
"""Seconds between two looks at a job, at the most."""
TRIES = 5
AGAIN_AFTER = frozenset({429, 503})
"""Statuses that say when to send the same once more."""
UNENDED = frozenset({"waiting", "running"})

Fields = Mapping[str, Any]


class ServerRefused(WorkbenchError):
    """The server refused a request, or a job of it failed: `status` of HTTP, `reason` a word, and a sentence.

    `answer` has all that it said, such as the reports on files of which none was added.
    """

    def __init__(self, status: int, answer: Fields) -> None:
        super().__init__(str(answer.get("message") or f"the server answered with {status}"))
        self.status, self.reason, self.answer = status, str(answer.get("reason", "")), answer


class ServerCampaign:
    """The campaign of a token, on its server; made by `connect`.

    Attributes:
        name: the campaign.
        account, role: as who, and in which role, the token works.
    """

    def __init__(self, address: str, token: str, program: str) -> None:
        import urllib3

        again = urllib3.Retry(
            TRIES,
            connect=2,
            status_forcelist=AGAIN_AFTER,
            backoff_factor=0.2,
            allowed_methods={"GET"},
            raise_on_status=False,
        )
        self._of_judgments = again.new(connect=TRIES, allowed_methods=None)
        headers = {"Authorization": f"Bearer {token}", "Accept": "application/json"}
        headers["User-Agent"] = f"{program}/{__version__}"
        self._server = address if address.endswith("/") else f"{address}/"
        self._pool = urllib3.PoolManager(
            headers=headers, retries=again, timeout=urllib3.Timeout(10, read=300)
        )
        said = self._json(self._sent("GET", urljoin(self._server, "session")))
        self.account, self.name, self.role = said["account"], said["campaign"], said["role"]

    def __repr__(self) -> str:
        return f"<campaign {self.name} on {self._server}, as {self.account}, {self.role}>"

    def get(self, address: str, /, **query: Any) -> Any:
        """What an address below that of the campaign answers, such as `api/board`; several values of a field as a list.

        JSON as its values, other texts as str, and all else as bytes. Raises ServerRefused.
        """
        asked = f"{self._place(address)}?{urlencode(query, doseq=True)}"
        found = self._content(self._sent("GET", asked))
        if not _is_job(found):
            return found
        ended = self._ended(found)
        return self._content(self._sent("GET", urljoin(self._server, ended["result"])))

    def post(self, address: str, fields: Fields | None = None, *, files: Iterable[str | Path] = ()) -> Any:
        """What an address answers to the fields of its form, with files; of a job what came of it. ServerRefused."""
        sent: list[tuple[str, Any]] = [(name, str(value)) for name, value in (fields or {}).items()]
        sent += [("files", (Path(file).name, Path(file).read_bytes())) for file in files]
        found = self._json(self._sent("POST", self._place(address), fields=sent))
        return self._ended(found)["detail"] if _is_job(found) else found

    def send(self, address: str, record: Fields, **how: Any) -> Any:
        """What an address answers to a record, which is sent as JSON. ServerRefused."""
        how["headers"] = {**self._pool.headers, "Content-Type": "application/json"}
        return self._json(self._sent("POST", self._place(address), body=json.dumps(record).encode(), **how))

    def description(self) -> Any:
        """What the server's addresses take and answer, as OpenAPI 3.1."""
        return self._json(self._sent("GET", urljoin(self._server, "api/openapi.json")))

    def add(self, kind: str, *files: str | Path, check: bool = False, **fields: Any) -> list[dict[str, Any]]:
        """Add files of topics, documents, runs, qrels, answers and so on; a report for each, in their order.

        With `check` nothing is added. The fields are those of the form, such as `team`. Raises ServerRefused where a
        file has errors; the others are added.
        """
        answer = self.post(f"add/{kind}", fields | ({"do": "check"} if check else {}), files=files)
        reports: list[dict[str, Any]] = answer["reports"]
        wrong = [each for each in reports if each["problems"]]
        if wrong:
            problem = wrong[0]["problems"][0]
            raise ServerRefused(422, {**answer, "message": f"{wrong[0]['file']}: {problem['message']}"})
        return reports

    def pool(self, depth: int | None = None, *, strategy: str = "depth", **fields: Any) -> dict[str, Any]:
        """Make a pool; its number and how many pairs it brought. The fields are those of the form of the strategy."""
        parameters = fields | ({} if depth is None else {"depth": depth})
        made: dict[str, Any] = self.post("pool", {"strategy": strategy, **parameters})
        return made

    def topics(self) -> list[dict[str, Any]]:
        """The topics with what is pooled, judged and relevant."""
        rows: list[dict[str, Any]] = self.get("api/topics")["topics"]
        return rows

    def board(self, *measures: str, **query: Any) -> dict[str, Any]:
        """The leaderboard by these measures, or the usual ones."""
        found: dict[str, Any] = self.get("api/board", m=list(measures), **query)
        return found

    def queue(self, topic_id: str) -> list[str]:
        """The documents of a topic that the token's account is to judge and has not judged, in their order."""
        found = self.get("api/queue", topic=topic_id)["queue"]
        return [each["document_id"] for each in found if each["state"] == "open"]

    def judge(self, topic_id: str, document_id: str, grade: int | None, **more: Any) -> dict[str, Any]:
        """Judge a document as it is shown now; `more` are other fields of a judgment, such as `comment`.

        Sent again by itself where the connection broke or the server was busy: the server stores it once.
        """
        shown = self.get("api/document", topic=topic_id, document=document_id)
        echoed = ("log", "pool", "text_hash", "topic_version", "guideline_version", "left")
        judgment = {name: shown[name] for name in echoed if shown[name] is not None}
        judgment |= {
            "uuid": str(uuid.uuid4()),
            "topic_id": topic_id,
            "document_id": document_id,
            "grade": grade,
        }
        judgment |= {"kind": "grade", "replaces": None, "comment": "", "active_seconds": None}
        judgment |= {"client_at": datetime.now(UTC).isoformat(timespec="milliseconds"), **more}
        receipt: dict[str, Any] = self.send("api/judgments", judgment, retries=self._of_judgments)
        return receipt

    def export(self, kind: str = "qrels") -> str:
        """The text of a file that the campaign offers, such as qrels, judgments or scores."""
        answer = self._sent("GET", self._place(f"download/{kind}"))
        if answer.status != 200:
            self._json(answer)
        return answer.data.decode()

    def _place(self, address: str) -> str:
        return urljoin(self._server, f"c/{quote(self.name)}/{address}")

    def _sent(self, method: str, address: str, **how: Any) -> BaseHTTPResponse:
        from urllib3.exceptions import HTTPError

        try:
            return self._pool.request(method, address, redirect=False, **how)
        except HTTPError as error:
            raise WorkbenchError(
                f"{self._server}: no answer ({str(getattr(error, 'reason', error)).rpartition(': ')[2]})"
            ) from error

    def _json(self, answer: BaseHTTPResponse) -> Any:
        is_json = "json" in answer.headers.get("Content-Type", "")
        said = answer.json() if is_json else {}
        if answer.status >= 300 or not is_json:
            raise ServerRefused(answer.status, said)
        return said

    def _content(self, answer: BaseHTTPResponse) -> Any:
        kind = answer.headers.get("Content-Type", "")
        if answer.status != 200 or kind.startswith("application/json"):
            return self._json(answer)
        return answer.data.decode() if kind.startswith("text/") else answer.data

    def _ended(self, job: dict[str, Any]) -> dict[str, Any]:
        """A job when it has ended; ServerRefused where it failed."""
        wait = 0.1
        while job["state"] in UNENDED:
            time.sleep(wait)
            wait = min(2 * wait, LONGEST_WAIT)
            job = self._json(self._sent("GET", urljoin(self._server, job["address"])))
        if job["state"] != "done":
            raise ServerRefused(200, {**job, "reason": job["state"]})
        return job


def connect(address: str, token: str, program: str = "relevance-workbench") -> ServerCampaign:
    """The campaign that a token is for, on the server at this address; ServerRefused for a token that does not hold."""
    return ServerCampaign(address, token, program)


def _is_job(found: Any) -> bool:
    return isinstance(found, dict) and {"state", "result", "address"} <= found.keys()
