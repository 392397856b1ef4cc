import assert from "node:assert/strict";
import { test } from "node:test";
import { arrange, needing, nextAfter, NO_ASKS, projectsOf, sectionOf } from "../../src/inbox/sections";
import { settle } from "../../src/inbox/still";
import { question, review } from "./asks";

const at = (minute: number) => `2026-01-01T10:${String(minute).padStart(2, "0")}:00.000Z`;

test("an ask stands where its move is, blocked agents apart", () => {
  assert.equal(sectionOf(question({ waiting: true })), "blocked");
  assert.equal(sectionOf(question()), "needs");
  assert.equal(sectionOf(question({ status: "awaiting_agent", waiting: true })), "agents");
  assert.equal(sectionOf(question({ status: "closed" })), "closed");
});

test("who waits longest comes first, what is over latest first", () => {
  const { needs, closed } = arrange([
    question({ id: "b", updatedAt: at(2) }),
    question({ id: "a", updatedAt: at(1) }),
    question({ id: "c", status: "closed", closedAt: at(3) }),
    question({ id: "d", status: "closed", closedAt: at(4) }),
  ]);
  assert.deepEqual(needs, ["a", "b"]);
  assert.deepEqual(closed, ["d", "c"]);
});

test("the filter takes one project, also the nameless one, and words of the title", () => {
  const { project: _, ...nameless } = review({ id: "n" });
  const asks = [question({ id: "q" }), nameless, review({ id: "r", prompt: { title: "Rate limits", content: [] } })];
  assert.deepEqual(arrange(asks, { project: "" }).needs, ["n"]);
  assert.deepEqual(arrange(asks, { project: "api", words: "LIMITS" }).needs, ["r"]);
  assert.deepEqual(projectsOf(asks), [{ project: "", count: 1 }, { project: "api", count: 2 }]);
  assert.equal(needing(asks), 3);
});

test("after an ask comes the next of its section, then blocked agents, then the rest", () => {
  const arrangement = { ...NO_ASKS, blocked: ["a", "b"], needs: ["c", "d"] };
  assert.equal(nextAfter("a", arrangement), "b");
  assert.equal(nextAfter("b", arrangement), "a");
  assert.equal(nextAfter("c", arrangement), "d");
  assert.equal(nextAfter("d", arrangement), "a");
  assert.equal(nextAfter("z", arrangement), "a");
  assert.equal(nextAfter("a", { ...NO_ASKS, blocked: ["a"] }), undefined);
});

test("a held list stays as it is and counts who is new", () => {
  const before = { ...NO_ASKS, needs: ["a", "b"] };
  const now = { ...NO_ASKS, blocked: ["c"], needs: ["b"], closed: ["a", "x"] };
  assert.deepEqual(settle(before, now, true), { shown: before, newcomers: 1 });
  assert.deepEqual(settle(before, now, false), { shown: now, newcomers: 0 });
});

test("a list in which nothing needs the person holds nothing back", () => {
  const now = { ...NO_ASKS, needs: ["a"], agents: ["b"], closed: ["c"] };
  assert.deepEqual(settle(NO_ASKS, now, true), { shown: now, newcomers: 0 });
  assert.deepEqual(settle({ ...NO_ASKS, agents: ["b"], closed: ["c"] }, now, true), { shown: now, newcomers: 0 });
});
