import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";
import type { DiffFile, DiffPart } from "../../src/content/diff-model";
import { parseDiff } from "../../src/content/diff-parse";

const FIXTURES = "../tests/fixtures/diffs";
const names = readdirSync(FIXTURES).filter((name) => name.endsWith(".diff"));

/** What `git apply --numstat` says of the change that most of the fixtures hold. */
const QUIRKS = [
  "- - bin.png",
  "2 2 crlf.txt",
  "0 1 del.txt",
  "0 0 empty.txt",
  "1 1 héllo wörld.txt",
  "2 0 new.ts",
  "1 1 nonl.txt",
  "1 1 renamed.py",
  "0 0 run.sh",
  "0 0 sub/moved.py",
  "2 0 tricky.sql",
];

const NUMSTAT: Record<string, string[]> = {
  "color.diff": QUIRKS,
  "format-patch.diff": QUIRKS,
  "mnemonic.diff": QUIRKS,
  "noprefix.diff": QUIRKS,
  "quirks.diff": QUIRKS,
  "quirks_binary.diff": QUIRKS,
  "plain.diff": ["1 1 /dev/fd/62"],
  "tricky.diff": ["2 2 tricky.sql"],
  "truncated.diff": [...QUIRKS.slice(0, 6), "0 0 nonl.txt"],
};

for (const [name, expected] of Object.entries(NUMSTAT)) {
  test(`${name} has the files and counts that git counts`, () => {
    assert.deepEqual(files(name).map(numstat), expected);
  });
}

