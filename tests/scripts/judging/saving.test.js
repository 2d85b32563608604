import assert from "node:assert/strict";
import { test } from "node:test";
import { each, give, one, open, pass, pressButton, settled } from "../page.js";

const HTML = `<head><meta name=csrf-token content=t><meta name=session-url content=/session></head><input id=field>
  <button id=save-state><b id=save-words></b></button><p id=save-news></p><p id=other-tab hidden></p><p id=others hidden></p>
  <p id=signed-out hidden><button id=sign-in-way></button></p><dialog id=unsent><b id=unsent-count></b><button id=download-unsent></button>
  <input type=file id=import-unsent><b id=import-result></b></dialog><div id=problems hidden><b id=problem-count></b><b id=problem-way></b>
  <ul id=problem-list></ul><p id=problem-all hidden></p></div><p class=finished><a class=next-topic>Next</a></p>`;

/** A page of Ben in the campaign `c/d`, whose outbox is what a test says. */
async function begun() {
  open(HTML);
  const { Saving } = await import("#static/judging/saving.js");
  const calls = [];
  const heard = (name) => (about) => void calls.push(about ? `${name} ${about.uuid ?? about}` : name);
  const lists = { entries: [], others: [], followers: {} };
  const outbox = {
    state: { state: "saved", waiting: 0, refused: [], durable: true },
    told: new Set(),
    owner: { campaign: "c/d", account: "Ben" },
    entries: () => lists.entries,
    others: () => lists.others,
    followers: (uuid) => lists.followers[uuid] ?? [],
    attempts: { hurry: heard("hurry") },
    keepMine: heard("keep"),
    discard: heard("discard"),
    take: async (entries) => entries.length - 1,
  };
  const state = { isKept: false };
  const grades = [
    { grade: 0, name: "Not" },
    { grade: 1, name: "Relevant" },
  ];
  const page = { log: "of the page", account: "Ben", campaign: "small", topic_id: "1", grades };
  const listener = { discarded: heard("discarded"), look: heard("look"), signedIn: heard("signed in"), isKept: () => state.isKept };
  const saving = new Saving(/** @type {any} */ (outbox), page, listener);
  saving.signInAgain.offer = async () => heard("offer")();
  saving.signInAgain.show = async () => heard("show")();
  /** What the page says once the outbox has changed so. @param {object} changes */
  const is = (changes) => {
    Object.assign(outbox.state, changes);
    saving.show();
    return text("save-words");
  };
  const told = () => calls.splice(0).join(", ");
  const pressed = (label) => {
    pressButton(label);
    return told();
  };
  return { saving, outbox, lists, state, is, told, pressed };
}

const text = (id) => one(`#${id}`).textContent;
const hidden = (id) => one(`#${id}`).hidden;
const rows = () => each("#problem-list li", ({ textContent }) => textContent);
const ways = (part) => each(`${part} button`, ({ textContent }) => textContent);

/** A judgment of the document `dUUID` that was refused. @param {string} uuid @param {object} refused */
const entry = (uuid, refused = {}, grade = 1) => ({
  uuid,
  refused: { reason: "", message: "", ...refused },
  judgment: { document_id: `d${uuid}`, kind: "grade", grade, log: "earlier" },
});

test("the strip says how saving goes", async () => {
  const { saving, lists, is, told } = await begun();
  const words = (state, waiting, durable = true) => is({ state, waiting, durable });
  assert.deepEqual([words("saved", 0), words("saving", 2), words("offline", 2)], ["Saved", "2 waiting", "Offline, 2 kept here"]);
  assert.deepEqual([words("outdated", 1), words("signed out", 3)], ["Old page, 1 kept here", "Signed out, 3 kept here"]);
  assert.deepEqual([words("saving", 1, false), words("saved", 0, false)], ["1 waiting (only while this page is open)", "Saved"]);
  assert.equal(words("problem", 0), "Problem, see below");
  told();
  is({ state: "signed out", waiting: 2 });
  assert.deepEqual([told(), hidden("signed-out"), one("#save-state").dataset.state], ["offer", false, "signed out"]);
  const isAhead = () => one(".next-topic").hasAttribute("data-ahead");
  assert.deepEqual([isAhead(), one("#download-unsent").disabled], [false, true]);
  lists.entries.push(entry("1"));
  is({ state: "saved", waiting: 0 });
  assert.deepEqual([isAhead(), one("#download-unsent").disabled, hidden("signed-out"), told()], [true, false, true, ""]);
  saving.signInAgain.isOut = true;
  is({});
  assert.equal(told(), "offer");
  is({ state: "saving" });
  assert.equal(told(), "");
});

