import assert from "node:assert/strict";
import { test } from "node:test";
import { markWords } from "../../src/content/words";

/** The two lines with what differs in brackets. */
function marked(old: string, fresh: string): [string, string] | undefined {
  const marks = markWords(old, fresh);
  return marks && [bracketed(old, marks.old), bracketed(fresh, marks.new)];
}

function bracketed(line: string, ranges: readonly (readonly [number, number])[]): string {
  return ranges.toReversed().reduce((text, [from, to]) => `${text.slice(0, from)}[${text.slice(from, to)}]${text.slice(to)}`, line);
}

test("the words that differ are marked", () => {
  assert.deepEqual(marked("let count = 1;", "let total = 1;"), ["let [count] = 1;", "let [total] = 1;"]);
  assert.deepEqual(marked("f(a, b)", "f(a, b, c)"), ["f(a, b)", "f(a, b[, c])"]);
  assert.deepEqual(marked("a x b y c", "a b c"), ["a [x ]b[ y] c", "a b c"]);
  assert.deepEqual(marked("größe = 1", "größe = 2"), ["größe = [1]", "größe = [2]"]);
});

test("white space alone is a difference", () => {
  assert.deepEqual(marked("  return a", "    return a"), ["[  ]return a", "[    ]return a"]);
});

test("lines with little in common are left unmarked", () => {
  assert.equal(marked("const a = read();", "// nothing to read here at all"), undefined);
  assert.equal(marked("", "a"), undefined);
  assert.equal(marked("a", "a"), undefined);
});

test("long lines cost little", () => {
  assert.equal(markWords("a".repeat(3_000), "b"), undefined);
  const began = performance.now();
  for (let round = 0; round < 50; round++) markWords("a b ".repeat(400), "b c ".repeat(400));
  assert.ok(performance.now() - began < 1_000);
});
