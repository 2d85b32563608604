/**
 * Documents that come into the topic while it is judged, because its pool chooses them by the judgments: asked for when
 * few are left, so that the next one is there before it is needed.
 */
import { getJson } from "../session.js";

/** Where fewer documents than these are open, more are requested from the server. */
const ENOUGH = 5;
/** Milliseconds from one question to the next while more may be on their way, and how many are answered at most. */
const AGAIN = 400;
const MOST = 50;
/** Milliseconds to the next question where the server does not answer, or does not have all judgments yet. */
const LATER = 2_000;

export class MoreDocuments {
  /** @param {{grows: boolean, queue_url: string}} page @param {Queue} queue @param {() => void} oncame @param {() => boolean} areUnsent */
  constructor(page, queue, oncame, areUnsent) {
    this.page = page;
    this.queue = queue;
    this.oncame = oncame;
    this.areUnsent = areUnsent;
    /** Whether documents may be on their way that the next one is to be chosen from. */
    this.areAwaited = false;
    this.asked = 0;
    this.timer = 0;
  }

  /** A judgment was made, which pools may choose by. */
  judged() {
    if (!this.page.grows || this.queue.counts().open > ENOUGH) return;
    this.areAwaited = true;
    this.asked = 0;
  }

  /** A judgment was stored, here or elsewhere before the page began: what is chosen by it can be asked for. */
  stored() {
    this.judged();
    if (!this.areAwaited) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.ask(), 0);
  }

  async ask() {
    const answer = await getJson(this.page.queue_url).catch(() => null);
    const has = answer?.status === 200;
    if (has) this.queue.add(answer.body.queue);
    const { open } = this.queue.counts();
    const isEarly = !has || this.areUnsent();
    if (!isEarly) this.asked += 1;
    this.areAwaited = open <= ENOUGH && (isEarly || (this.asked < MOST && answer.body.awaited));
    clearTimeout(this.timer);
    if (this.areAwaited) this.timer = setTimeout(() => void this.ask(), isEarly ? LATER : AGAIN);
    if (open || !this.areAwaited) this.oncame();
  }
}
