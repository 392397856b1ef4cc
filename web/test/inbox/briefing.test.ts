import assert from "node:assert/strict";
import { test } from "node:test";
import type { PointReply } from "../../src/contract";
import { ancestorsOf, foldBriefing, judge, nextOpen, pointReplies, resolvedAfter } from "../../src/inbox/briefing";
import { agent, briefing, person } from "./asks";

function resolvedIn(state: ReturnType<typeof foldBriefing>): string[] {
  return state.order.filter((point) => point.resolved).map((point) => point.id);
}

function responded(...points: PointReply[]) {
  return person({ outcome: "responded", points });
}

test("points are read section by section, each before what lies beneath it", () => {
  const thread = [responded({ point: "1", text: "Why?" }), agent({ point: "1", points: ["1.1", "1.2"] })];
  const state = foldBriefing(briefing([2, 1], thread));
  assert.deepEqual(state.order.map((point) => point.id), ["1", "1.1", "1.2", "2", "3"]);
  assert.deepEqual(state.order.map((point) => point.level), [1, 2, 2, 1, 1]);
  assert.equal(state.left, 5);
});

test("resolving marks the point and everything then beneath it", () => {
  const thread = [
    responded({ point: "1", text: "Why?" }),
    agent({ point: "1", points: ["1.1"] }),
    responded({ point: "1", resolved: true }, { point: "2", text: "And this?" }),
  ];
  assert.deepEqual(resolvedIn(foldBriefing(briefing([2], thread))), ["1", "1.1"]);
});

test("in one reply resolving counts first, then words re-open", () => {
  const thread = [responded({ point: "1", text: "Why?" }), agent({ point: "1", points: ["1.1", "1.2"] })];
  const state = foldBriefing(briefing([1], thread));
  const after = resolvedAfter(state, [{ point: "1", resolved: true }, { point: "1.1", text: "Not so fast." }]);
  assert.deepEqual([...after], ["1.2"]);
});

test("words on a resolved point open it and what it lies under, nothing else", () => {
  const thread = [
    responded({ point: "1", text: "Why?" }),
    agent({ point: "1", points: ["1.1", "1.2"] }),
    responded({ point: "1", resolved: true }, { point: "2", text: "Go on." }),
    agent({ point: "2" }),
  ];
  const after = resolvedAfter(foldBriefing(briefing([2], thread)), [{ point: "1.1", text: "Wait." }]);
  assert.deepEqual([...after], ["1.2"]);
});

test("words together with resolved leave the point resolved", () => {
  const after = resolvedAfter(foldBriefing(briefing([1])), [{ point: "1", text: "Fine.", resolved: true }]);
  assert.deepEqual([...after], ["1"]);
});

test("point 10 does not lie under point 1", () => {
  const after = resolvedAfter(foldBriefing(briefing([10])), [{ point: "1", resolved: true }]);
  assert.deepEqual([...after], ["1"]);
  assert.deepEqual(ancestorsOf("3.1.2"), ["3", "3.1"]);
});

test("a point that gains points beneath it stays unresolved", () => {
  const thread = [
    responded({ point: "1", text: "Why?" }),
    agent({ point: "1", points: ["1.1"] }),
    responded({ point: "1.1", resolved: true }, { point: "1", text: "More." }),
  ];
  assert.deepEqual(resolvedIn(foldBriefing(briefing([1], thread))), ["1.1"]);
});

test("an answer stands at its point, new until the person has replied", () => {
  const thread = [responded({ point: "1", text: "Why?" }), agent({ point: "1", points: ["1.1"] })];
  const [first, beneath] = foldBriefing(briefing([1], thread)).order;
  assert.deepEqual(first?.turns.map((turn) => turn.author), ["human", "agent"]);
  assert.equal(beneath?.isNew, true);
  const later = [...thread, responded({ point: "1", text: "I see." })];
  const [, known] = foldBriefing(briefing([1], later, { status: "awaiting_agent" })).order;
  assert.equal(known?.isNew, false);
});

test("a draft that says nothing is not part of the reply", () => {
  const state = foldBriefing(briefing([3]));
  const drafts = { "3": { text: "  ", resolved: true }, "1": { text: " Why? ", resolved: false }, "2": { text: " ", resolved: false } };
  assert.deepEqual(pointReplies(state, drafts), [{ point: "1", text: " Why? " }, { point: "3", resolved: true }]);
});

test("a reply must resolve every point or leave the agent something to answer", () => {
  const state = foldBriefing(briefing([2]));
  assert.equal(judge(state, []), "empty");
  assert.equal(judge(state, [{ point: "1", resolved: true }]), "nothing-to-answer");
  assert.equal(judge(state, [{ point: "1", text: "Fine.", resolved: true }]), "nothing-to-answer");
  assert.equal(judge(state, [{ point: "1", text: "Why?" }]), "asks");
  assert.equal(judge(state, [{ point: "1", resolved: true }, { point: "2", resolved: true }]), "closes");
});

test("the next open point is the next one neither resolved nor written on, and around", () => {
  const state = foldBriefing(briefing([4]));
  const drafts = { "2": { text: "Why?", resolved: false }, "3": { text: "", resolved: true } };
  assert.equal(nextOpen(state, drafts, undefined), "1");
  assert.equal(nextOpen(state, drafts, "1"), "4");
  assert.equal(nextOpen(state, drafts, "4"), "1");
  assert.equal(nextOpen(state, drafts, "1", -1), "4");
  assert.equal(nextOpen(state, { ...drafts, "1": { text: "", resolved: true }, "4": { text: "", resolved: true } }, "1"), undefined);
});
