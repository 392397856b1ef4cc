import assert from "node:assert/strict";
import { test } from "node:test";
import { Drafts, EMPTY, wordsOf, type Shelf } from "../../src/inbox/drafts";

/** A shelf in memory, as localStorage behaves. */
class Memory implements Shelf {
  readonly kept = new Map<string, string>();
  getItem = (key: string) => this.kept.get(key) ?? null;
  setItem = (key: string, value: string) => void this.kept.set(key, value);
  removeItem = (key: string) => void this.kept.delete(key);
  key = (index: number) => [...this.kept.keys()][index] ?? null;
  get length() {
    return this.kept.size;
  }
}

test("a draft is there again after the page was loaded anew", () => {
  const shelf = new Memory();
  new Drafts(shelf, "me:").change("a1", { text: "Half a", points: { "3.1": { text: "Why?", resolved: false } } });
  const draft = new Drafts(shelf, "me:").of("a1").value;
  assert.equal(draft.text, "Half a");
  assert.equal(draft.points["3.1"]?.text, "Why?");
});

test("one person's drafts are not another's", () => {
  const shelf = new Memory();
  new Drafts(shelf, "home:ada:").change("a1", { text: "Mine" });
  const other = new Drafts(shelf, "home:bob:");
  assert.equal(other.of("a1").value.text, "");
  other.wipe();
  assert.equal(new Drafts(shelf, "home:ada:").of("a1").value.text, "Mine");
});

test("what another tab writes shows here", () => {
  const drafts = new Drafts(new Memory(), "me:");
  const draft = drafts.of("a1");
  drafts.noticed("me:a1", JSON.stringify({ text: "From there" }));
  assert.equal(draft.value.text, "From there");
  drafts.noticed("me:a1", null);
  assert.equal(draft.value, EMPTY);
});

test("an emptied draft leaves nothing on the shelf", () => {
  const shelf = new Memory();
  const drafts = new Drafts(shelf, "me:");
  drafts.change("a1", { text: "x" });
  drafts.change("a1", { text: "" });
  assert.equal(shelf.length, 0);
});

test("a full shelf does not stop anyone from typing", () => {
  const shelf = new Memory();
  shelf.setItem = () => {
    throw new Error("full");
  };
  const drafts = new Drafts(shelf, "me:");
  drafts.change("a1", { text: "Still here" });
  assert.equal(drafts.of("a1").value.text, "Still here");
});

test("a broken draft on the shelf is an empty one", () => {
  const shelf = new Memory();
  shelf.setItem("me:a1", "{");
  assert.equal(new Drafts(shelf, "me:").of("a1").value, EMPTY);
});

test("the words of a draft can be copied as one text", () => {
  const draft = { ...EMPTY, text: "Own", selected: ["Yes"], points: { "2": { text: "Why?", resolved: true }, "3": { text: "", resolved: true } } };
  assert.equal(wordsOf(draft), "Yes\n\nOwn\n\n2: Why?");
});
