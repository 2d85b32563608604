"""Asking a judge about all that it has not answered: in order, several at once, within limits, nothing paid twice.

Each answer is in the prompt cache before it counts; answers become labels in batches, in the order of the prompts. A
run that ends for any reason, a kill among them, is continued by the same call.
"""

from __future__ import annotations

import math
import threading
import time
from collections import Counter, deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from hashlib import sha256

from workbench.campaign.asking_models.client import ModelClient, NotAnswered, RunEnded
from workbench.campaign.asking_models.declaring import longest_answer
from workbench.campaign.asking_models.outcomes import Finished, Preview, Run
from workbench.campaign.asking_models.prompts import TOO_LONG, Chosen, Missing, Prompt, missing, prompts
from workbench.campaign.model_endpoints import address_of, key_for, require_permitted
from workbench.campaign.questions import put_due
from workbench.core.battles import seen_from
from workbench.core.errors import CampaignError
from workbench.core.model_answers import Judge, ModelAnswer
from workbench.core.wording import counted
from workbench.formats.prompts.replies import OTHER_MODEL, grade_in, reply_of
from workbench.formats.tables.json_text import json_line
from workbench.jobs.processes import OnStep
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection.question_topics import about
from workbench.storage.campaign.models.answers import put_answers, wrong_answers
from workbench.storage.campaign.models.judges import judge_named
from workbench.storage.prompt_cache import Kept, PromptCache, prompt_cache

BATCH = 50
"""Answers that become labels together."""

UnderWay = deque[tuple[Prompt, Future[Kept] | Kept | None]]
"""Prompts with their answers, or what will have them; None where the cache has none, or the prompt is too long."""

UNANSWERED = 5
"""After so many requests in a row without an answer a run ends."""


def preview(
    campaign: Campaign,
    judge: Judge,
    chosen: Chosen,
    run: Run,
    *,
    on_step: OnStep = lambda done, total, what: None,
) -> Preview:
    """What asking a judge would send and cost; nothing is sent. Errors as of `ask`, besides those of the endpoint."""
    asked, counts, sent = missing(campaign, judge, chosen), Counter[str](), 0
    on_step(0, None, "Reading the texts")
    with prompt_cache(campaign.path) as cache:
        for prompt in prompts(campaign, judge, asked):
            counts.update(_remarks(prompt))
            kept = bool(prompt.messages) and cache.find(prompt.key) is not None
            is_sent = bool(prompt.messages) and not kept
            counts.update(prompts=1, kept=kept, too_long=not prompt.messages, sent=is_sent)
            sent += prompt.tokens if is_sent else 0
    received = counts["sent"] * longest_answer(judge)
    return Preview(
        **{name: counts[name] for name in ("prompts", "kept", "too_long", "cut", "marked")},
        without_text=asked.without_text,
        prompt_tokens=sent,
        answer_tokens=received,
        cost=run.prices.cost(sent, received),
    )


def ask(
    campaign: Campaign,
    name: str,
    chosen: Chosen,
    run: Run,
    *,
    on_step: OnStep = lambda done, total, what: None,
    pause: Callable[[float], bool] | None = None,
) -> Finished:
    """Ask a judge about the pairs that it has not answered, and store its answers and labels.

    `pause` waits for so many seconds, and returns True where the run was stopped meanwhile.

    Raises:
        UnknownName, NotThere: there is no such judge, or topic.
        CampaignError: the campaign does not say that texts may be sent there; a topic lacks a field of the prompt;
            another process asks for this campaign; or the library is missing.
    """
    judge = judge_named(campaign, name)
    asked = missing(campaign, judge, chosen, again=not run.address)
    stop, client = threading.Event(), None
    if endpoint := endpoint_of(campaign, judge, run):
        client = ModelClient(*endpoint, seconds=run.seconds, pause=pause or stop.wait)
    try:
        with prompt_cache(campaign.path) as cache:
            return _Asking(campaign, judge, cache, client, run, asked, stop, asked.model).about(on_step)
    finally:
        if client is not None:
            client.close()


def endpoint_of(campaign: Campaign, judge: Judge, run: Run) -> tuple[str, str] | None:
    """The address and the key of a run, None where all answers come from the cache.

    CampaignError where it is no address, texts must not be sent there, or the file of keys cannot be used.
    """
    if not run.address:
        return None
    try:
        address = address_of(run.address)
    except ValueError as error:
        raise CampaignError(str(error)) from None
    require_permitted(campaign, address, about(campaign.asking(judge.question)))
    return address, key_for(address, run.keys)


