import assert from "node:assert/strict";
import { test } from "node:test";
import { markdownTree } from "../../src/content/MarkdownTree";
import { shown } from "./shown";

/** The text as it is shown, without what every block carries. */
function read(text: string): string {
  return shown(markdownTree(text, "m")).replaceAll(' dir="auto"', "").replaceAll(' dir="ltr"', "");
}

const REL = 'target="_blank" rel="noopener noreferrer nofollow"';

test("what everybody writes is formatted", () => {
  assert.equal(read("a *b* **c** ~~d~~ `e`"), "<p>a <em>b</em> <strong>c</strong> <s>d</s> <code>e</code></p>");
  assert.equal(read("- a\n- b\n\n3. c"), '<ul><li>a</li><li>b</li></ul><ol start=3><li>c</li></ol>');
  assert.equal(read("> a\n\n---"), "<blockquote><p>a</p></blockquote><hr></hr>");
  assert.equal(read("a\nb"), "<p>a<br></br>b</p>");
});

test("headings begin below the page's own, with ids that never meet", () => {
  assert.equal(
    read("# A b!\n# A b!\n###### Ü"),
    '<h2 id="m-a-b" class="md-h1">A b!</h2><h2 id="m-a-b-1" class="md-h1">A b!</h2><h6 id="m-ü" class="md-h6">Ü</h6>',
  );
});

test("fences keep what is in them, fences too", () => {
  assert.equal(read("```ts title=a.ts\nlet a\n```"), '<Code code="let a\\n" language="ts"></Code>');
  assert.equal(read("````\n```js\nx\n```\n````"), '<Code code="```js\\nx\\n```\\n" language=""></Code>');
  assert.equal(read("```\nnever closed"), '<Code code="never closed" language=""></Code>');
});

test("tables have their alignment as a class", () => {
  const table = read("| a | b |\n|:-:|--:|\n| 1 | *2* |");
  assert.match(table, /<th class="md-center">a<\/th><th class="md-right">b<\/th>/);
  assert.match(table, /<td class="md-center">1<\/td><td class="md-right"><em>2<\/em><\/td>/);
});

test("a task is done or to do", () => {
  assert.equal(
    read("- [x] a\n- [ ] b\n- [c] d"),
    '<ul><li class="md-task"><span class="md-box" role="img" aria-label="Done:">☑</span> a</li>' +
      '<li class="md-task"><span class="md-box" role="img" aria-label="To do:">☐</span> b</li><li>[c] d</li></ul>',
  );
});

test("alerts are told from quotes", () => {
  assert.equal(
    read("> [!WARNING]\n> mind *this*"),
    '<div class="md-alert md-warning"><p class="md-alert-title">Warning</p><p>mind <em>this</em></p></div>',
  );
  assert.match(read("> [!WARNING] mind this"), /^<blockquote>/);
  assert.match(read("> [!OTHER]\n> mind this"), /^<blockquote>/);
});

test("footnotes stand at the end, and none is lost", () => {
  const text = read("a[^1] b[^x]\n\n[^x]: second\n[^1]: *first*[^x]\n[^z]: unused");
  assert.match(text, /<sup id="m-from-1"><a href="#m-note-1">1<\/a><\/sup>/);
  assert.match(text, /<li id="m-note-1"><em>first<\/em>.*<li id="m-note-x">second.*<li id="m-note-z">unused/);
  assert.equal(read("a[^1]"), "<p>a[^1]</p>");
});

test("the few tags that are known are made, in pairs", () => {
  assert.equal(read("a<br>b<BR/>c"), "<p>a<br></br>b<br></br>c</p>");
  assert.equal(read("<kbd>Ctrl</kbd>+<sub>*a*</sub><sup>b</sup>"), "<p><kbd>Ctrl</kbd>+<sub><em>a</em></sub><sup>b</sup></p>");
  assert.equal(read("<kbd>a"), "<p>&lt;kbd>a</p>");
  assert.equal(read("*a <sub>b* c</sub>"), "<p>*a <sub>b* c</sub></p>");
});

test("details fold what is in them", () => {
  const inner = "<details><summary>More</summary><p><em>a</em></p></details>";
  assert.equal(read("<details>\n<summary>More</summary>\n\n*a*\n\n</details>"), inner);
  assert.equal(read("<details><summary>More</summary>*a*</details>"), inner);
  assert.equal(read(`<details open><summary>A</summary>\n\n<details><summary>More</summary>\n*a*\n</details>\n</details>\n\nb`),
    `<details open=true><summary>A</summary>${inner}</details><p>b</p>`);
  assert.equal(read("<details>\na\n</details>"), "<details><summary>Details</summary><p>a</p></details>");
  assert.match(read("<details>\nnever closed"), /^<p>&lt;details>/);
});

test("links go to the web and to mail, and nowhere else", () => {
  assert.equal(read("[a](https://x.org/y?z#w)"), `<p><a href="https://x.org/y?z#w" ${REL}>a</a></p>`);
  assert.equal(read("<me@x.org>"), `<p><a href="mailto:me@x.org" ${REL}>me@x.org</a></p>`);
  assert.equal(read("see https://x.org."), `<p>see <a href="https://x.org/" ${REL}>https://x.org</a>.</p>`);
  assert.equal(read("README.md and x.org"), "<p>README.md and x.org</p>");
  assert.equal(read("[a](src/a.ts)"), '<p>a<span class="md-host">src/a.ts</span></p>');
  assert.equal(read("[a](//x.org)"), '<p>a<span class="md-host">//x.org</span></p>');
  assert.equal(read("[a](#b-c)"), '<p><a href="#m-b-c">a</a></p>');
});

