import assert from "node:assert/strict";
import { test } from "node:test";
import { Asks } from "../../src/inbox/asks";
import { ids, question } from "./asks";

const EARLY = "2026-01-01T10:00:00.000Z";
const LATE = "2026-01-01T10:00:01.000Z";

test("a snapshot drops what is open no more and keeps what was closed", () => {
  const asks = new Asks();
  asks.put([question({ id: "gone" }), question({ id: "old", status: "closed" })]);
  asks.apply([{ type: "snapshot", snapshot: { open: [question({ id: "new" })], recent: [] } }]);
  assert.deepEqual(ids(asks.all.value.values()).sort(), ["new", "old"]);
  assert.equal(asks.loaded.value, true);
});

test("an event changes its ask, also where only waiting changed", () => {
  const asks = new Asks();
  asks.apply([{ type: "ask.opened", ask: question({ waiting: true }) }, { type: "ask.updated", ask: question({ waiting: false }) }]);
  assert.equal(asks.get("a1")?.waiting, false);
});

test("a late event does not undo a reply that the server has answered", () => {
  const asks = new Asks();
  asks.put([question({ status: "closed", updatedAt: LATE })]);
  asks.apply([{ type: "ask.updated", ask: question({ updatedAt: EARLY }) }]);
  assert.equal(asks.get("a1")?.status, "closed");
});

test("a late response does not undo what the socket brought", () => {
  const asks = new Asks();
  asks.apply([{ type: "ask.opened", ask: question({ waiting: false }) }]);
  asks.put([question({ waiting: true })]);
  assert.equal(asks.get("a1")?.waiting, false);
});