test("what was refused is not counted as stored where unsent judgments are counted", async () => {
  const { is } = await begun();
  const counted = (waiting, ...refused) => {
    is({ waiting, refused: refused.map((uuid) => entry(uuid)) });
    return text("unsent-count")
      .match(/\d judgments? not \w+/g)
      ?.join(", ");
  };
  assert.equal(counted(0, "1"), "1 judgment not stored");
  assert.equal(counted(2, "1", "2"), "2 judgments not yet, 2 judgments not stored");
  assert.equal(counted(0), undefined);
});

test("another tab with the same topic is seen while it is there", async () => {
  await begun();
  const other = new BroadcastChannel("workbench:tabs:small:Ben:1");
  for (const [says, isHidden] of [
    ["here", false],
    ["gone", true],
  ]) {
    other.postMessage({ id: "x", says });
    await settled();
    assert.equal(hidden("other-tab"), isHidden);
  }
});

test("an account that is out is offered to sign in until it is signed in again", async () => {
  const { saving, told } = await begun();
  saving.documentCame();
  saving.signedOut();
  assert.deepEqual([told(), hidden("signed-out")], ["offer", false]);
  saving.documentCame();
  assert.equal(told(), "offer");
  saving.signedIn();
  assert.deepEqual([told(), hidden("signed-out")], ["signed in, hurry", true]);
  one("#sign-in-way").click();
  saving.signInAgain.onsignedin();
  assert.equal(told(), "show, signed in, hurry");
  one("#save-state").click();
  assert.deepEqual([one("#unsent").open, saving.signInAgain.account, saving.signInAgain.waiting()], [true, "Ben", 0]);
});

test("words wait for the next document for a moment", async () => {
  const { saving, is } = await begun();
  saving.isMoving = true;
  assert.equal(is({ state: "offline", waiting: 1 }), "");
  await pass(29);
  assert.equal(text("save-words"), "");
  await pass(1);
  assert.equal(text("save-words"), "Offline, 1 kept here");
  is({ state: "saved", waiting: 0 });
  saving.moved("d1");
  assert.deepEqual([one("#save-state").dataset.state, text("save-words")], ["saved", "Offline, 1 kept here"]);
  await pass(30);
  assert.deepEqual([text("save-words"), saving.isMoving, saving.judged], ["Saved", false, "d1"]);
});

test("what waits for other accounts is counted", async () => {
  const { lists, is } = await begun();
  const told = (...others) => {
    lists.others = others.map(([account, count]) => ({ account, count }));
    is({});
    return hidden("others") || text("others").replace(/ on this machine.*/, "");
  };
  assert.deepEqual([told(), told(["Anna", 1]), told(["Anna", 2])], [true, "Anna’s 1 waits", "Anna’s 2 wait"]);
  assert.equal(told(["Anna", 1], ["Carla", 1]), "Anna’s 1, Carla’s 1 wait");
});

test("a page may reload itself when nothing is lost by it", async () => {
  const { saving, outbox } = await begun();
  const may = (changes) => {
    Object.assign(outbox.state, changes);
    return saving.mayLeave();
  };
  assert.deepEqual(
    ["offline", "signed out", "problem", "saved"].map((state) => may({ state })),
    [false, false, true, true],
  );
  assert.deepEqual(
    [may({ durable: false }), may({ waiting: 1 }), may({ waiting: 0, refused: [1] }), may({ durable: true })],
    [true, false, false, true],
  );
  saving.isMoving = true;
  assert.equal(may({}), false);
  Object.assign(saving, { isMoving: false, isOut: true });
  assert.equal(may({}), false);
  saving.isOut = false;
  one("#field").checkVisibility = () => true;
  one("#field").focus();
  assert.equal(may({}), false);
});

const asksBeforeLeaving = () => !dispatchEvent(new Event("beforeunload", { cancelable: true }));

test("a page that is left with judgments waiting asks first, unless they are safe", async () => {
  const { saving, outbox, lists, state } = await begun();
  const asks = (entries, isKept, durable, isLeaving) => {
    lists.entries = entries;
    state.isKept = isKept;
    outbox.state.durable = durable;
    saving.isLeaving = isLeaving;
    return asksBeforeLeaving();
  };
  assert.equal(asks([1], false, true, false), true);
  assert.equal(asks([], false, true, false), false);
  assert.equal(asks([1], true, true, false), false);
  assert.equal(asks([1], true, false, false), true);
  assert.equal(asks([1], false, true, true), false);
});