test("a link whose words name another host shows its own", () => {
  const host = (name: string) => `<span class="md-host">${name}</span>`;
  assert.ok(read("[https://bank.com](https://evil.net)").includes(host("evil.net")));
  assert.ok(read("[bank.com](https://bank.com.evil.net)").includes(host("bank.com.evil.net")));
  assert.ok(read("<https://bank.com@evil.net/>").includes(host("evil.net")));
  assert.ok(read("[a](https://xn--80ak6aa92e.com)").includes(host("xn--80ak6aa92e.com")));
  assert.ok(read("[me@bank.com](mailto:you@evil.net)").includes(host("you@evil.net")));
  assert.ok(!read("[www.bank.com](https://bank.com/a)").includes("md-host"));
  assert.ok(!read("https://bank.com/evil.net/a.html").includes("md-host"));
});

test("images are never loaded", () => {
  const image = read("![a chart](https://x.org/a.png?secret=1)");
  assert.doesNotMatch(image, /<img|src=/);
  assert.match(image, /Image not loaded: a chart<span class="md-host">x\.org<\/span>/);
  assert.match(image, /<Copy text="https:\/\/x\.org\/a\.png\?secret=1" label="Copy address">/);
  assert.doesNotMatch(read("[![b](https://x.org/b.png)](https://y.org)"), /<Copy/);
});

test("nothing that could run is ever made", () => {
  const hostile = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<svg onload=alert(1)>",
    "<a href='javascript:alert(1)'>a</a>",
    "[a](javascript:alert(1))",
    "[a](JaVaScRiPt:alert(1))",
    "[a](java\nscript:alert(1))",
    "[a](&#106;avascript:alert(1))",
    "[a](\x01javascript:alert(1))",
    "[a](vbscript:x) [a](data:text/html,<script>alert(1)</script>) [a](file:///etc/passwd) [a](blob:x)",
    "![a](javascript:alert(1)) ![a](data:text/html;base64,x)",
    "<javascript:alert(1)>",
    "[a]: javascript:alert(1)\n\n[a]",
    "<iframe src=javascript:alert(1)></iframe>",
    "<style>*{display:none}</style>",
    "<kbd onclick=alert(1)>a</kbd>",
    "<details ontoggle=alert(1) open>a</details>",
    "<br onload=alert(1)>",
    '[a](https://x.org "onmouseover=alert(1)")',
    "| a |\n|:-:|\n| <script>alert(1)</script> |",
    "```\"><script>\nalert(1)\n```",
    "# <b onclick=x>h</b>",
    "<details><summary><script>alert(1)</script></summary>\na\n</details>",
  ];
  const known = /^(p|a|br|em|strong|s|code|kbd|sub|sup|h[2-6]|ul|ol|li|blockquote|table|thead|tbody|tr|th|td|div|span|details|summary|hr|section|Code|Copy|PlainText)$/;
  for (const text of hostile) {
    const html = read(text);
    for (const [, name = ""] of html.matchAll(/<([A-Za-z][\w-]*)/g)) assert.match(name, known, text);
    for (const [, href = ""] of html.matchAll(/ href="([^"]*)"/g)) assert.match(href, /^(https?:|mailto:|#)/, text);
    assert.doesNotMatch(html.replace(/&lt;[^<]*/g, ""), / (on\w+|style|src|srcdoc)=/, text);
  }
});

test("hidden characters in code are named", () => {
  assert.equal(read("`a\u202eb`"), '<p><code>a<span class="hidden-character" title="U+202E">U+202E</span>b</code></p>');
});

test("what would freeze the page is shown as text instead", () => {
  assert.equal(markdownTree(">".repeat(100) + " deep", "m"), undefined);
  assert.equal(markdownTree("*a* ".repeat(60_000), "m"), undefined);
  assert.equal(markdownTree("a".repeat(300_001), "m"), undefined);
  assert.match(read(`|a|b|\n|-|-|\n${"|1|2|\n".repeat(3_000)}\nafter`), /^<PlainText text=.*<p>after<\/p>/);
  assert.match(read(`${"|a".repeat(5_000)}|\n${"|-".repeat(5_000)}|\n|1|`), /^<PlainText/);
});

test("256 KiB of the worst is read within four seconds", { timeout: 240_000 }, () => {
  const pieces = [
    "*a **a ", "[a](", "![", "<sub>", "<details>\n", "<details><summary>", "> ", "- ", "`a``", "[^a]", "[^a]: b\n", "|a", "|a|\n|-|\n",
    "https://a.b/", "a@b.", "~~a", "<a", "- [ ] a\n", "# a\n", "[a]: b\n", "> [!NOTE]\n",
  ];
  for (const piece of pieces) {
    const source = piece.repeat(262_144 / piece.length);
    const began = performance.now();
    markdownTree(source, "m");
    const took = performance.now() - began;
    assert.ok(took < 4_000, `${JSON.stringify(piece)} took ${took} ms`);
  }
});
