import assert from "node:assert/strict";
import { test } from "node:test";
import { open } from "./page.js";

test("an element is made of attributes and children", async () => {
  open();
  const { counted, element } = await import("#static/elements.js");
  const attributes = { class: "small", hidden: true, lang: false, dir: undefined, title: "" };
  assert.equal(element("b", attributes, "x", element("i")).outerHTML, '<b class="small" hidden="" title="">x<i></i></b>');
  assert.deepEqual(
    [0, 1, 2, 1480].map((count) => counted(count, "document")),
    ["0 documents", "1 document", "2 documents", "1,480 documents"],
  );
});

test("an element is touched only to change it", async () => {
  open('<p id=one hidden lang=de></p><script id=page-data type=application/json>{"a": [1]}</script>');
  const { byId, hide, pageData, setAttribute } = await import("#static/elements.js");
  const one = byId("one");
  const seen = new MutationObserver(() => {});
  seen.observe(one, { attributes: true });
  hide(one, true);
  setAttribute(one, "lang", "de");
  assert.deepEqual(seen.takeRecords(), []);
  hide(one, false);
  setAttribute(one, "lang", "en");
  assert.deepEqual([one.hidden, one.lang, pageData()], [false, "en", { a: [1] }]);
  assert.throws(() => byId("two"), /no element #two/);
});
