import type { Ask } from "../contract";

/** One line that names the ask: in the list, in the tab and in messages. */
export function titleOf(ask: Ask): string {
  return ask.kind === "question" ? readQuestion(ask.prompt.question).title : ask.prompt.title;
}

export interface ReadQuestion {
  readonly title: string;

  /** The markdown to show beneath the title: the rest, or all of it where a line cannot say it. */
  readonly body: string;
}

const LONGEST = 200;
const BLOCK_START = /^(?:[-*+>|]|\d+[.)]\s|```|~~~|<)/;
const RICH = /\]\(|\]\[|<|!\[|\|/;

/** A question is markdown of any length: its first line is the title where it stands alone. */
export function readQuestion(markdown: string): ReadQuestion {
  const lines = markdown.trim().split(/\r\n?|\n/);
  const first = (lines[0] ?? "").trim();
  const alone = lines.length === 1 || (lines[1] ?? "").trim() === "" || first.startsWith("#");
  const plain = !BLOCK_START.test(first) && !RICH.test(first);
  if (alone && plain && first.length <= LONGEST) {
    return { title: withoutMarks(first), body: lines.slice(1).join("\n").trim() };
  }
  const words = withoutMarks(lines.find((line) => /\p{L}|\p{N}/u.test(line)) ?? first);
  return { title: shortened(words), body: markdown };
}

/** Drops heading, list and emphasis marks; backticks stay, they are shown as code. */
function withoutMarks(line: string): string {
  return line
    .trim()
    .replace(/^(?:#{1,6}\s+|[-*+>]\s+|\d+[.)]\s+)+/, "")
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/(\*\*|__)(?=\S)(.+?)\1/g, "$2");
}

function shortened(line: string): string {
  const characters = [...line];
  return characters.length <= LONGEST ? line : `${characters.slice(0, LONGEST - 1).join("")}…`;
}
