import assert from "node:assert/strict";
import { test } from "node:test";
import { each, one, open, pass } from "../page.js";

const ADDRESS = "/c/two/judge?topic=2&after=1";
const HTML = `<section id=document></section><div id=place></div><template id=finished-template><section class=finished>
  <a class=next-topic href="${ADDRESS}">Next</a></section></template>`;

/** The judging page of a topic with three documents left. */
async function begun() {
  open(HTML);
  const { NextTopic } = await import("#static/judging/next_topic.js");
  const waiting = [];
  const state = { open: 3, waiting, prefer: () => {} };
  const page = {
    data: { early: true, guideline_version: 2 },
    outbox: { database: {} },
    queue: { counts: () => state },
    preferences: { listen: (listener) => (state.prefer = listener), waiting: () => waiting },
  };
  const next = new NextTopic(/** @type {any} */ (page));
  const stored = () => {
    next.stored();
    return fetched();
  };
  return { next, page, state, stored };
}

const fetched = () => each(".next-topic[data-ahead]", (link) => link.getAttribute("href"));
const inTemplate = () => one("#finished-template").content.querySelector("a");

/** The topic is complete, and its last judgment saved. */
function finish() {
  one("#place").replaceChildren(one("#finished-template").content.cloneNode(true));
  one("#place a").setAttribute("data-ahead", "");
}

test("it is fetched once when three documents are left, by a link that is neither seen nor reached", async () => {
  const { state, stored } = await begun();
  state.open = 4;
  assert.deepEqual(stored(), []);
  state.open = 3;
  assert.deepEqual(stored(), [ADDRESS]);
  state.open = 2;
  assert.deepEqual(stored(), [ADDRESS]);
  const link = one("#document a");
  assert.deepEqual(
    ["aria-hidden", "tabindex"].map((name) => link.getAttribute(name)),
    ["true", "-1"],
  );
  assert.ok(link.classList.contains("visually-hidden"));
});

const UNSUITABLE = {
  "the page may not fetch ahead": (page) => (page.data.early = false),
  "the browser has no database": (page) => (page.outbox.database = null),
  "a preference waits to be sent": (_, waiting) => waiting.push("size"),
  "there is no next topic": () => inTemplate().remove(),
  "there is no end of a topic": () => one("#finished-template").remove(),
};
for (const [reason, change] of Object.entries(UNSUITABLE)) {
  test(`it is not fetched where ${reason}`, async () => {
    const { page, state, stored } = await begun();
    change(page, state.waiting);
    assert.deepEqual(stored(), []);
  });
}

test("what was fetched before preferences changed is not used", async () => {
  const { state, stored } = await begun();
  state.prefer();
  stored();
  state.prefer();
  assert.deepEqual(fetched(), []);
  assert.deepEqual(stored(), [`${ADDRESS}&again=1`]);
  finish();
  state.prefer();
  assert.deepEqual([fetched(), one("#place a").getAttribute("href")], [[], `${ADDRESS}&again=2`]);
});

test("what was fetched before the guidelines changed is fetched once more", async () => {
  const { next, stored } = await begun();
  stored();
  next.heardGuidelines(2);
  assert.deepEqual(stored(), [ADDRESS]);
  next.heardGuidelines(3);
  assert.deepEqual(fetched(), []);
  stored();
  next.heardGuidelines(3);
  assert.deepEqual(stored(), [`${ADDRESS}&again=1`]);
});

test("after four minutes it is fetched again", async () => {
  const { stored } = await begun();
  stored();
  await pass(240_000);
  assert.deepEqual(stored(), [ADDRESS]);
  await pass(1);
  assert.deepEqual(stored(), [`${ADDRESS}&again=1`]);
});
