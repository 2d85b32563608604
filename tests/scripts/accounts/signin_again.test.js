import assert from "node:assert/strict";
import { test } from "node:test";
import { each, give, one, open, pass, press, pressButton, settled } from "../page.js";

const CALM = 600;
const OUT = { way: "password", address: "/sign-in", csrf_token: "t" };
const IN = { account: "Ben", csrf_token: "t" };
const ANNA = { ...OUT, account: "Anna" };

/** The page of Ben, and a server that says `session` to who asks who is signed in, and `answer` to who signs in. */
async function begun() {
  const state = /** @type {any} */ ({
    session: OUT,
    answer: [200, {}],
    becomes: null,
    sent: [],
    asked: 0,
    waiting: 0,
    again: 0,
    reloads: 0,
  });
  const answer = ({ path, body }) => {
    if (path === "/sign-in") {
      state.sent.push(Object.fromEntries(body));
      state.session = state.becomes ?? state.session;
      const [status, answered] = state.answer;
      return Response.json(answered, { status });
    }
    state.asked++;
    if (!state.session) throw new TypeError("no network");
    return Response.json(state.session);
  };
  open("<meta name=csrf-token content=t><meta name=session-url content=/session><input id=field>", { answer });
  give("reload", () => state.reloads++, location);
  const { SignInAgain } = await import("#static/accounts/signin_again.js");
  const again = new SignInAgain(
    { account: "Ben" },
    () => state.again++,
    () => state.waiting,
  );
  /** Offers the dialog while the server says this. @param {any} session */
  const offer = async (session = state.session) => {
    state.session = session;
    await again.offer();
    await settled();
  };
  /** Sends the form; what is said to be wrong, if anything is. */
  const submit = async () => {
    one("dialog form").requestSubmit();
    await settled();
    return again.error.hidden ? null : again.error.textContent;
  };
  return { state, again, dialog: again.dialog, offer, submit };
}

const title = () => one("dialog h2").textContent;
const situation = () => one("dialog h2 + p").textContent;
const buttons = () => each("dialog button", ({ textContent }) => textContent);
const field = (name) => one(`dialog [name=${name}]`);

/** Types a password. @param {string} text */
function type(text) {
  field("password").value = text;
}

test("an account that is signed out is asked for its password, and may put it off", async () => {
  const { state, again, dialog, offer } = await begun();
  await offer();
  await pass(CALM);
  assert.deepEqual([dialog.open, title(), situation()], [true, "Sign in again", "You are signed out."]);
  assert.deepEqual([buttons(), document.activeElement], [["Sign in as Ben", "Not now"], field("password")]);
  assert.deepEqual([field("name").value, field("name").readOnly, field("password").value], ["Ben", true, ""]);
  let heard = 0;
  addEventListener("keydown", () => heard++);
  press("x");
  assert.equal(heard, 0);
  pressButton("Not now");
  await settled();
  assert.equal(again.isPutOff, true);
  press("x");
  assert.equal(heard, 1);
  state.waiting = 1;
  await offer();
  assert.equal(dialog.open, false);
  await again.show();
  assert.deepEqual([dialog.open, situation().includes("1 judgment is kept")], [true, true]);
  state.waiting = 2;
  dialog.close();
  await again.show();
  assert.match(situation(), /2 judgments are kept/);
  await offer(IN);
  assert.deepEqual([dialog.open, state.again, again.isOut, again.isPutOff], [false, 1, false, false]);
  await offer();
  assert.equal(state.again, 1);
  await offer(OUT);
  assert.equal(dialog.open, true);
});

test("another account stays in front until it goes on", async () => {
  const { state, again, dialog, offer } = await begun();
  await offer(ANNA);
  assert.deepEqual([title(), situation()], ["Anna is signed in here now", "This page was opened by Ben."]);
  assert.deepEqual(buttons(), ["Sign in as Ben", "Continue as Anna"]);
  dialog.close();
  await settled();
  assert.deepEqual([dialog.open, dialog.dispatchEvent(new Event("cancel", { cancelable: true }))], [true, false]);
  for (const [waiting, words] of /** @type {[number, RegExp][]} */ ([
    [1, /1 judgment of Ben waits/],
    [2, /2 judgments of Ben wait /],
  ])) {
    state.waiting = waiting;
    again.open(/** @type {any} */ ({ account: "Anna", way: "demo" }));
    assert.match(situation(), words);
  }
  assert.deepEqual(buttons(), ["Continue as Ben", "Continue as Anna"]);
  await pass(CALM);
  assert.equal(/** @type {HTMLButtonElement} */ (document.activeElement).type, "submit");
  pressButton("Continue as Anna");
  assert.equal(state.reloads, 1);
});