test("on the way to the next topic it asks only where that page could not send what waits", async () => {
  const { saving, outbox, lists } = await begun();
  const asks = (changes = {}) => {
    Object.assign(outbox.state, changes);
    return asksBeforeLeaving();
  };
  lists.entries = [1];
  assert.equal(asks({ state: "saving" }), true);
  one(".next-topic").click();
  assert.equal(asks(), false);
  document.body.click();
  assert.equal(asks(), true);
  saving.goOn(); // undo leads to another topic too
  assert.equal(asks(), false);
  await pass(1_000);
  assert.equal(asks(), true, "one is still here");
  saving.goOn();
  assert.deepEqual(
    [asks({ state: "offline" }), asks({ state: "signed out" }), asks({ state: "saving", durable: false })],
    [true, true, true],
  );
});

for (const [judged, query] of [
  ["d1", "?topic=1"],
  ["d2", "?topic=1&document=d1"],
]) {
  test(`a page that reloads itself after ${judged} was judged comes to ${query}`, async () => {
    const { saving } = await begun();
    history.replaceState(null, "", "?topic=1&document=d1");
    let reloaded = "";
    give("reload", () => (reloaded = location.search), location);
    saving.judged = judged;
    saving.leave();
    assert.equal(reloaded, query);
  });
}

const elsewhere = (uuid, current = { kind: "grade", grade: 0 }) => entry(uuid, { reason: "replaced elsewhere", current });

test("a conflict is settled by storing the one or keeping the other", async () => {
  const { lists, is, pressed } = await begun();
  is({ refused: [elsewhere("1")] });
  assert.match(rows()[0], /^d1 — your judgment here: Relevant\. .* elsewhere: Not\. /);
  assert.deepEqual([text("problem-count"), hidden("problems"), hidden("problem-all")], ["1 judgment not stored", false, true]);
  assert.deepEqual([pressed("Store Relevant"), pressed("Keep Not")], ["keep 1", "discard 1, discarded 1"]);
  lists.followers[1] = [entry("8", {}, 0), entry("9", {}, 0)];
  is({ refused: [elsewhere("1", null)] });
  assert.deepEqual(ways("#problem-list"), ["Store Not", "Keep no judgment"], "what was judged last is what is stored");
  is({ refused: [elsewhere("2"), elsewhere("4")] });
  assert.deepEqual([hidden("problem-all"), pressed("Store all 2 of this page")], [false, "keep 2, keep 4"]);
  assert.equal(pressed("Keep all 2 made elsewhere"), "discard 2, discarded 2, discard 4, discarded 4");
  const [row] = document.querySelectorAll("#problem-list li");
  is({});
  assert.equal(row.isConnected, true);
  is({ refused: [] });
  assert.equal(hidden("problems"), true);
});

test("what was stored differently is a conflict if the server has a judgment of the document", async () => {
  const { is } = await begun();
  const { STORED_DIFFERENTLY: reason } = await import("#static/judging/verdicts.js");
  const different = (uuid, current) => entry(uuid, { reason, message: "The server has", current });
  is({ refused: [elsewhere("2"), different("3", { kind: "cleared" }), different("4", null)] });
  assert.deepEqual(ways("#problem-list").slice(2), ["Store Relevant", "Keep Cleared", "Try again", "Discard"]);
  assert.deepEqual([hidden("problem-all"), text("problem-count")], [false, "3 judgments not stored"]);
});

test("what was refused is tried again, discarded or looked at", async () => {
  const { is, told } = await begun();
  is({
    refused: [
      entry("1", { reason: "text changed", message: "The text changed" }),
      entry("2", { reason: "form", message: "No such grade" }),
      entry("3", { status: 418 }),
    ],
  });
  const [changed, form, status] = rows();
  assert.deepEqual([changed.includes("The text changed."), form.includes("No such grade."), status.includes("418.")], [true, true, true]);
  assert.deepEqual(ways("#problem-list"), ["Open document", "Try again", "Discard", "Try again", "Discard"]);
  for (const way of [...document.querySelectorAll("#problem-list button")].slice(0, 3)) /** @type {HTMLElement} */ (way).click();
  assert.equal(told(), "discard 1, look 1, keep 2, discard 2, discarded 2");
});

test("several that can be tried again are tried by one press", async () => {
  const { is, pressed } = await begun();
  const shut = (uuid) => entry(uuid, { reason: "topic closed", message: "Closed" });
  const changed = entry("2", { reason: "text changed" });
  is({ refused: [shut("1"), changed] });
  assert.deepEqual([ways("#problem-all"), hidden("problem-all")], [[], true]);
  is({ refused: [shut("1"), changed, shut("3"), elsewhere("4", null), entry("5", { status: 418 })] });
  assert.deepEqual([ways("#problem-all"), pressed("Try all 3 again")], [["Try all 3 again"], "keep 1, keep 3, keep 5"]);
});