@dataclass
class _Asking:
    """One run: what is under way, what it used, and what came of it."""

    campaign: Campaign
    judge: Judge
    cache: PromptCache
    client: ModelClient | None
    run: Run
    asked: Missing
    stop: threading.Event
    model: str
    counts: Counter[str] = field(default_factory=Counter)
    failed: Counter[str] = field(default_factory=Counter)
    lost: Counter[str] = field(default_factory=Counter)
    differ: list[str] = field(default_factory=list)
    batch: list[ModelAnswer] = field(default_factory=list)
    in_a_row: int = 0
    reserved: tuple[int, int] = (0, 0)
    spent: tuple[int, int] = (0, 0)
    began: float = field(default_factory=time.monotonic)

    def about(self, on_step: OnStep) -> Finished:
        """Ask, and store what is answered, until the end of the prompts or of the run."""
        ended, total = "", sum(map(len, self.asked.by_topic.values()))
        under_way: UnderWay = deque()
        with ThreadPoolExecutor(self.run.at_once) as pool:
            try:
                for prompt in prompts(self.campaign, self.judge, self.asked):
                    if len(under_way) >= 2 * self.run.at_once:
                        self._take(*under_way.popleft())
                        on_step(self.counts["taken"], total, "Asking")
                    if ended := self._begin(prompt, pool, under_way):
                        break
                while under_way:
                    self._take(*under_way.popleft())
                    on_step(self.counts["taken"], total, "Asking")
            except RunEnded as error:
                ended = str(error)
            finally:
                # Also on Ctrl-C: what is under way is not waited for, what was answered is stored.
                self.stop.set()
                for _, future in under_way:
                    if isinstance(future, Future):
                        future.cancel()
                self._store()
        if self.client is None:
            self.differ += wrong_answers(self.campaign)
        return self._finished(ended, total)

    def _begin(self, prompt: Prompt, pool: ThreadPoolExecutor, under_way: UnderWay) -> str:
        """Send a prompt, unless it is too long or has its answer; why none is sent any more, "" while they are."""
        while any(other.key == prompt.key for other, _ in under_way):  # its answer is being paid for
            self._take(*under_way.popleft())
        kept = self.cache.find(prompt.key) if prompt.messages else None
        if kept is not None or not prompt.messages or self.client is None:
            under_way.append((prompt, kept))
            return ""
        if time.monotonic() - self.began > (self.run.most_seconds or math.inf):
            return "its time is over"
        needed = prompt.tokens, longest_answer(self.judge)
        if why := self._over_budget(needed):
            return why
        self.reserved = _sum(self.reserved, needed)
        under_way.append((prompt, pool.submit(self._ask, self.client, prompt)))
        return ""

    def _over_budget(self, needed: tuple[int, int]) -> str:
        sent, received = _sum(self.spent, self.reserved, needed)
        if self.run.most_tokens is not None and sent + received > self.run.most_tokens:
            return f"the next prompt could pass the budget of {counted(self.run.most_tokens, 'token')}"
        if self.run.most_cost is not None and self.run.prices.cost(sent, received) > self.run.most_cost:
            return f"the next prompt could pass the budget of {self.run.most_cost:,.2f}"
        return ""

    def _ask(self, client: ModelClient, prompt: Prompt) -> Kept:
        """In a thread of the pool: the answer, which is on the disk when this returns."""
        kept = client.ask(self.judge.model, prompt.messages, prompt.parameters)
        self.cache.put(prompt.key, kept)
        return kept

    def _take(self, prompt: Prompt, found: Future[Kept] | Kept | None) -> None:
        """Count what came of a prompt."""
        self.counts["taken"] += 1
        before, is_kept = self.asked.answered.get(prompt.of), isinstance(found, Kept)
        if isinstance(found, Future):
            needed = prompt.tokens, longest_answer(self.judge)
            self.reserved = _sum(self.reserved, (-needed[0], -needed[1]))
            try:
                found = found.result()
            except NotAnswered as error:
                self._miss(str(error))
                return
            self.in_a_row = 0
            reply = reply_of(found.body)
            sent = needed[0] if reply.input_tokens is None else reply.input_tokens
            received = needed[1] if reply.output_tokens is None else reply.output_tokens
            self.spent = _sum(self.spent, (sent, received))
        elif found is None and prompt.messages:
            self.lost["not in the prompt cache"] += 1
            self.counts["there"] += before is not None
            return
        answer = self._answer(prompt, found)
        if before is not None:
            self._compare(before, answer.checked())
        else:
            self.counts["kept"] += is_kept
            self._count(prompt, answer)

    def _compare(self, before: ModelAnswer, answer: ModelAnswer) -> None:
        """Note where a stored answer is another one than follows from the cache, besides its cost."""
        self.counts.update(("there", "checked"))
        for name, was, now in zip(ModelAnswer._fields, before, answer, strict=True):
            if was != now and name != "cost":
                of = f"topic {before.topic_id}, document {before.document_id}, repeat {before.sample}"
                self.differ.append(
                    f"{of}: {name} {was!r:.80} is stored, and {now!r:.80} follows from the cache"
                )
                return

    def _miss(self, why: str) -> None:
        self.lost[why] += 1
        self.in_a_row += 1
        if self.in_a_row >= UNANSWERED:
            raise RunEnded(f"{counted(UNANSWERED, 'request')} in a row had no answer, the last one: {why}")

    def _count(self, prompt: Prompt, answer: ModelAnswer) -> None:
        self.batch.append(answer)
        self.counts.update(_remarks(prompt))
        self.counts["labelled"] += answer.grade is not None
        self.counts["answered"] += 1
        if answer.failure:
            self.failed[answer.failure] += 1
        if len(self.batch) >= BATCH:
            self._store()
        if answer.failure == OTHER_MODEL:
            raise RunEnded(
                f"the endpoint names {answer.model!r} now, and {self.model!r} before; declare another judge for it"
            )

    def _answer(self, prompt: Prompt, kept: Kept | None) -> ModelAnswer:
        of_pair = ModelAnswer(prompt.topic_id, prompt.document_id, prompt.sample, marked=prompt.marked)
        if kept is None:
            return of_pair._replace(failure=TOO_LONG)
        reply = reply_of(kept.body)
        grade, failure = None, reply.failure
        if not failure:
            grade, failure = grade_in(reply.text, self.judge.scale)
            grade = seen_from(prompt.left, grade)
        if self.model and reply.model not in ("", self.model):
            grade, failure = None, OTHER_MODEL
        elif grade is not None:
            self.model = self.model or reply.model
        sent, received = reply.input_tokens or 0, reply.output_tokens or 0
        return of_pair._replace(
            grade=grade,
            failure=failure,
            raw=reply.text,
            model=reply.model,
            prompt_sha256=sha256(
                json_line(list(prompt.messages)).encode("utf-8", "surrogatepass")
            ).hexdigest(),
            input_tokens=reply.input_tokens,
            output_tokens=reply.output_tokens,
            seconds=kept.seconds,
            cost=self.run.prices.cost(sent, received) or None,
            at=kept.at,
        )

    def _store(self) -> None:
        """Make labels of the answers that were taken."""
        if not self.batch:
            return
        with self.campaign.write():
            if judge_named(self.campaign, self.judge.name).version != self.judge.version:
                self.batch = []
                raise CampaignError(
                    f"{self.judge.name!r} was declared again meanwhile; run the command once more"
                )
            source = f"asked at {self.run.address or 'no endpoint'}"
            put_answers(self.campaign, self.judge.name, self.batch, source=source)
            put_due(self.campaign)
        self.batch = []

    def _finished(self, ended: str, total: int) -> Finished:
        counts = self.counts
        return Finished(
            **{name: counts[name] for name in ("answered", "kept", "labelled", "cut", "marked", "checked")},
            failed=dict(self.failed),
            not_answered=dict(self.lost.most_common(UNANSWERED)),
            prompt_tokens=self.spent[0],
            answer_tokens=self.spent[1],
            cost=self.run.prices.cost(*self.spent),
            left=total - counts["answered"] - counts["there"],
            differ=tuple(self.differ),
            ended=ended,
        )


def _remarks(prompt: Prompt) -> dict[str, int]:
    """What is to be said of the texts of a prompt, to be counted."""
    return {"cut": " was cut to " in prompt.marked, "marked": " seems to speak to " in prompt.marked}


def _sum(*pairs: tuple[int, int]) -> tuple[int, int]:
    return sum(pair[0] for pair in pairs), sum(pair[1] for pair in pairs)