test("keys that were to judge do not reach the password", async () => {
  const { dialog, offer } = await begun();
  one("#field").focus();
  await offer();
  await pass(CALM - 100);
  assert.deepEqual([press("0"), press("x")], [false, false]);
  await pass(CALM - 100);
  assert.equal(document.activeElement, dialog);
  await pass(100);
  assert.equal(document.activeElement, field("password"));
  assert.equal(press("a"), true);
});

test("a reader who goes to the password by key or mouse types at once", async () => {
  const { offer } = await begun();
  await offer();
  assert.equal(press("Tab"), true);
  field("password").focus();
  assert.equal(press("a"), true);
  await pass(CALM);
  assert.equal(document.activeElement, field("password"));
});

test("a dialog says what is new, and an account that is merely out can cancel it", async () => {
  const { again, dialog, offer } = await begun();
  await offer();
  assert.equal(dialog.dispatchEvent(new Event("cancel", { cancelable: true })), true);
  const form = one("dialog form");
  await offer();
  assert.equal(one("dialog form"), form);
  await offer(ANNA);
  assert.equal(title(), "Anna is signed in here now");
  await offer({ way: "password" });
  await offer(null);
  assert.deepEqual([title(), again.asking], ["Anna is signed in here now", null]);
});

test("a password is sent with a token of now, and what is wrong is said", async () => {
  const { state, dialog, offer, submit } = await begun();
  const NO_ANSWER = /does not respond/;
  await offer();
  state.session = { ...OUT, csrf_token: "t2" };
  state.answer = [401, { message: "Wrong." }];
  type("p w");
  assert.equal(await submit(), "Wrong.");
  assert.deepEqual([state.sent.at(-1), field("password").value], [{ name: "Ben", csrf_token: "t2", password: "p w" }, ""]);
  type("p");
  state.answer = [500, {}];
  assert.match(await submit(), NO_ANSWER);
  type("p");
  state.answer = [200, {}];
  assert.match(await submit(), /not signed in yet/);
  type("p");
  state.session = null;
  assert.match(await submit(), NO_ANSWER);
  state.session = OUT;
  state.becomes = IN;
  assert.deepEqual([await submit(), dialog.open, state.again], [null, false, 1]);
});

test("a second factor is asked for when the password was right", async () => {
  const { state, offer, submit } = await begun();
  await offer();
  state.answer = [401, { reason: "code", message: "Type the code." }];
  type("p");
  assert.equal(await submit(), "Type the code.");
  assert.equal(document.activeElement, field("code"));
  field("code").value = "123";
  await submit();
  assert.deepEqual([state.sent.at(-1).code, field("code").value, field("password").value], ["123", "", "p"]);
});

test("where a link signs in the dialog only looks whether it did", async () => {
  const { state, offer, submit } = await begun();
  await offer({ way: "link", address: null, csrf_token: "t" });
  assert.deepEqual(buttons(), ["I have signed in", "Not now"]);
  assert.match(await submit(), /not signed in yet/);
  state.session = IN;
  assert.deepEqual([await submit(), state.sent, state.again], [null, [], 1]);
});

test("coming back and other tabs make the page ask who is signed in", async () => {
  const { state, again, dialog } = await begun();
  const comesBack = () => {
    document.hasFocus = () => false;
    dispatchEvent(new Event("blur"));
    dispatchEvent(new Event("focus"));
    return again.asking !== null;
  };
  const other = new BroadcastChannel("workbench:signed in");
  const told = [];
  other.onmessage = ({ data }) => told.push(data);
  assert.equal(comesBack(), false);
  await pass(2_000);
  assert.equal(comesBack(), false);
  await pass(1);
  assert.equal(comesBack(), true);
  await settled();
  assert.deepEqual([dialog.open, state.asked], [true, 1]);
  state.session = IN;
  other.postMessage("signed in");
  await settled();
  assert.deepEqual([state.again, told, state.asked], [1, ["signed in"], 2]);
  other.postMessage("signed in");
  await settled();
  assert.equal(state.asked, 2, "an account that is in need not ask");
});

test("a question while an answer is on its way gets one that is newer", async () => {
  const { state, again } = await begun();
  await Promise.all([again.offer(), again.offer(), again.offer()]);
  assert.equal(state.asked, 2);
  await again.offer();
  assert.equal(state.asked, 3);
});
