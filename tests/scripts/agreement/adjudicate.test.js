import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { each, give, giveHighlights, hide, one, open, pass, press, pressButton, settled } from "../page.js";

const RIVER = { account: "Wilma", text_hash: "h" };
const KEPT = 'workbench:adjudication-note:a%20b:Wilma:["1","d1"]';

/** What the frame has: a document that says what it is of, and which account it is for. */
const documentOf = (shown = RIVER, head = "<title>The river</title>") =>
  `<meta name=shown content='${JSON.stringify(shown)}'>${head}<p data-field=text>The river froze.</p>`;

const quote = (start, text) => {
  const rationale = { field: "text", start, end: start + text.length, text };
  return `<li data-mark=1 data-voice='Assessor A' data-rationale='${JSON.stringify(rationale)}'></li>`;
};
const QUOTES = quote(4, "river") + quote(10, "froze");
const WAY = "<button id=next-reason hidden>Next rationale</button>";

const HTML = (note, quotes, way) => `<meta name=csrf-token content=t><meta name=session-url content=/session>
  <p id=trouble hidden><span id=trouble-words></span> <a id=trouble-way href=/pair></a></p>
  <p id=sending hidden><span id=sending-words></span> <button type=button id=sending-way hidden></button></p>
  <form method=post action=/decide id=undo data-topic=1 data-document=d9><input type=hidden name=csrf_token value=t>
  <input type=hidden name=undo value=4>
  <input type=hidden name=uuid value=u2><input type=hidden name=log value=l><button>Undo</button></form>
  <form method=get id=search></form><dialog id=other><form method=post id=inner></form></dialog>
  <div id=stage tabindex=-1><iframe id=frame></iframe></div><details class=topic open><summary>frozen rivers</summary></details>
  <section id=blinded-grades>${way}<ul>${quotes}</ul></section>
  <form id=decide method=post action=/decide>
  <input type=hidden name=csrf_token value=t><input type=hidden name=uuid value=u1><input type=hidden name=log value=l>
  <input type=hidden name=topic value=1><input type=hidden name=document value=d1><input type=hidden name=text_hash value=h>
  <input type=hidden name=seconds><input type=hidden name=input>
  <button class=grade name=grade value=1 aria-pressed=true><b class=grade-name>Relevant</b></button>
  <button class=grade name=grade value=0>no</button><a id=next-pair href="#next">Next <kbd data-key-of=next></kbd></a></form><b id=said></b>
  <textarea id=note name=comment form=decide data-longest=1200>${note}</textarea>
  <script type=application/json id=page-data>${JSON.stringify(DATA)}</script>`;

/** What the server put into the page: an assessor who has changed the key of the next document. */
const DATA = {
  campaign: "a b",
  account: "Wilma",
  topic_id: "1",
  document_id: "d1",
  log: "l",
  receipt_days: 14,
  grades: [0, 1].map((grade) => ({ grade, name: String(grade), key: String(grade), fill: 0, tone: "", action: `grade ${grade}` })),
  actions: [
    ["grade 0", "0"],
    ["grade 1", "1"],
    ["note", "c"],
    ["undo", "u"],
    ["next hit", "n"],
    ["previous hit", "N"],
    ["next", "j"],
    ["previous", "k"],
  ].map(([name, key]) => ({ name, keys: [key], label: name, group: "Judge", fixed: false })),
  queue: [],
  elsewhere: [],
  norming: null,
  preferences: { campaign: "a b", url: "/preferences", values: { keys: { next: "w" }, size: 20, face: "serif" } },
};

/**
 * The page of a conflict that has just been loaded, with what its frame has, and a server that answers decisions with
 * `answers` (a status of 0 is no network) or holds them.
 */
