import type { LanguageFn } from "highlight.js";
import { createLowlight } from "lowlight";
import { GRAMMARS } from "./languages";
import type { Span } from "./Lines";

type Node = ReturnType<typeof lowlight.highlight>["children"][number];

/** Lines longer than this are no code that anybody reads: they stay plain. */
const LONGEST_LINE = 2_000;

const lowlight = createLowlight();
const loading = new Map<string, Promise<void>>();

/** The spans of each line. Fails where the grammar cannot be fetched. */
export async function highlight(grammar: string, lines: readonly string[]): Promise<Span[][]> {
  await load(grammar);
  const short = lines.map((line) => (line.length > LONGEST_LINE ? "" : line));
  const read = spansByLine(lowlight.highlight(grammar, short.join("\n")).children);
  return lines.map((line, at) => (line.length > LONGEST_LINE ? [{ text: line }] : (read[at] ?? [])));
}

function load(grammar: string): Promise<void> {
  const known = loading.get(grammar);
  if (known) return known;
  const fetched = fetchGrammar(grammar);
  loading.set(grammar, fetched);
  fetched.catch(() => loading.delete(grammar));
  return fetched;
}

async function fetchGrammar(grammar: string): Promise<void> {
  const language: LanguageFn | undefined = (await GRAMMARS[grammar]?.())?.default;
  if (!language) throw new Error(`There is no grammar for ${grammar}.`);
  lowlight.register(grammar, language);
}

function spansByLine(nodes: readonly Node[]): Span[][] {
  const lines: Span[][] = [[]];
  function add(node: Node, within: string | undefined): void {
    if (node.type === "element") {
      const names = node.properties["className"];
      const own = Array.isArray(names) ? names.join(" ") : within;
      node.children.forEach((child) => add(child as Node, own));
    } else if (node.type === "text") {
      node.value.split("\n").forEach((text, at) => {
        if (at > 0) lines.push([]);
        if (text) lines.at(-1)?.push({ text, class: within });
      });
    }
  }
  nodes.forEach((node) => add(node, undefined));
  return lines;
}
