import assert from "node:assert/strict";
import { test } from "node:test";
import { coloured, one, open, press } from "../page.js";

const BAR = `<div id=find hidden><input id=find-text><output id=find-count></output>
  <button id=find-next></button><button id=find-previous></button><button id=find-close></button></div>`;

/** Looks for words in a document that is the page itself. @param {string} text */
async function finding(text, isPassage = false) {
  open(`${BAR}<main>${text}</main>`);
  const { Find } = await import("#static/judging/find.js");
  const done = [];
  const viewer = { inside: document, focus: () => done.push("focus") };
  const find = new Find(/** @type {any} */ (viewer), /** @type {any} */ ({ isPassage, toggleWhole: () => done.push("whole") }));
  const count = () => one("#find-count").textContent;
  const look = (words) => {
    find.box.value = words;
    find.box.dispatchEvent(new Event("input"));
    return count();
  };
  const click = (name) => {
    one(`#find-${name}`).click();
    return count();
  };
  find.open();
  return { find, done, count, look, click };
}

test("all places are coloured, and shown in turn", async () => {
  const { look, click } = await finding("<p>The sea.</p><p>A sea</p>");
  assert.equal(look("sea"), "1 of 2");
  assert.deepEqual([coloured("find"), coloured("find-now")], [["sea", "sea"], ["sea"]]);
  assert.deepEqual(["next", "next", "previous", "previous"].map(click), ["2 of 2", "1 of 2", "2 of 2", "1 of 2"]);
  assert.deepEqual([look("lake"), coloured("find")], ["Not found", []]);
  assert.deepEqual([look(" "), coloured("find-now")], ["", []]);
});

test("Enter goes on, and Escape leaves with the place selected", async () => {
  const { find, done, count, look, click } = await finding("<p>The sea.</p><p>A sea</p>");
  assert.deepEqual([find.isOpen, document.activeElement], [true, find.box]);
  look("sea");
  press("Enter");
  assert.equal(count(), "2 of 2");
  press("Enter", { shiftKey: true });
  assert.equal(count(), "1 of 2");
  press("a");
  assert.deepEqual([find.isOpen, done], [true, []]);
  look("The sea");
  press("Escape");
  assert.deepEqual([find.isOpen, done, String(document.getSelection())], [false, ["focus"], "The sea"]);
  assert.deepEqual([coloured("find"), coloured("find-now")], [[], []]);
  find.open();
  assert.deepEqual([count(), find.box.selectionStart, find.box.selectionEnd], ["1 of 1", 0, 7]);
  click("close");
  assert.equal(find.isOpen, false);
});

test("words are found within a block as they are written", async () => {
  const { find, look } = await finding(`<p>One<b>two</b> three<br>four</p><p>five (six)</p><p>caf\u00e9</p><p>\u6d77\n\u5cb8</p>
    <p>A <span class=joint>-</span>seven</p>`);
  for (const words of ["onetwo   three", "three four", "(six)", "(six", "cafe\u0301", "\u6d77\u5cb8", "A seven"])
    assert.equal(look(words), "1 of 1", words);
  for (const words of ["threefour", "fourfive", "s.x", "-"]) assert.equal(look(words), "Not found", words);
  look("TWO THREE");
  assert.deepEqual(coloured("find"), ["two three"]);
  look("two");
  const [{ startContainer, endContainer }] = find.places;
  assert.deepEqual([startContainer.textContent, endContainer.textContent], ["two", "two"]);
});

test("a thousand places are shown and no more", async () => {
  const { look } = await finding(`<p>${"ox ".repeat(1001)}`);
  assert.deepEqual([look("ox"), coloured("find").length], ["1 of 1,000+", 1000]);
  one("p").textContent = "ox ".repeat(999);
  assert.equal(look("ox"), "1 of 999");
});

test("a place outside of the passage opens the whole document and its fold", async () => {
  const text = "<p>A sea</p><details class=outside><summary>More</summary><p>A lake</p></details>";
  const passage = await finding(text, true);
  assert.deepEqual([passage.look("sea"), passage.done, one("details").open], ["1 of 1", [], false]);
  assert.deepEqual([passage.look("lake"), passage.done, one("details").open], ["1 of 1", ["whole"], true]);
  const whole = await finding(text);
  assert.deepEqual([whole.look("lake"), whole.done, one("details").open], ["1 of 1", [], true]);
});