async function shown({
  inside = documentOf(),
  note = "",
  quotes = QUOTES,
  way = WAY,
  before = () => {},
  isPhone = false,
  isEarly = false,
} = {}) {
  const state = /** @type {any} */ ({ sent: [], answers: [], held: [], session: [401, {}], left: "", reloads: 0, focused: 0, lost: [] });
  const answer = ({ path, body }) => {
    if (path.endsWith("api/receipts")) return Response.json({ unknown: state.lost, log: "l" });
    if (path === "/session") return Response.json(state.session[1], { status: state.session[0] });
    state.sent.push(Object.fromEntries(body));
    if (!state.answers.length) return new Promise((done) => state.held.push(done));
    const [status, answered] = state.answers.shift();
    if (!status) throw new TypeError("no network");
    return Response.json(answered, { status });
  };
  open(HTML(note, quotes, way), { answer: /** @type {any} */ (answer) });
  give("assign", (address) => void Object.assign(state, { left: address }), location);
  give("reload", () => void state.reloads++, location);
  give("matchMedia", () => ({ matches: isPhone }));
  mock.method(Element.prototype, "scrollIntoView", () => {});
  const frame = one("#frame");
  frame.focus = () => void state.focused++;
  const fill = async (html) => {
    frame.srcdoc = html;
    giveHighlights(frame.contentWindow);
    while (frame.contentDocument?.readyState !== "complete") await settled();
    await settled();
  };
  await before();
  if (isEarly) await fill(inside);
  await import("#static/agreement/adjudicate.js");
  if (inside && !isEarly) await fill(inside);
  return {
    state,
    fill,
    /** The server says what became of the decision that it holds. */
    async reply(status, body) {
      state.held.shift()(Response.json(body, { status }));
      await pass(0);
    },
    /** Presses a key; the fields of the decision that is sent then. */
    async decide(key) {
      press(key);
      await pass(0);
      return state.sent.at(-1);
    },
  };
}

/** The page of a conflict once it can be settled. */
async function ready(options = {}) {
  const page = await shown(options);
  await pass(250);
  return page;
}

const isReady = () => one("#decide").dataset.ready === "yes";
const text = (id) => one(`#${id}`).textContent;
const trouble = () => (one("#trouble").hidden ? "" : text("trouble-words"));
const sending = () => (one("#sending").hidden ? "" : `${one("#sending").dataset.state}: ${text("sending-words")}`);
const way = () => (one("#sending-way").hidden ? "" : text("sending-way"));
const asksBeforeLeaving = () => !dispatchEvent(new Event("beforeunload", { cancelable: true }));

/** Writes a note. @param {string} words */
function write(words) {
  one("#note").value = words;
  one("#note").dispatchEvent(new Event("input"));
}

test("nothing is decided before the document was there for a moment", async () => {
  const { state, decide } = await shown();
  assert.deepEqual([state.focused, trouble(), one("#frame").title], [1, "", "The river"]);
  await decide("1");
  await pass(249);
  await decide("1");
  assert.deepEqual([isReady(), state.sent], [false, []]);
  await pass(1);
  assert.deepEqual([isReady(), sending(), state.sent], [true, "", []]);
  assert.equal((await decide("0")).grade, "0");
});

test("a document that is there before the script is taken", async () => {
  const { decide } = await ready({ isEarly: true });
  assert.equal((await decide("0")).grade, "0");
});

test("a document that comes later is awaited", async () => {
  const { state, fill } = await shown({ inside: "" });
  await pass(1000);
  assert.deepEqual([trouble(), state.focused, isReady()], ["", 0, false]);
  await fill(documentOf(RIVER, ""));
  assert.equal(one("#frame").title, "Document");
  await pass(250);
  assert.deepEqual([trouble(), isReady()], ["", true]);
});

for (const [inside, words] of /** @type {[string, RegExp][]} */ ([
  ["<p>Bad gateway</p>", /could not be loaded/],
  [documentOf({ ...RIVER, account: "Ben" }), /Another account/],
  [documentOf({ ...RIVER, text_hash: "i" }), /text has changed/],
])) {
  test(`a frame with anything else (${words.source}) is not decided on`, async () => {
    const { state, decide } = await shown({ inside });
    await pass(1000);
    await decide("1");
    assert.match(trouble(), words);
    assert.deepEqual([text("trouble-way"), state.focused, sending(), state.sent], ["Reload", 0, "", []]);
  });
}

