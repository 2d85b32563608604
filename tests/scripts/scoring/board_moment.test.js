import assert from "node:assert/strict";
import { test } from "node:test";
import { one, open } from "../page.js";

const SLIDER = `<input id=as-of type=number min=0 max=9000><input id=moment type=range hidden min=0><a id=now href=#>Now</a>`;

test("the slider and its row say which row of the log a board is of", async () => {
  open(SLIDER);
  const { Moment } = await import("#static/scoring/board_moment.js");
  const calls = [];
  const moment = new Moment(
    () => calls.push("moved"),
    () => calls.push("settled"),
  );
  addEventListener("input", () => calls.push("heard"));
  const made = (row, newest = 4000) => {
    const slider = document.createElement("input");
    for (const [name, value] of Object.entries({ type: "range", max: newest, value: row })) slider.setAttribute(name, String(value));
    return slider;
  };
  const seen = () => [moment.isLive, moment.row.value, moment.slider.value, moment.slider.getAttribute("aria-valuetext")];
  const told = () => calls.splice(0).join(" ");
  const put = (id, value, kind = "input") => {
    one(id).value = value;
    one(id).dispatchEvent(new Event(kind, { bubbles: true }));
  };
  moment.draw(made(1200));
  assert.deepEqual([...seen(), moment.slider.hidden], [true, "", "4000", "now", false]);
  put("#moment", 1200);
  moment.draw(made(1200));
  assert.deepEqual(seen(), [false, "1200", "1200", "row 1,200"]);
  put("#moment", 4000);
  put("#moment", 4000, "change");
  assert.deepEqual([moment.isLive, told()], [true, "moved heard moved heard settled"]);
  put("#as-of", 7);
  put("#as-of", 9001);
  assert.equal(told(), "moved", "9001 is no row");
  moment.slider.focus();
  moment.slider.value = 5;
  moment.draw(made(7));
  assert.equal(moment.slider.value, "5", "it is being moved");
  one("#now").click();
  assert.deepEqual([moment.isLive, told(), document.activeElement?.id, location.hash], [true, "settled", "as-of", ""]);
});
