import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { one, open } from "../page.js";

test("saving is news when it takes long or stops, and when all is saved again", async () => {
  open("<p id=news></p>");
  const { SaveNews } = await import("#static/judging/save_news.js");
  const news = new SaveNews(one("#news"));
  const told = (...states) => {
    for (const state of states) news.heard(state);
    return one("#news").textContent;
  };
  assert.equal(told("saving", "saved", "saved"), "");
  mock.timers.tick(15_000);
  assert.equal(told("saving", "saving"), "");
  mock.timers.tick(9_900);
  assert.equal(told("saving"), "");
  mock.timers.tick(200);
  const texts = [told(), ...["saved", "offline", "signed out", "outdated"].map((state) => told(state))];
  assert.equal(new Set(texts).size, 5);
  assert.ok(texts.every((text) => text.endsWith(".")));
  assert.equal(told("problem"), "");
});