test("a decision is sent with its key and the seconds in sight, and leads on", async () => {
  const { state, decide, reply } = await ready();
  await pass(4250);
  hide(true);
  await pass(60_000);
  hide(false);
  await pass(2500);
  write("halfway");
  assert.deepEqual([localStorage.getItem(KEPT), asksBeforeLeaving()], ['"halfway"', false]);
  const fields = await decide("0");
  const pair = { uuid: "u1", log: "l", topic: "1", document: "d1", text_hash: "h" };
  assert.deepEqual(fields, { ...pair, seconds: "7", input: "key", comment: "halfway", grade: "0" });
  assert.deepEqual([one("[name=input]").value, ...each(".grade", (grade) => grade.getAttribute("aria-pressed"))], ["", null, "true"]);
  assert.equal(asksBeforeLeaving(), true);
  await pass(399);
  assert.equal(sending(), "");
  await pass(1);
  assert.equal(sending(), "sending: Your decision “0” is being sent …");
  for (const key of ["1", "u", "w"]) await decide(key);
  assert.deepEqual([state.sent.length, location.hash], [1, ""]);
  await reply(200, { next: "/c/next", seq: 8, repeated: false });
  assert.deepEqual([state.left, localStorage.getItem(KEPT), asksBeforeLeaving()], ["/c/next", null, false]);
});

test("seconds before a page was looked at do not count", async () => {
  const { decide } = await shown({ before: () => hide(true) });
  await pass(60_000);
  hide(false);
  await pass(3000);
  assert.equal((await decide("0")).seconds, "3");
});

test("a click is no key, and a key of a link follows it", async () => {
  const { state, decide } = await ready();
  let followed = 0;
  one("#next-pair").addEventListener("click", () => followed++);
  await decide("j");
  await decide("w");
  assert.deepEqual([followed, one("[name=input]").value, one("[data-key-of=next]").textContent], [1, "", "w"]);
  await pass(600_000);
  one(".grade[value='1']").click();
  await pass(0);
  await settled();
  const [{ input, grade, seconds }] = state.sent;
  assert.deepEqual([input, grade, seconds], ["", "1", "60"]);
  await pass(400);
  assert.match(sending(), /Relevant/);
});

test("keys in the document count and lead to the note", async () => {
  const { state } = await ready();
  one("#frame").contentDocument.body.dispatchEvent(new KeyboardEvent("keydown", { key: "c", bubbles: true }));
  assert.equal(document.activeElement.id, "note");
  press("Escape");
  assert.equal(state.focused, 2);
  one("#note").blur();
  press("7");
  assert.deepEqual([sending(), text("said")], ["", "7 is not a grade of this campaign"]);
});

test("what was decided last is taken back by a key", async () => {
  const { state, decide, reply } = await ready();
  assert.deepEqual(await decide("u"), { undo: "4", uuid: "u2", log: "l" });
  await pass(400);
  assert.match(sending(), /The undo is being sent/);
  await decide("u");
  one("#undo").requestSubmit();
  await settled();
  assert.equal(state.sent.length, 1);
  localStorage.setItem(KEPT, '"kept"');
  await reply(200, { next: "/c/back", seq: 9, repeated: false });
  assert.deepEqual([state.left, localStorage.getItem(KEPT)], ["/c/back", '"kept"']);
});

test("keys lead from reason to reason, if there are any", async () => {
  await ready({ quotes: quote(0, "no such words") });
  assert.equal(one("#next-reason").hidden, true);
  await ready({ quotes: "", way: "" });
  assert.deepEqual([trouble(), isReady()], ["", true]);
  await ready();
  const marked = () => [...one("#frame").contentWindow.CSS.highlights.get("voice-now")].join();
  assert.equal(one("#next-reason").hidden, false);
  const reached = ["N", "n", "n"].map((key) => {
    press(key, { shiftKey: key === "N" });
    return marked();
  });
  pressButton("Next rationale");
  assert.deepEqual([...reached, marked()], ["froze", "river", "froze", "river"]);
});

