import assert from "node:assert/strict";
import { test } from "node:test";
import { give, open } from "./page.js";

const HTML = "<meta name=csrf-token content=first><meta name=session-url content=/session>";

/** @typedef {import("./page.js").Request} Request */

/** @param {Record<string, (request: Request) => Response>} answers by address */
async function begun(answers) {
  const sent = [];
  const answer = (request) => {
    if (request.path !== "/session") sent.push(request);
    return answers[request.path](request);
  };
  open(HTML, { answer });
  const tokens = () => sent.filter(({ path }) => path === "/save").map(({ headers }) => headers.get("X-CSRFToken"));
  return { sent, tokens, ...(await import("#static/session.js")) };
}

test("a refused token is fetched again, for the same account alone", async () => {
  const session = { account: "Ben B", csrf_token: "second" };
  const save = ({ headers }) => {
    const isGood = headers.get("X-CSRFToken") === session.csrf_token;
    return Response.json({ reason: isGood ? "" : "csrf" }, { status: isGood ? 200 : 400 });
  };
  const { postJson, sent, tokens } = await begun({ "/save": save, "/session": () => Response.json(session) });
  const post = async (account) => (await postJson("/save", { a: 1 }, account)).status;
  assert.deepEqual([await post("Ben B"), await post("Ben B"), tokens()], [200, 200, ["first", "second", "second"]]);
  assert.ok(sent.every(({ body, headers }) => body === '{"a":1}' && headers.get("X-Account") === "Ben%20B"));
  session.csrf_token = "third";
  assert.deepEqual([await post("Anna"), tokens().slice(3)], [401, ["second"]]);
});

test("what is no JSON is text, and an answer that breaks off is none", async () => {
  const { BACKGROUND, getJson, postForm, postJson, sent } = await begun({
    "/json": () => Response.json({ a: 1 }),
    "/html": () => new Response("<p>", { status: 503, headers: { "Content-Type": "text/html" } }),
    "/half": () => new Response('{"a": 1', { headers: { "Content-Type": "application/json; charset=utf-8" } }),
  });
  const parts = async (answer) => {
    const { status, body } = await answer;
    return [status, body];
  };
  assert.deepEqual(await parts(getJson("/json", BACKGROUND)), [200, { a: 1 }]);
  assert.deepEqual(await parts(getJson("/html")), [503, "<p>"]);
  await assert.rejects(getJson("/half"));
  assert.deepEqual(await parts(postJson("/json", new URLSearchParams({ x: "é y" }), "Ben")), [200, { a: 1 }]);
  assert.deepEqual(await parts(postForm("/json", { z: "1" })), [200, { a: 1 }]);
  assert.deepEqual(
    sent.map(({ method }) => method),
    ["GET", "GET", "GET", "POST", "POST"],
  );
  assert.deepEqual(
    sent.map(({ headers }) => headers.get("X-Background")),
    ["yes", null, null, null, null],
  );
  assert.ok(sent.every(({ headers }) => headers.get("Accept") === "application/json"));
  assert.ok(
    sent.slice(3).every(({ body, headers }) => body instanceof URLSearchParams && !headers.has("Content-Type")),
    "the browser names a form",
  );
});

test("signing in takes over the token of the session that begins", async () => {
  const answers = [
    Response.json({ csrf_token: "of a refusal" }, { status: 403 }),
    Response.json({ csrf_token: "second" }),
    Response.json({}),
  ];
  const signIn = () => /** @type {Response} */ (answers.shift());
  const { postForm, postJson, tokens } = await begun({ "/save": () => Response.json({}), "/sign-in": signIn });
  for (let time = 0; time < 3; time++) {
    await postForm("/sign-in", { name: "Ben" });
    await postJson("/save", {}, "Ben");
  }
  assert.deepEqual(tokens(), ["first", "second", "second"]);
});

test("a UUID is of version four, also without the browser's own", async () => {
  const { uuid4 } = await begun({});
  assert.equal(uuid4().length, 36);
  const { crypto } = globalThis;
  const made = (byte) => {
    give("crypto", { getRandomValues: (bytes) => bytes.map((_, at) => byte(at)) });
    return uuid4();
  };
  const uuids = [made((at) => (at === 2 ? 10 : 0xf0 + at)), made(() => 0)];
  give("crypto", crypto);
  assert.deepEqual(uuids, ["f0f10af3-f4f5-46f7-b8f9-fafbfcfdfeff", "00000000-0000-4000-8000-000000000000"]);
});
