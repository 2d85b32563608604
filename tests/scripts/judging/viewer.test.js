import assert from "node:assert/strict";
import { test } from "node:test";
import { hide, one, open, pass, settled } from "../page.js";

/** A document as the server makes it for a frame. */
const documentOf = (document_id) =>
  `<title>Title ${document_id}</title><meta name=shown content='${JSON.stringify({ document_id })}'><p>Text</p>`;

/** A stage on which the documents of `/doc/NAME` are shown; those whose names begin with x are none of ours. */
async function begun() {
  open("<input id=field><div id=region><div id=stage tabindex=-1></div></div>");
  const { Viewer, shownIn } = await import("#static/judging/viewer.js");
  const loads = [];
  const held = (address) => (address.startsWith("/doc/x") ? "<p>Not found</p>" : documentOf(address.slice(5)));
  const viewer = new Viewer(one("#region"), one("#stage"), (inside) => loads.push(inside.document.title), held);
  /** Shows a document; it is on the screen then. */
  const show = async (name) => {
    const kept = viewer.prepare(`/doc/${name}`);
    await settled();
    void viewer.show(kept);
    await pass(16);
    await pass(10);
    return kept;
  };
  const state = () => `${viewer.seen} ${one("#region").getAttribute("aria-busy")}`;
  const names = () => [...viewer.frames.keys()].join("").replaceAll("/doc/", "");
  const count = () => document.querySelectorAll("iframe").length;
  return { viewer, shownIn, loads, show, state, names, count };
}

test("a document is seen after a quarter of a second on the screen", async () => {
  const { viewer, loads, show, state } = await begun();
  assert.equal(viewer.message.hidden, true);
  await show("a");
  assert.deepEqual(
    [viewer.inside.title, viewer.stage.getAttribute("aria-label"), viewer.current.title, loads],
    [...Array(3).fill("Title a"), ["Title a"]],
  );
  assert.deepEqual([viewer.isQuiet, viewer.current.className, state()], [false, "document-frame current", "false true"]);
  viewer.arrived();
  assert.equal(document.activeElement.id, "stage");
  await pass(249);
  assert.equal(state(), "false true");
  await pass(1);
  assert.equal(state(), "true false");
  hide(true);
  await pass(1_000);
  assert.equal(state(), "false true");
  hide(false);
  await pass(250);
  assert.equal(state(), "true false");
  viewer.leave();
  hide(true);
  hide(false);
  await pass(1_000);
  assert.equal(state(), "false true", "nothing counts as seen once it is left");
});

test("a document that was scrolled is shown from its top again", async () => {
  const { viewer, show } = await begun();
  const kept = await show("a");
  const inside = viewer.inside.defaultView;
  inside.scrollTo(0, 500);
  inside.dispatchEvent(new Event("scroll"));
  assert.equal(kept.isScrolled, true);
  await show("b");
  assert.equal(document.querySelectorAll("iframe.current").length, 1);
  await show("a");
  assert.deepEqual([viewer.inside.defaultView.scrollY, kept.isScrolled], [0, false]);
});

test("a document that its frame loads again is not heard of again", async () => {
  const { loads, show } = await begun();
  const { frame } = await show("a");
  frame.dispatchEvent(new Event("load"));
  await settled();
  assert.deepEqual(loads, ["Title a"]);
});

test("a document takes no focus from a field, nor when it only comes again", async () => {
  const { viewer, show, state } = await begun();
  const field = one("#field");
  const kept = await show("a");
  const focused = (isAgain = false) => {
    viewer.arrived(isAgain);
    return document.activeElement.id;
  };
  field.focus();
  assert.equal(focused(), "field");
  field.type = "checkbox";
  assert.deepEqual([focused(true), focused()], ["field", "stage"]);
  one("#stage").blur();
  assert.equal(focused(true), "stage");
  viewer.tell("No document");
  viewer.focus();
  assert.deepEqual([document.activeElement, viewer.message.hidden, viewer.message.textContent], [viewer.message, false, "No document"]);
  assert.deepEqual([viewer.inside, state()], [null, "false false"]);
  viewer.wait("Loading");
  assert.deepEqual([viewer.message.textContent, state()], ["Loading", "false true"]);
  void viewer.show(kept);
  assert.equal(viewer.message.hidden, true);
});

test("the eight frames that were used last are kept", async () => {
  const { viewer, names, count } = await begun();
  const at = (name) => `/doc/${name}`;
  const prepare = async (letters) => {
    for (const name of letters) viewer.prepare(at(name));
    await settled();
  };
  await prepare("abcdefgh");
  void viewer.show(viewer.prepare(at("a")));
  assert.equal(names(), "bcdefgha");
  viewer.prepareAll(["i", "b"].map(at));
  assert.equal(names(), "defghaib");
  await prepare("jklmno");
  assert.deepEqual([names(), count()], ["abjklmno", 8], "that on the screen among them");
  viewer.dropAll();
  assert.deepEqual([names(), count()], ["", 1]);
  viewer.hide();
  assert.equal(count(), 0);
});

test("what is no document of ours is dropped", async () => {
  const { viewer, shownIn, count } = await begun();
  const { loaded } = viewer.prepare("/doc/x");
  assert.deepEqual([await loaded, viewer.frames.size, count()], [null, 0, 0]);
  const broken = new DOMParser().parseFromString("<meta name=shown content={>", "text/html");
  assert.deepEqual([shownIn(null), shownIn(document), shownIn(broken)], [null, null, null]);
});
