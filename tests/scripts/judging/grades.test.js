import assert from "node:assert/strict";
import { test } from "node:test";
import { each, one, open, press } from "../page.js";

const BUTTONS = "<button>none</button><button aria-checked=true>some</button><button disabled>shut</button><button>much</button>";

test("arrows go around among the grades, and Tab stops at one", async () => {
  open(`<div id=group>${BUTTONS}</div><div id=other>${BUTTONS.replace("aria-checked", "data-x")}</div>`);
  const { moveAmong, stopAtChecked } = await import("#static/judging/grades.js");
  for (const group of [one("#group"), one("#other")]) {
    moveAmong(group);
    stopAtChecked(group);
  }
  const stops = (group) => each(`${group} button`, ({ tabIndex }) => tabIndex);
  assert.deepEqual(
    [stops("#group"), stops("#other")],
    [
      [-1, 0, -1, -1],
      [0, -1, -1, -1],
    ],
  );
  one("#group button:first-child").focus();
  assert.deepEqual(stops("#group"), [0, -1, -1, -1]);
  const focused = (key, more = {}) => {
    press(key, more);
    return document.activeElement?.textContent;
  };
  assert.deepEqual(
    ["ArrowRight", "ArrowDown", "ArrowRight", "ArrowLeft", "ArrowUp"].map((key) => focused(key)),
    ["some", "much", "none", "much", "some"],
  );
  document.documentElement.dir = "rtl";
  assert.deepEqual(
    [focused("ArrowLeft"), focused("ArrowRight"), focused("ArrowDown"), focused("ArrowUp")],
    ["much", "some", "much", "some"],
  );
  document.documentElement.dir = "";
  assert.deepEqual([focused("ArrowUp", { ctrlKey: true }), focused("ArrowUp", { altKey: true })], ["some", "some"]);
  assert.deepEqual(stops("#group"), [-1, 0, -1, -1]);
  assert.deepEqual([press("ArrowLeft"), press("x")], [false, true], "an arrow does not scroll");
});