const foreign = (uuid, log = "earlier") => {
  const { judgment, ...more } = entry(uuid, { reason: "another campaign", message: "it had the same name" });
  return { ...more, judgment: { ...judgment, log } };
};

test("what is of another campaign is stored in this one on purpose alone", async () => {
  const { is, pressed } = await begun();
  is({ refused: [foreign("1"), entry("3"), entry("4")] });
  assert.match(rows()[0], /It had the same name\. /);
  assert.deepEqual([ways("#problem-way"), pressed("Store in this campaign")], [["Export unsent"], "keep 1"]);
  is({ refused: [foreign("1"), foreign("2"), entry("3"), entry("4")] });
  assert.deepEqual([pressed("Try all 2 again"), pressed("Store all 2 in this campaign")], ["keep 3, keep 4", "keep 1, keep 2"]);
  assert.equal(pressed("Discard all 2 of the other campaign"), "discard 1, discarded 1, discard 2, discarded 2");
});

test("a page of the other campaign is loaded again before it judges in this one", async () => {
  const { saving, is } = await begun();
  is({ refused: [foreign("1"), foreign("2", "of the page")] });
  assert.deepEqual(ways("#problem-list"), ["Store in this campaign", "Discard", "Reload", "Discard"]);
  assert.deepEqual(ways("#problem-all"), ["Discard all 2 of the other campaign"]);
  let isLeft = false;
  saving.leave = () => {
    isLeft = true;
  };
  pressButton("Reload");
  assert.equal(isLeft, true);
});

test("of a topic that may not be judged any more the way out is said once", async () => {
  const { is } = await begun();
  const said = (...reasons) => {
    is({ refused: reasons.map((reason, at) => entry(String(at), { reason })) });
    return text("problem-way").includes("Ask an organiser");
  };
  assert.deepEqual(
    [said("topic closed", "topic closed"), said("not yours"), said("judged by another", "topic closed")],
    [true, true, true],
  );
  assert.equal(said("judged by another"), false);
});

const uuid = (number) => `00000000-0000-4000-8000-00000000000${number}`;
const UNSENT = [1, 2].map((at) => ({
  uuid: uuid(at),
  judgment: { uuid: uuid(at), topic_id: "1", document_id: "d" },
  after: at === 1 ? null : uuid(1),
}));
const FILE = {
  form: "workbench unsent judgments, form 2",
  campaign: "c/d",
  account: "Ben",
  made: "2026-03-01T13:00:00.000Z",
  entries: UNSENT,
};

test("unsent judgments go into a file", async () => {
  const { lists, is } = await begun();
  lists.entries = UNSENT;
  const files = [];
  URL.createObjectURL = (blob) => `blob:${files.push(blob)}`;
  document.addEventListener(
    "click",
    ({ target }) => /** @type {any} */ (target).download && files.push(/** @type {any} */ (target).download),
  );
  is({ waiting: 2 });
  one("#download-unsent").click();
  const [file, name] = files;
  assert.deepEqual([name, JSON.parse(await file.text())], ["unsent-c-d-Ben-2026-03-01.json", FILE]);
});

test("unsent judgments come from a file that is whole and belongs here", async () => {
  const { saving, outbox } = await begun();
  const taken = async (content) => {
    const input = {
      files: [new File([typeof content === "string" ? content : JSON.stringify({ ...FILE, ...content })], "u.json")],
      value: "u.json",
    };
    await saving.take(/** @type {any} */ ({ target: input }));
    assert.equal(input.value, "");
    return text("import-result");
  };
  assert.equal(await taken({}), "1 judgment imported. 1 judgment in the file was already known.");
  assert.match(await taken({ account: "Anna" }), /judgments of Anna, but you are signed in as Ben/);
  assert.match(await taken({ campaign: "x" }), /belongs to the campaign x, but this is c\/d/);
  assert.match(await taken({ form: "workbench unsent judgments, form 3", entries: 1 }), /another version/);
  const [first] = UNSENT;
  const bad = [
    null,
    { ...first, after: "x" },
    { ...first, uuid: uuid(3) },
    { ...first, judgment: { ...first.judgment, topic_id: 1 } },
    { ...first, judgment: { ...first.judgment, document_id: null } },
    { uuid: "x", after: null, judgment: { ...first.judgment, uuid: "x" } },
  ];
  for (const content of ["{", "null", { form: 1 }, { form: "x" }, { entries: {} }, ...bad.map((one) => ({ entries: [one] }))])
    assert.match(await taken(content), /is damaged/, JSON.stringify(content));
  outbox.take = async () => 2;
  assert.equal(await taken({}), "2 judgments imported.");
});
