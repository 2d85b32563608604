import assert from "node:assert/strict";
import { test } from "node:test";
import { each, one, open, pass, settled } from "../page.js";

const DIALOG = `<dialog id=dialog><form><input type=checkbox name=stay><input type=radio name=face value=sans>
  <input type=radio name=face value=serif><button type=button data-step=-1>-</button><b data-size></b>
  <button type=button data-step=1>+</button></form></dialog>`;

/** @param {Record<string, string>} unsent by an earlier page */
async function begun(unsent = {}) {
  const seen = { sent: [], answers: [], changes: [] };
  const answer = ({ body }) => {
    seen.sent.push(JSON.parse(body));
    const [status, answered] = seen.answers.shift() ?? [200, seen.sent.at(-1)];
    return Response.json(answered, { status });
  };
  open(DIALOG, { answer });
  for (const [name, value] of Object.entries({ gone: '{"value": 1}', ...unsent }))
    localStorage.setItem(`preferences:small:Ben:${name}`, value);
  const { Preferences, PreferencesDialog, step } = await import("#static/judging/preferences.js");
  const data = { campaign: "small", url: "/preferences", values: { stay: false, face: "sans", size: 16 } };
  const preferences = new Preferences(data, "Ben", (...change) => seen.changes.push(change));
  const dialog = new PreferencesDialog(one("#dialog"), preferences);
  return { ...seen, preferences, dialog, step };
}

test("what is chosen counts at once and is sent", async () => {
  const { preferences, dialog, sent, changes } = await begun();
  dialog.open();
  const checked = () => each("input", (field) => field.checked);
  assert.deepEqual(checked(), [false, true, false]);
  one("[value=serif]").click();
  one("[name=stay]").click();
  await settled();
  assert.deepEqual(
    [sent, changes, checked()],
    [
      [{ face: "serif" }, { stay: true }],
      [
        ["face", "serif"],
        ["stay", true],
      ],
      [true, false, true],
    ],
  );
  preferences.dress(document);
  preferences.dress(null);
  assert.equal(document.documentElement.getAttribute("style"), "--size: 16px; --face: var(--serif);");
});

test("the size of the text goes up and down within its limits", async () => {
  const { preferences, sent, step } = await begun();
  const after = (by, times = 1) => {
    for (let time = 0; time < times; time++) one(`[data-step="${by}"]`).click();
    return [preferences.get("size"), one("[data-size]").textContent, ...each("button", (button) => button.disabled)];
  };
  assert.deepEqual(after(1, 9), [24, "24 px", false, true]);
  assert.deepEqual(after(-1), [23, "23 px", false, false]);
  assert.deepEqual(after(-1, 12), [13, "13 px", true, false]);
  await settled();
  assert.deepEqual(sent.at(-1), { size: 13 });
  const { length } = sent;
  assert.equal(await step(preferences, -1), "");
  assert.equal(sent.length, length);
});

test("what an earlier page could not send is sent by the next", async () => {
  const { preferences, sent } = await begun({ size: '{"value": 20}' });
  assert.equal(preferences.get("size"), 20);
  await settled();
  assert.deepEqual(sent, [{ size: 20 }]);
});

test("what the server does not take is tried again or taken back", async () => {
  const { preferences, sent, answers, changes } = await begun();
  answers.push([500, {}], [422, { field: "face", message: "No such face" }], [422, {}], [401, {}]);
  assert.equal(await preferences.set("face", "gothic"), "");
  assert.deepEqual([preferences.waiting(), preferences.get("face")], [["face"], "gothic"]);
  await pass(14_999);
  assert.equal(sent.length, 1);
  await pass(1);
  assert.deepEqual([preferences.waiting(), preferences.get("face"), changes.at(-1)], [[], "sans", ["face", "sans"]]);
  assert.notEqual(await preferences.set("stay", true), "");
  await preferences.set("stay", true);
  await pass(60_000);
  assert.deepEqual([preferences.get("stay"), sent.length, preferences.waiting()], [true, 4, ["stay"]]);
  dispatchEvent(new Event("online"));
  await settled();
  assert.deepEqual([preferences.waiting(), localStorage.getItem("preferences:small:Ben:gone")], [[], '{"value": 1}']);
});