for (const name of names) {
  test(`no line of ${name} is dropped`, () => {
    const source = read(name).replace(/\x1b\[[0-9;]*m/g, "");
    assert.equal(printed(parseDiff(read(name))), ended(source));
  });
}

test("prefixes of one's own are taken off", () => {
  assert.equal(parse("diff --git old/a/b new/a/b\n--- old/a/b\n+++ new/a/b\n@@ -1 +1 @@\n-a\n+b\n")[0]?.newPath, "a/b");
});

test("a rename, a copy, a mode and a new or deleted file are told apart", () => {
  for (const name of ["quirks.diff", "noprefix.diff", "mnemonic.diff", "color.diff"]) {
    const byName = new Map(files(name).map((file) => [file.newPath ?? file.oldPath, file]));
    assert.equal(byName.get("renamed.py")?.status, "renamed");
    assert.equal(byName.get("renamed.py")?.oldPath, "sub/copy_src.py");
    assert.equal(byName.get("sub/moved.py")?.oldPath, "ren.py");
    assert.equal(byName.get("empty.txt")?.status, "added");
    assert.equal(byName.get("del.txt")?.status, "deleted");
    assert.equal(byName.get("del.txt")?.newPath, undefined);
    assert.deepEqual([byName.get("run.sh")?.oldMode, byName.get("run.sh")?.newMode], ["100644", "100755"]);
    assert.equal(byName.get("run.sh")?.status, "modified");
  }
  const [copied] = parse("diff --git a/x b/y\nsimilarity index 100%\ncopy from x\ncopy to y\n");
  assert.deepEqual([copied?.status, copied?.oldPath, copied?.newPath], ["copied", "x", "y"]);
});

test("a deleted line that begins with two dashes is a deleted line", () => {
  const [file] = files("tricky.diff");
  const removed = file?.hunks[0]?.lines.filter((line) => line.kind === "removed").map((line) => line.text);
  assert.deepEqual(removed, ["-- sql comment", "+++ plus"]);

  const [whole, ...others] = parse("--- a/x\n+++ b/x\n@@ -1 +1 @@\n--- a\n+++ b\n@@ -9 +9 @@\n-c\n+d\n");
  assert.deepEqual([whole?.added, whole?.removed, whole?.hunks.length, others.length], [2, 2, 2, 0]);
});

test("a merge's lines are numbered in each parent and in the result", () => {
  const [file] = files("combined.diff");
  assert.equal(file?.newPath, "a.txt");
  assert.deepEqual(
    file?.hunks[0]?.lines.map((line) => [line.kind, line.text, ...line.numbers]),
    [
      ["same", "one", 1, 1, 1],
      ["same", "two", 2, 2, 2],
      ["removed", "THREE main", 3, undefined, undefined],
      ["removed", "THREE side", undefined, 3, undefined],
      ["added", "THREE both", undefined, undefined, 3],
      ["same", "four", 4, 4, 4],
      ["same", "five", 5, 5, 5],
      ["same", "six", 6, 6, 6],
    ],
  );
});

test("carriage returns and the missing newline stay with their lines", () => {
  const byName = new Map(files("quirks.diff").map((file) => [file.newPath, file]));
  assert.deepEqual(byName.get("crlf.txt")?.hunks[0]?.lines.map((line) => line.text), ["x\r", "y\r", "z\r", "Y\r", "z"]);
  assert.deepEqual(byName.get("nonl.txt")?.hunks[0]?.lines.map((line) => line.kind), ["removed", "note", "added", "note"]);
});

test("a patch's message and signature are text beside its files", () => {
  const parts = parseDiff(read("format-patch.diff"));
  assert.equal(parts[0]?.type, "text");
  assert.deepEqual(parts.at(-1), { type: "text", lines: ["-- ", "2.39.5", ""] });
  assert.equal(files("format-patch.diff").at(-1)?.hunks[0]?.cutShort, false);
});

test("word diffs, which have no markers, are kept as notes", () => {
  const file = files("worddiff.diff").find((each) => each.newPath === "renamed.py");
  assert.ok(file?.hunks[0]?.lines.every((line) => line.kind === "note"));
  assert.equal(file?.hunks[0]?.lines.length, 7);
});

test("a hunk that ends too soon says so", () => {
  const [file] = parse("--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@\n a\n-b\n");
  assert.equal(file?.hunks[0]?.cutShort, true);
});

test("diffs written by hand are read: wrong counts, no counts, no head", () => {
  const [long, next] = parse("--- a/x\n+++ b/x\n@@ -1,1 +1,1 @@\n a\n-b\n+c\n+d\n--- a/y\n+++ b/y\n@@ -1 +1 @@\n-1\n+2\n");
  assert.deepEqual([long?.added, long?.removed, next?.newPath, next?.added], [2, 1, "y", 1]);

  const [short, after] = parse("--- a/x\n+++ b/x\n@@ -1,9 +1,9 @@\n a\n-b\n--- a/y\n+++ b/y\n@@ -1 +1 @@\n-1\n+2\n");
  assert.deepEqual([short?.removed, short?.hunks[0]?.cutShort, after?.newPath], [1, true, "y"]);

  const [uncounted] = parse("--- a/x\n+++ b/x\n@@ def f():\n a\n\n-b\n+c\n");
  assert.deepEqual([uncounted?.added, uncounted?.removed, uncounted?.hunks[0]?.heading], [1, 1, "def f():"]);

  const [headless] = parse("@@ -1 +1 @@\n-a\n+b\n");
  assert.deepEqual([headless?.added, headless?.removed, headless?.newPath], [1, 1, undefined]);

  const [bare] = parse("-a\n+b\n c\n");
  assert.deepEqual([bare?.added, bare?.removed], [1, 1]);
});

test("a diff whose every line ends in CRLF is read like any other", () => {
  const [file] = parse(read("tricky.diff").replaceAll("\n", "\r\n"));
  assert.deepEqual([file?.newPath, file?.added, file?.removed], ["tricky.sql", 2, 2]);
});

test("colour codes within the lines of a plain diff are the file's own", () => {
  const [file] = parse("--- a/x\n+++ b/x\n@@ -1 +1 @@\n-\x1b[1ma\n+b\n");
  assert.equal(file?.hunks[0]?.lines[0]?.text, "\x1b[1ma");
});

test("text that is no diff stays text", () => {
  assert.deepEqual(parseDiff("nothing to see\n--- here\n"), [{ type: "text", lines: ["nothing to see", "--- here"] }]);
  assert.deepEqual(parseDiff(""), []);
});

test("two thousand mutated diffs never throw and lose no line", () => {
  const random = randomFrom(7);
  const sources = names.filter((name) => name !== "color.diff").map(read);
  for (let round = 0; round < 2_000; round++) {
    const source = mutated(sources[round % sources.length] ?? "", random).replace(/\x1b/g, "");
    const parts = parseDiff(source);
    assert.equal(printed(parts), ended(source), JSON.stringify(source));
  }
});

test("256 KiB of the worst is read within a second", () => {
  const openings = ["", "diff --git ", "--- a\n+++ b\n@@ -1,99999 +1,99999 @@\n", "--- ", "Binary files ", "@@ -1 +1 @@\n["];
  const pieces = ["@@ -1 +1 @@\n", "@@ -1,9 +1,9 @@\n[-a-]\n", "--- a\n+++ b\n", "diff --git a b c\n", "\n", '"\\', " ", "[-", "@", " and ", "-1 "];
  for (const opening of openings) {
    for (const piece of pieces) {
      const source = `${opening}${piece.repeat(262_144 / piece.length)}x`;
      const began = performance.now();
      parseDiff(source);
      assert.ok(performance.now() - began < 1_000, JSON.stringify([opening, piece]));
    }
  }
});

function read(name: string): string {
  return readFileSync(`${FIXTURES}/${name}`, "utf8");
}

function parse(source: string): DiffFile[] {
  return parseDiff(source).filter((part) => part.type === "file");
}

function files(name: string): DiffFile[] {
  return parse(read(name));
}

function numstat(file: DiffFile): string {
  const counts = file.binary ? "- -" : `${file.added} ${file.removed}`;
  return `${counts} ${file.newPath ?? file.oldPath}`;
}

/** The diff as it came, from its parts. */
function printed(parts: readonly DiffPart[]): string {
  const lines = parts.flatMap((part) => {
    if (part.type === "text") return part.lines;
    const hunks = part.hunks.flatMap((hunk) => [
      ...(hunk.head ? [hunk.head] : []),
      ...hunk.lines.map((line) => line.marker + line.text),
    ]);
    return [...part.head, ...hunks];
  });
  return lines.map((line) => `${line}\n`).join("");
}

function ended(source: string): string {
  return source.endsWith("\n") || source === "" ? source : `${source}\n`;
}

function mutated(source: string, random: () => number): string {
  let text = source;
  for (let change = Math.ceil(random() * 4); change > 0; change--) {
    const [from, length] = [Math.floor(random() * text.length), Math.floor(random() * 40)];
    const elsewhere = Math.floor(random() * text.length);
    const pieces = ["", "@@ ", "\n", '"', "--- ", "+++ ", "\\", "-", " ", "diff --git ", "@@@ -1 -1 +1 @@@\n", text.slice(elsewhere, elsewhere + 60)];
    text = text.slice(0, from) + (pieces[Math.floor(random() * pieces.length)] ?? "") + text.slice(from + length);
  }
  return text;
}

/** A small generator (mulberry32), so that a failure comes again. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
