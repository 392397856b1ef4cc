// What GitHub's markdown has and markdown-it has not: a few tags, alerts, task lists, footnotes, heading ids.
import MarkdownIt, { type Env, type StateBlock, type StateInline, type Token } from "markdown-it";
import { slugOf } from "./links";

type Parser = InstanceType<typeof MarkdownIt>;

/** What a text's footnotes say, by label, and the order in which the text points at them. */
export interface Footnotes {
  readonly notes: Map<string, string>;
  readonly order: Set<string>;
}

export function footnotesOf(env: Env): Footnotes {
  return (env["footnotes"] ??= { notes: new Map(), order: new Set() }) as Footnotes;
}

/** Adds the rules to a parser. */
export function github(markdown: Parser): void {
  markdown.inline.ruler.before("html_inline", "tag", tag);
  markdown.inline.ruler.before("link", "footnote", footnoteReference);
  markdown.block.ruler.before("html_block", "details", details, { alt: ["paragraph", "reference", "blockquote"] });
  markdown.block.ruler.before("reference", "footnote", footnote);
  markdown.core.ruler.after("block", "large_table", ({ src, tokens }) => largeTables(src, tokens));
  markdown.core.ruler.push("github", ({ tokens, env }) => {
    tokens.forEach((token, at) => {
      if (token.type === "blockquote_open") alert(token, tokens[at + 2]);
      if (token.type === "list_item_open") task(token, tokens[at + 2]);
      if (token.type === "heading_open") heading(token, tokens[at + 1], env);
    });
  });
}

/** How far ahead a closing tag is looked for: an unclosed one must not cost a walk through the whole text. */
const TAG_REACH = 1_000;
/** How often the end of a `<details>` is looked for in one text. */
const MOST_DETAILS = 100;
const MOST_CELLS = 4_000;

/** `<br>`, and `<kbd>`, `<sub>`, `<sup>` with their closing tag. Every other tag stays text. */
function tag(state: StateInline, silent: boolean): boolean {
  const opening = /<(?:(br)\s*\/?|(kbd|sub|sup))>/iy;
  opening.lastIndex = state.pos;
  const [whole, lineBreak, name] = opening.exec(state.src) ?? [];
  if (whole === undefined) return false;
  const from = state.pos + whole.length;
  if (lineBreak) {
    if (!silent) state.push("hardbreak", "br", 0);
    state.pos = from;
    return true;
  }
  const closing = `</${name?.toLowerCase()}>`;
  const length = state.src.slice(from, Math.min(from + TAG_REACH, state.posMax)).toLowerCase().indexOf(closing);
  if (length < 0) return false;
  if (!silent) {
    const end = state.posMax;
    state.push("tag_open", name?.toLowerCase() ?? "", 1);
    state.pos = from;
    state.posMax = from + length;
    state.md.inline.tokenize(state);
    state.push("tag_close", name?.toLowerCase() ?? "", -1);
    state.posMax = end;
  }
  state.pos = from + length + closing.length;
  return true;
}

/** `<details>`, its `<summary>` and everything up to `</details>` at the end of a line. */
function details(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  const opening = /^<details(\s+open)?\s*>\s*(?:<summary>(.*?)<\/summary>)?/i.exec(rest(state, startLine));
  if (!opening) return false;
  const tried = Number(state.env["details"] ?? 0);
  state.env["details"] = tried + 1;
  const lastLine = tried < MOST_DETAILS ? closingLine(state, startLine, endLine) : undefined;
  if (lastLine === undefined) return false;
  if (silent) return true;

  let [line, skip] = [startLine, opening[0].length];
  let summary = opening[2];
  if (summary === undefined && rest(state, line).length === skip && line < lastLine) {
    const next = /^<summary>(.*?)<\/summary>/i.exec(rest(state, line + 1));
    if (next) [line, skip, summary] = [line + 1, next[0].length, next[1]];
  }

  const open = state.push("details_open", "details", 1);
  open.map = [startLine, lastLine + 1];
  open.meta = { open: opening[1] !== undefined };
  state.push("summary_open", "summary", 1);
  const title = state.push("inline", "", 0);
  title.content = summary?.trim() || "Details";
  title.children = [];
  state.push("summary_close", "summary", -1);
  within(state, { line, skip, lastLine }, () => state.md.block.tokenize(state, line, lastLine + 1));
  state.push("details_close", "details", -1);
  state.line = lastLine + 1;
  return true;
}

