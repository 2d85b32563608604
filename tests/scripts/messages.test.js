import assert from "node:assert/strict";
import { test } from "node:test";
import { give, open } from "./page.js";

const FORMS = { zero: "لا شيء", one: "واحد", two: "اثنان", few: "%(num)s قليل", many: "%(num)s كثير", other: "%(num)s" };

test("a message has its values, and the plural form of its language", async () => {
  open();
  give("workbenchMessages", { language: "ar", messages: { "Topic %(name)s": "الموضوع %(name)s", "%(num)s a": FORMS } });
  const { gettext, ngettext, number, withNodes } = await import("#static/messages.js");
  Reflect.deleteProperty(globalThis, "workbenchMessages"); // the pages of other tests are English
  const forms = [0, 1, 2, 3, 11, 100, 1480].map((count) => ngettext("%(num)s a", "%(num)s as", count));
  assert.deepEqual(forms, ["لا شيء", "واحد", "اثنان", "3 قليل", "11 كثير", "100", "1,480 كثير"]);
  assert.equal(gettext("Topic %(name)s", { name: "%(name)s" }), "الموضوع %(name)s");
  assert.equal(gettext("100 %% of %(left)s and %(count)s", { count: 1480 }), `100 % of %(left)s and ${number(1480)}`);
  assert.deepEqual(withNodes("a %(b)s c", { b: document.createElement("b") }).map(String), ["a ", "<b></b>", " c"]);
  assert.equal(ngettext("%(num)s b", "%(num)s bs", 1), "1 b");
});
