import assert from "node:assert/strict";
import { test } from "node:test";
import type { DiffFile } from "../../src/content/diff-model";
import { parseDiff } from "../../src/content/diff-parse";
import { markRow, rowsOf } from "../../src/content/diff-rows";
import { reveal, revealText } from "../../src/content/hidden";
import { highlight } from "../../src/content/highlight";
import { grammarFor, GRAMMARS } from "../../src/content/languages";
import { shown } from "./shown";

test("a diff's rows carry their numbers and sign beside the text, not in it", () => {
  assert.deepEqual(
    rows("@@ -9,2 +9,2 @@ f\n a\n-b c\n+b d\n").map((row) => [row.gutter, row.text, row.other]),
    [
      ["", "@@ -9,2 +9,2 @@ f", undefined],
      [" 9  9   ", "a", undefined],
      ["10    - ", "b c", "b d"],
      ["   10 + ", "b d", "b c"],
    ],
  );
});

test("carriage returns are shown only where they differ", () => {
  assert.deepEqual(rows("@@ -1 +1 @@\n-a\r\n+b\r\n").map((row) => row.text).slice(1), ["a", "b"]);
  assert.deepEqual(rows("@@ -1 +1 @@\n-a\r\n+a\n").map((row) => row.text).slice(1), ["a\r", "a"]);
});

test("marks cut through the highlighted spans", () => {
  const [, , added] = rows("@@ -1 +1 @@\n-let one = 1\n+let two = 1\n");
  assert.ok(added);
  assert.deepEqual(markRow(added, [{ text: "let", class: "k" }, { text: " two = " }, { text: "1", class: "n" }]), [
    { text: "let", class: "k" },
    { text: " ", class: undefined },
    { text: "two", class: "mark" },
    { text: " = ", class: undefined },
    { text: "1", class: "n" },
  ]);
});

test("characters that nobody sees are named, those of an emoji are not", () => {
  assert.equal(revealText("a\u200bb\u2066c\u3164"), "aU+200BbU+2066cU+3164");
  assert.equal(revealText("tab\t👩‍💻 ❤️ ä"), "tab\t👩‍💻 ❤️ ä");
  assert.equal(revealText("a\u200d\ufe0f"), "aU+200DU+FE0F");
  assert.equal(shown(reveal("\x1b[m\r")), '<span class="hidden-character" title="U+001B">U+001B</span>[m<span class="hidden-character" title="CR">CR</span>');
});

test("highlighting gives each line its spans and leaves long lines alone", async () => {
  const long = `"${"a".repeat(2_001)}"`;
  const lines = await highlight("typescript", ["const a = `x", "y`;", long, "// end"]);
  assert.deepEqual(lines[0]?.[0], { text: "const", class: "hljs-keyword" });
  assert.deepEqual(lines.map((spans) => spans.map((span) => span.text).join("")), ["const a = `x", "y`;", long, "// end"]);
  assert.deepEqual(lines[2], [{ text: long }]);
});

test("every grammar is there and reads its lines whole", async () => {
  const source = ["a <b class='c'>{d}</b> #e", "", "\t\"f\" // g /* h */ -- i"];
  for (const grammar of Object.keys(GRAMMARS)) {
    const lines = await highlight(grammar, source);
    assert.deepEqual(lines.map((spans) => spans.map((span) => span.text).join("")), source, grammar);
  }
});

test("a language goes by its names and its files' endings", () => {
  assert.deepEqual(["TSX", "c++", "sh", "html", "nonsense", "constructor", undefined].map((name) => grammarFor(name)), [
    "typescript", "cpp", "bash", "xml", undefined, undefined, undefined,
  ]);
  assert.deepEqual(["src/a.py", "Dockerfile", "Makefile", "a.b.YML", "none"].map((name) => grammarFor(undefined, name)), [
    "python", "dockerfile", "makefile", "yaml", undefined,
  ]);
});

function rows(hunks: string) {
  const [file] = parseDiff(`--- a/x\n+++ b/x\n${hunks}`);
  return rowsOf(file as DiffFile);
}