/** Runs with the opening and the closing tag cut off their lines. */
function within(state: StateBlock, cut: { line: number; skip: number; lastLine: number }, run: () => void): void {
  const { line, skip, lastLine } = cut;
  const before = { begin: state.bMarks[line], shift: state.tShift[line], end: state.eMarks[lastLine], max: state.lineMax };
  const [begin = 0, shift = 0, end = 0] = [before.begin, before.shift, before.end];
  const closing = /<\/details>\s*$/i.exec(state.src.slice(state.bMarks[lastLine], end))?.[0].length ?? 0;
  state.bMarks[line] = begin + shift + skip;
  state.tShift[line] = /^\s*/.exec(state.src.slice(begin + shift + skip, state.eMarks[line]))?.[0].length ?? 0;
  state.eMarks[lastLine] = end - closing;
  state.lineMax = lastLine + 1;
  run();
  state.bMarks[line] = begin;
  state.tShift[line] = shift;
  state.eMarks[lastLine] = end;
  state.lineMax = before.max;
}

function closingLine(state: StateBlock, startLine: number, endLine: number): number | undefined {
  let depth = 0;
  for (let line = startLine; line < endLine; line++) {
    const content = rest(state, line);
    if (/^<details[\s>]/i.test(content)) depth++;
    if (/<\/details>\s*$/i.test(content) && --depth === 0) return line;
  }
  return undefined;
}

/** `[^label]: what the footnote says`, up to a blank line or the next footnote. */
function footnote(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  const [whole, label] = FOOTNOTE.exec(rest(state, startLine)) ?? [];
  if (whole === undefined || label === undefined) return false;
  if (silent) return true;
  const said = [rest(state, startLine).slice(whole.length)];
  let line = startLine + 1;
  for (; line < endLine && !state.isEmpty(line) && !FOOTNOTE.test(rest(state, line)); line++) said.push(rest(state, line));
  const { notes } = footnotesOf(state.env);
  // A second footnote of the same label would be lost, so it stays text.
  if (notes.has(label)) return false;
  notes.set(label, said.join("\n"));
  state.line = line;
  return true;
}

function footnoteReference(state: StateInline, silent: boolean): boolean {
  const reference = /\[\^([^\s\]]{1,80})\]/y;
  reference.lastIndex = state.pos;
  const [whole, label] = reference.exec(state.src) ?? [];
  const { notes, order } = footnotesOf(state.env);
  if (whole === undefined || label === undefined || !notes.has(label)) return false;
  if (!silent) {
    order.add(label);
    state.push("footnote_reference", "sup", 0).content = label;
  }
  state.pos += whole.length;
  return true;
}

/** A table of too many cells is kept as it was written. */
function largeTables(source: string, tokens: Token[]): void {
  let [start, cells] = [0, 0];
  const kept: Token[] = [];
  for (const token of tokens) {
    kept.push(token);
    if (token.type === "table_open") [start, cells] = [kept.length - 1, 0];
    if (token.type === "td_open" || token.type === "th_open") cells++;
    if (token.type === "table_close" && cells > MOST_CELLS) kept.splice(start, Infinity, plain(source, kept[start]));
  }
  tokens.splice(0, Infinity);
  for (const token of kept) tokens.push(token);
}

/** The lines that a token was read from. */
function plain(source: string, token: Token | undefined): Token {
  const text = Object.assign(new MarkdownIt.Token("plain", "", 0), { map: token?.map ?? null, level: token?.level ?? 0 });
  text.content = source.split("\n").slice(...(token?.map ?? [0, 0])).join("\n");
  return text;
}

/** `> [!NOTE]` and its four sisters. */
function alert(quote: Token, inline: Token | undefined): void {
  const [first, second] = inline?.children ?? [];
  const kind = /^\[!(note|tip|important|warning|caution)\]\s*$/i.exec(first?.content ?? "")?.[1];
  if (!kind || !inline?.children || first?.type !== "text" || (second && !second.type.endsWith("break"))) return;
  quote.meta = { alert: kind.toLowerCase() };
  inline.children.splice(0, 2);
}

/** `- [ ] to do` and `- [x] done`. */
function task(item: Token, inline: Token | undefined): void {
  const first = inline?.type === "inline" ? inline.children?.[0] : undefined;
  const box = /^\[([ xX])\](?=\s)/.exec(first?.content ?? "");
  if (!box || first?.type !== "text") return;
  item.meta = { done: box[1] !== " " };
  first.content = first.content.slice(box[0].length);
}

function heading(opening: Token, inline: Token | undefined, env: Env): void {
  const slugs = (env["slugs"] ??= new Map()) as Map<string, number>;
  const slug = slugOf(wordsOf(inline?.children ?? []));
  const times = slugs.get(slug) ?? 0;
  slugs.set(slug, times + 1);
  opening.meta = { slug: times === 0 ? slug : `${slug}-${times}` };
}

/** The words of some inline tokens, without their form. */
export function wordsOf(tokens: readonly Token[]): string {
  return tokens.map((token) => (token.type.endsWith("break") ? " " : token.content)).join("");
}

const FOOTNOTE = /^\[\^([^\s\]]{1,80})\]:\s*/;

function rest(state: StateBlock, line: number): string {
  return state.src.slice((state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0), state.eMarks[line]);
}
