import assert from "node:assert/strict";
import { test } from "node:test";
import { EMPTY } from "../../src/inbox/drafts";
import { outcomeOf } from "../../src/inbox/outcome";
import { canonical, pick, picked, replyOf, standsIn } from "../../src/inbox/replies";
import { agent, person, question, review } from "./asks";

const choices = { question: "Which?", options: [{ label: "A" }, { label: "B" }], multiple: false };

test("one text serves every decision on a review", () => {
  const draft = { ...EMPTY, text: "Mind the gap" };
  assert.deepEqual(replyOf("approve", review(), draft), { outcome: "approved", note: "Mind the gap" });
  assert.deepEqual(replyOf("changes", review(), draft), { outcome: "changes_requested", feedback: "Mind the gap" });
  assert.deepEqual(replyOf("ask-back", review(), draft), { outcome: "follow_up", question: "Mind the gap" });
  assert.deepEqual(replyOf("dismiss", review(), draft), { outcome: "dismissed" });
});

test("blank words are no words", () => {
  const draft = { ...EMPTY, text: " \n" };
  assert.deepEqual(replyOf("approve", review(), draft), { outcome: "approved" });
  assert.equal(replyOf("changes", review(), draft), undefined);
  assert.equal(replyOf("ask-back", review(), draft), undefined);
  assert.equal(replyOf("answer", question(), draft), undefined);
});

test("an answer is choices, words, or both", () => {
  const ask = question({ prompt: choices });
  assert.deepEqual(replyOf("answer", ask, { ...EMPTY, selected: ["B"] }), { outcome: "answered", selected: ["B"] });
  assert.deepEqual(replyOf("answer", ask, { ...EMPTY, selected: ["B"], text: "Now." }), { outcome: "answered", selected: ["B"], text: "Now." });
});

test("a single choice replaces the other, and pressing it again takes it back", () => {
  const ask = question({ prompt: choices });
  assert.deepEqual(pick(ask, { ...EMPTY, selected: ["A"] }, "B"), ["B"]);
  assert.deepEqual(pick(ask, { ...EMPTY, selected: ["A"] }, "A"), []);
  const several = question({ prompt: { ...choices, multiple: true } });
  assert.deepEqual(pick(several, { ...EMPTY, selected: ["B"] }, "A"), ["B", "A"]);
  assert.deepEqual(picked(several, { ...EMPTY, selected: ["B", "A", "gone"] }), ["A", "B"]);
});

test("a reply that stands in the thread since it was sent has arrived", () => {
  const body = canonical({ outcome: "answered", selected: ["A"] });
  const arrived = question({ thread: [agent(), person({ selected: ["A"], outcome: "answered" })] });
  assert.equal(standsIn(arrived, body, 1, { id: "local" }), true);
  assert.equal(standsIn(arrived, body, 2, { id: "local" }), false);
  assert.equal(standsIn(arrived, body, 1, { id: "else" }), false);
  assert.equal(standsIn(arrived, canonical({ outcome: "dismissed" }), 1, { id: "local" }), false);
});

test("a closed ask names the reply that closed it", () => {
  assert.equal(outcomeOf(review({ status: "closed", thread: [person({ outcome: "approved" })] })), "approved");
  assert.equal(outcomeOf(review({ status: "closed" })), undefined);
  assert.equal(outcomeOf(review({ thread: [person({ outcome: "approved" })] })), undefined);
});
