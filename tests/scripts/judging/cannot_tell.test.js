import assert from "node:assert/strict";
import { test } from "node:test";
import { one, open, settled } from "../page.js";

const DIALOG = '<dialog id=reasons><button data-reason=Unclear><b>1</b></button><button data-reason="">None</button><p>Text</p></dialog>';

async function begun(html = DIALOG) {
  open(html);
  const { CannotTell } = await import("#static/judging/cannot_tell.js");
  const reasons = new CannotTell(["Unclear", "Too long"], (name) => ({ c: "cannot tell", n: "note" })[name]);
  const press = (key, more = {}) =>
    !one("#reasons").dispatchEvent(new KeyboardEvent("keydown", { key, cancelable: true, bubbles: true, ...more }));
  return { reasons, press };
}

test("a reason is chosen by its digit, a click, or by none", async () => {
  const { reasons, press } = await begun();
  const dialog = one("#reasons");
  const chosen = async (choose) => {
    const answer = reasons.ask();
    assert.equal(dialog.open, true);
    choose();
    assert.equal(dialog.open, false);
    return answer;
  };
  assert.deepEqual([await chosen(() => press("2")), await chosen(() => press("c"))], ["Too long", ""]);
  assert.deepEqual([await chosen(() => one("b").click()), await chosen(() => one("[data-reason='']").click())], ["Unclear", ""]);
  assert.equal(await chosen(() => dialog.close()), null);
  void reasons.ask();
  assert.deepEqual(
    ["n", "3", "0"].map((key) => press(key)),
    [false, false, false],
  );
  for (const more of ["repeat", "isComposing", "ctrlKey", "altKey", "metaKey"]) assert.equal(press("1", { [more]: true }), false);
  one("p").click();
  assert.deepEqual([dialog.open, press("1"), dialog.open], [true, true, false]);
});

test("the news that an earlier question closed answers no later one", async () => {
  const { reasons, press } = await begun();
  const [first, second] = [reasons.ask(), reasons.ask()];
  one("#reasons").dispatchEvent(new Event("close"));
  await settled();
  assert.deepEqual([await first, one("#reasons").open, press("2"), await second], [null, true, true, "Too long"]);
});

test("a campaign without reasons asks for none", async () => {
  const { reasons } = await begun("");
  assert.equal(await reasons.ask(), "");
});

test("a reason is the first line of the note, in place of the one before", async () => {
  const { reasons } = await begun();
  assert.equal(reasons.note("Unclear", "", false), "Unclear");
  assert.equal(reasons.note("Unclear", "Mine\nand more", false), "Unclear\nMine\nand more");
  assert.equal(reasons.note("Unclear", "Too long\nMine", true), "Unclear\nMine");
  assert.equal(reasons.note("Unclear", "Too long\nMine", false), "Unclear\nToo long\nMine");
  assert.equal(reasons.note("", "Too long\n\n Mine\nmore ", true), "Mine\nmore");
  assert.equal(reasons.note("", "Mine\nmore", true), "Mine\nmore");
});