test("other forms of the page are left alone", async () => {
  const { state, decide } = await ready();
  const isTaken = (id) => !one(`#${id}`).dispatchEvent(new Event("submit", { bubbles: true, cancelable: true }));
  assert.deepEqual(["search", "inner", "decide"].map(isTaken), [false, false, true]);
  assert.deepEqual([sending(), state.sent], ["", []]);
  assert.equal((await decide("1")).uuid, "u1");
});

test("a note waits over a reload, and one that is too long is said", async () => {
  const before = () => localStorage.setItem(KEPT, '"from before"');
  await ready({ before });
  assert.equal(one("#note").value, "from before");
  write("");
  assert.equal(localStorage.getItem(KEPT), null);
  const complaint = () => one("#note").validationMessage;
  for (const [words, isRight] of /** @type {[string, boolean][]} */ ([
    ["🌊".repeat(1200), true],
    ["🌊".repeat(1201), false],
    ["a", true],
  ])) {
    write(words);
    assert.equal(complaint() === "", isRight);
  }
  await ready({ before, note: "a".repeat(1201) });
  assert.equal(one("#note").value.length, 1201);
  assert.match(complaint(), /1,201 characters/);
});

test("a reader who writes when the document comes keeps the focus", async () => {
  const before = () => {
    one("#note").checkVisibility = () => true;
    one("#note").focus();
  };
  const { state } = await shown({ before });
  assert.deepEqual([state.focused, document.activeElement.id], [0, "note"]);
});

test("on a phone the topic opens at a touch", async () => {
  for (const isPhone of [true, false]) {
    await shown({ isPhone });
    assert.equal(one("details").open, !isPhone);
  }
});

test("a page that one comes back to is loaded again", async () => {
  const { state } = await shown();
  for (const [persisted, reloads] of [
    [false, 0],
    [true, 1],
  ]) {
    dispatchEvent(Object.assign(new Event("pageshow"), { persisted }));
    assert.equal(state.reloads, reloads);
  }
});

test("without the network a decision is kept, and can be sent at once", async () => {
  const { state, decide } = await ready();
  state.answers = [[0]];
  await pass(1250);
  await decide("1");
  assert.match(sending(), /^offline: .*“Relevant” is kept here/);
  await pass(400);
  assert.deepEqual([way(), sending().includes("being sent")], ["Send it now", false]);
  pressButton("Send it now");
  await settled();
  assert.deepEqual([state.sent.length, state.sent[1].uuid, state.sent[1].seconds], [2, "u1", "2"]);
});

test("an account that is signed out is asked, and can ask again", async () => {
  const { state, decide } = await ready();
  const out = { way: "demo", address: null, csrf_token: "t" };
  state.session = [401, out];
  state.answers = [[401, {}]];
  await decide("0");
  assert.match(one(".sign-in-again").textContent, /1 judgment is kept in this browser/);
  assert.deepEqual([sending().startsWith("signed out: "), way()], [true, "Sign in again"]);
  pressButton("Not now");
  pressButton("Sign in again");
  await settled();
  state.session = [200, { ...out, account: "Wilma" }];
  pressButton("Continue as Wilma");
  await settled();
  assert.deepEqual([state.sent.length, state.sent[1].grade], [2, "0"]);
});

test("a page that is older than the server is loaded again without a question", async () => {
  const { state, decide } = await ready();
  state.answers = [[409, { reason: "other version" }]];
  await decide("0");
  assert.deepEqual([sending().startsWith("outdated: "), asksBeforeLeaving()], [true, true]);
  pressButton("Reload");
  assert.deepEqual([state.reloads, asksBeforeLeaving(), state.sent.length], [1, false, 1]);
});

test("a decision that was refused is given up, and nothing more is decided here", async () => {
  const { state, decide, reply } = await ready();
  await decide("0");
  await reply(409, { reason: "replaced", message: "Ben was faster." });
  await pass(400);
  assert.match(trouble(), /^Nothing was stored: Ben was faster\. .*“0” was discarded/);
  assert.deepEqual([text("trouble-way"), sending(), document.activeElement.id], ["Show current state", "", "trouble-way"]);
  /** @type {HTMLElement} */ (document.activeElement).blur();
  await decide("1");
  assert.deepEqual([document.activeElement.id, state.sent.length], ["trouble-way", 1]);
});

