import assert from "node:assert/strict";
import { test } from "node:test";
import { each, one, open, settled } from "../page.js";

/** @param {...BlobPart} contents of the files that are chosen */
async function offered(...contents) {
  open("<input id=files type=file><datalist id=columns></datalist>");
  await import("#static/setup/columns.js");
  const files = contents.map((content, place) => new File([content], `${place}`));
  Object.defineProperty(one("#files"), "files", { value: files });
  one("#files").dispatchEvent(new Event("change"));
  await settled();
  return each("#columns option", ({ value }) => value);
}

for (const [what, text, names] of [
  ["JSON lines", '{"nr": 1, "a \\"}{": {"inner": 2}}\n{"nr": 2, "link": "{"}\n{"cut": "of', ["nr", 'a "}{', "link"]],
  ["an array", '\ufeff [ {"nr": 1},\n {"nr": 2, "Tekst": "x"} ]', ["nr", "Tekst"]],
  ["commas", 'nr,"vclaim, ""long""",link\r\n1,a,b\r\n', ["nr", 'vclaim, "long"', "link"]],
  ["tabs", "nr\tTekst, lang\n1\tx\n", ["nr", "Tekst, lang"]],
  ["semicolons", '"nr"; Tekst\n1;x,y\n', ["nr", "Tekst"]],
  ["an index without a name", ",text\n0,x\n", ["text"]],
  ["text", "Once upon a time\nthere was\n", []],
  ["lines of data", "1\t1\tx\n", []],
  ["what is compressed", new Uint8Array([31, 139, 8, 0, 44, 44, 9, 250, 44]), []],
  ["an empty file", "", []],
  ["markup", "<DOC>\n<DOCNO>1</DOCNO>\n", []],
]) {
  test(`names of columns are those of ${what}`, async () => {
    assert.deepEqual(await offered(/** @type {BlobPart} */ (text)), names);
  });
}

test("several files offer each name once, and no more than a few hundred", async () => {
  assert.deepEqual(await offered("nr,text\n", "nr,link\n"), ["nr", "text", "link"]);
  const wide = Array.from({ length: 500 }, (_, place) => `c${place}`).join("\t");
  assert.equal((await offered(`${wide}\n`)).length, 200);
});
