import MarkdownIt, { type Env, type Token } from "markdown-it";
import { footnotesOf, github } from "./markdown-rules";

export interface Parsed {
  readonly tokens: Token[];
  readonly footnotes: readonly Footnote[];
}

export interface Footnote {
  readonly label: string;
  readonly tokens: Token[];
}

/** Longer than anything the contract lets through. */
const LONGEST = 300_000;
const MOST_TOKENS = 40_000;
/** markdown-it leaves out what is nested deeper. */
const DEEPEST = 40;

const markdown = new MarkdownIt({ html: false, linkify: true, breaks: true, maxNesting: DEEPEST });
// `README.md` is no site in Moldova: only addresses that name their scheme become links.
markdown.linkify.set({ fuzzyLink: false, fuzzyEmail: false });
markdown.use(github);

/** A text's tokens; undefined where it is too long, too deep or too intricate to be shown as anything but text. */
export function parseMarkdown(text: string): Parsed | undefined {
  if (text.length > LONGEST) return undefined;
  const env: Env = {};
  const tokens = markdown.parse(text, env);
  const footnotes = readFootnotes(env);
  const all = [...footnotes.map((footnote) => footnote.tokens), tokens];
  const tooDeep = tokens.some((token) => token.level >= DEEPEST - 1);
  const count = all.flat().reduce((sum, token) => sum + 1 + (token.children?.length ?? 0), 0);
  return tooDeep || count > MOST_TOKENS ? undefined : { tokens, footnotes };
}

/** The footnotes in the order in which they are pointed at, then those that nothing points at. */
function readFootnotes(env: Env): Footnote[] {
  const { notes, order } = footnotesOf(env);
  const read = new Map<string, Token[]>();
  const readAll = (labels: Iterable<string>) => {
    // Reading one may add others to the order, which the iteration then comes to.
    for (const label of labels) if (!read.has(label)) read.set(label, markdown.parseInline(notes.get(label) ?? "", env));
  };
  readAll(order);
  readAll(notes.keys());
  return [...read].map(([label, tokens]) => ({ label, tokens }));
}