/** Decisions that an earlier page has left in the browser. @param {string[]} names */
const left =
  (...names) =>
  async () => {
    const { Outbox } = await import("#static/judging/outbox.js");
    const outbox = new Outbox({ campaign: "a b", account: "Wilma", log: "l" }, () => new Promise(() => {}), {
      onchange() {},
      onstored() {},
    });
    for (const name of names) {
      const fields = { uuid: name, topic: "1", document: name };
      const decision = { url: "/decide", fields, words: `Your decision on ${name}` };
      const judgment = { uuid: name, log: "l", topic_id: "1", document_id: name, kind: "grade", grade: 1, text_hash: "h", decision };
      await outbox.add(judgment, null);
    }
  };

test("decisions that an earlier page has left are sent, and this page stays", async () => {
  const { state, decide, reply } = await ready({ before: left("d8", "d9") });
  assert.deepEqual(
    state.sent.map((fields) => fields.document),
    ["d8"],
  );
  await reply(200, { next: "/c/next", seq: 8, repeated: true });
  const stored = sending();
  assert.deepEqual([state.sent[1].document, stored], ["d9", "stored: A decision that was waiting here is now stored."]);
  await reply(200, { next: "/c/next", seq: 9, repeated: false });
  await pass(400);
  assert.deepEqual([asksBeforeLeaving(), sending(), state.left], [false, stored, ""]);
  assert.equal((await decide("1")).document, "d1");
});

test("a refused decision of an earlier page leaves this one to be decided", async () => {
  const { state, decide, reply } = await ready({ before: left("d8", "d9") });
  await reply(409, { reason: "replaced", message: "Too late" });
  assert.match(trouble(), /^Nothing was stored of d8: Too late\. Your decision on d8 was discarded/);
  assert.equal(state.sent[1].document, "d9");
  await reply(200, { next: "/c/next", seq: 8, repeated: false });
  /** @type {HTMLElement} */ (document.activeElement).blur();
  assert.equal((await decide("1")).document, "d1");
});

test("a decision that a server has lost is offered again, as judgments are", async () => {
  const { state, decide, reply } = await ready();
  await decide("0");
  await reply(200, { next: "/c/next", seq: 8, repeated: false });
  const { Outbox } = await import("#static/judging/outbox.js");
  const posted = [];
  const post = async (judgment) => {
    posted.push(judgment.decision.fields.document);
    return { status: 201, body: { stored: { ...judgment, seq: 3 } }, headers: new Headers() };
  };
  const ask = async (uuids) => ({ status: 200, body: { unknown: uuids, log: "l" }, headers: new Headers() });
  const later = new Outbox({ campaign: "a b", account: "Wilma", log: "l" }, post, { onchange() {}, onstored() {} }, ask);
  await later.run();
  assert.deepEqual([posted, state.sent.length], [["d1"], 1]);
});

test("two tabs send a decision once, and the other one is not led away by it", async () => {
  const { state, decide } = await ready();
  new BroadcastChannel("workbench:outbox").postMessage({ campaign: "a b", put: [], remove: [], acknowledged: elsewhere("d7") });
  await pass(0);
  assert.deepEqual([state.left, sending(), trouble()], ["", "", ""]);
  assert.equal((await decide("1")).document, "d1");
});

/** A decision that another tab has sent. @param {string} document_id */
function elsewhere(document_id) {
  const judgment = { uuid: "u9", log: "l", topic_id: "1", document_id, kind: "grade", grade: 1, text_hash: "h", decision: {} };
  const entry = { campaign: "a b", account: "Wilma", uuid: "u9", judgment, after: null, refused: null, order: 1 };
  return { entry, stored: { ...judgment, seq: 8, next: "/c/next" } };
}
