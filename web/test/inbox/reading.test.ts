import assert from "node:assert/strict";
import { test } from "node:test";
import { pauseBefore } from "../../src/api/backoff";
import { KeyReader, type KeyPress } from "../../src/inbox/keys";
import { Messages } from "../../src/inbox/messages";
import { readRoute, writeRoute } from "../../src/inbox/route";
import { readQuestion } from "../../src/inbox/titles";
import { readClaim } from "../../src/ui/claims";

const PLAIN: KeyPress = { key: "a", ctrl: false, alt: false, shift: false, typing: false, composing: false };
const keys = (...presses: readonly Partial<KeyPress>[]) => {
  const reader = new KeyReader();
  return presses.map((press, place) => reader.read({ ...PLAIN, ...press }, place * 100));
};

test("single keys are commands, and letters while typing", () => {
  assert.deepEqual(keys({ key: "a" }, { key: "#" }, { key: "3" }), ["approve", "dismiss", "pick-3"]);
  assert.deepEqual(keys({ key: "a", typing: true }, { key: "a", ctrl: true }), [undefined, undefined]);
  assert.deepEqual(keys({ key: "Enter", ctrl: true, typing: true }, { key: "Escape", typing: true }), ["send", "escape"]);
});

test("a key that an input method composes with is not a command", () => {
  assert.deepEqual(keys({ key: "Enter", ctrl: true, composing: true }, { key: "Escape", composing: true }), [undefined, undefined]);
});

test("g waits for the key after it, for a moment", () => {
  assert.deepEqual(keys({ key: "g" }, { key: "h" }), [undefined, "history"]);
  assert.deepEqual(keys({ key: "g" }, { key: "x" }, { key: "i" }), [undefined, "resolve", undefined]);
  const reader = new KeyReader();
  reader.read({ ...PLAIN, key: "g" }, 0);
  assert.equal(reader.read({ ...PLAIN, key: "i" }, 5000), undefined);
});

test("an address and its place are the same thing said twice", () => {
  for (const address of ["/", "/?project=api", "/asks/a%2Fb?project=", "/history", "/sign-in"]) {
    const [path = "", query = ""] = address.split("?");
    assert.equal(writeRoute(readRoute(path, query)), address);
  }
  assert.equal(readRoute("/asks/%E0%A4%A").page, "unknown");
  assert.equal(readRoute("/else").page, "unknown");
});

test("the first line of a question is its title where it stands alone", () => {
  assert.deepEqual(readQuestion("## May I delete `x`?\n\nIt is old."), { title: "May I delete `x`?", body: "It is old." });
  assert.deepEqual(readQuestion("Is **this** right?"), { title: "Is this right?", body: "" });
});

test("a question that one line cannot say is shown whole", () => {
  const listed = "- one\n- two";
  assert.deepEqual(readQuestion(listed), { title: "one", body: listed });
  const linked = "See [the plan](https://example.org)?";
  assert.deepEqual(readQuestion(linked), { title: "See the plan?", body: linked });
  assert.equal([...readQuestion("x".repeat(900)).title].length, 200);
});

test("nothing in a claim is hidden, and it is one line", () => {
  assert.deepEqual(readClaim("a\u202eb\nc"), [{ text: "a" }, { mark: "U+202E" }, { text: "b c" }]);
  assert.deepEqual(readClaim("tag\u{e0041}"), [{ text: "tag" }, { mark: "U+E0041" }]);
  assert.deepEqual(readClaim("x\u200by"), [{ text: "x" }, { mark: "U+200B" }, { text: "y" }]);
});

test("joiners that a script or an emoji needs stay", () => {
  assert.deepEqual(readClaim("👩\u200d🔬"), [{ text: "👩\u200d🔬" }]);
  assert.deepEqual(readClaim("नमस्\u200dते"), [{ text: "नमस्\u200dते" }]);
  assert.deepEqual(readClaim("a\u200db"), [{ text: "a" }, { mark: "U+200D" }, { text: "b" }]);
});

test("pauses double from half a second to thirty", () => {
  assert.equal(pauseBefore(0, 1), 500);
  assert.equal(pauseBefore(3, 1), 4000);
  assert.equal(pauseBefore(20, 1), 30_000);
  assert.equal(pauseBefore(3, 0), 2000);
});

test("a notice is shown once and not again once dismissed", () => {
  const messages = new Messages();
  const notice = { id: "n", action: "token.created", at: "2026-01-01T00:00:00.000Z" };
  messages.notice(notice);
  messages.notice(notice);
  assert.equal(messages.notices.value.length, 1);
  messages.dismiss("n");
  messages.notice(notice);
  assert.equal(messages.notices.value.length, 0);
});
