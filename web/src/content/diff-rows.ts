// A file's hunks as the lines that are shown: numbered, the changed pairs known.
import type { DiffFile, DiffLine, Hunk } from "./diff-model";
import type { Line, Span } from "./Lines";
import { markWords, type Range } from "./words";

export interface Row extends Line {
  readonly kind: DiffLine["kind"] | "hunk";
  /** On a changed line, the line of the other side that stands in its place. */
  readonly other?: string | undefined;
}

/** A file's rows, from its first hunk to its last. */
export function rowsOf(file: DiffFile): Row[] {
  const look = lookOf(file.hunks);
  return file.hunks.flatMap((hunk) => {
    const others = pairs(hunk.lines);
    const rows = hunk.lines.map((line, at) => rowOf(line, others.get(at), look));
    return hunk.head ? [{ kind: "hunk", gutter: "", text: hunk.head.trimEnd(), class: "line-hunk" }, ...rows] : rows;
  });
}

/** A changed line's spans cut so that the words that differ are spans of their own. */
export function markRow(row: Row, spans: readonly Span[]): Span[] {
  if (row.other === undefined) return [...spans];
  const marks = row.kind === "removed" ? markWords(row.text, row.other)?.old : markWords(row.other, row.text)?.new;
  return marks ? cut(spans, marks) : [...spans];
}

/** What all rows of a file have in common. */
interface Look {
  readonly numberWidth: number;
  /** Columns of numbers: one for each parent, one for the result. */
  readonly columns: number;
  /** Whether carriage returns are shown: where every line has one, they say nothing. */
  readonly returns: boolean;
}

function lookOf(hunks: readonly Hunk[]): Look {
  let [highest, columns, lines, returns] = [0, 0, 0, 0];
  for (const hunk of hunks) {
    for (const line of hunk.lines) {
      if (line.kind === "note") continue;
      for (const number of line.numbers) highest = Math.max(highest, number ?? 0);
      columns = Math.max(columns, line.numbers.length);
      lines++;
      if (line.text.endsWith("\r")) returns++;
    }
  }
  return { numberWidth: String(highest).length, columns, returns: returns < lines };
}

const SIGNS = { same: " ", added: "+", removed: "-", note: " " };

function rowOf(line: DiffLine, other: string | undefined, look: Look): Row {
  const shown = (text: string) => (look.returns ? text : text.replace(/\r$/, ""));
  const numbers = Array.from({ length: look.columns }, (_, column) => String(line.numbers[column] ?? "").padStart(look.numberWidth));
  return {
    kind: line.kind,
    gutter: [...numbers, SIGNS[line.kind], ""].join(" "),
    text: shown(line.text),
    class: `line-${line.kind}`,
    other: other === undefined ? undefined : shown(other),
  };
}

/** In each run of removed lines followed by added ones, the first of these with the first of those, and so on. */
function pairs(lines: readonly DiffLine[]): Map<number, string> {
  const others = new Map<number, string>();
  for (let at = 0; at < lines.length; ) {
    const removed = run(lines, at, "removed");
    const added = run(lines, at + removed, "added");
    for (let each = 0; each < Math.min(removed, added); each++) {
      const [old, fresh] = [lines[at + each], lines[at + removed + each]];
      others.set(at + each, fresh?.text ?? "").set(at + removed + each, old?.text ?? "");
    }
    at += removed + added || 1;
  }
  return others;
}

function run(lines: readonly DiffLine[], from: number, kind: DiffLine["kind"]): number {
  let at = from;
  while (lines[at]?.kind === kind) at++;
  return at - from;
}

function cut(spans: readonly Span[], marks: readonly Range[]): Span[] {
  const edges = marks.flat();
  const pieces: Span[] = [];
  let at = 0;
  for (const span of spans) {
    const end = at + span.text.length;
    const cuts = [at, ...edges.filter((edge) => edge > at && edge < end), end];
    cuts.slice(1).forEach((to, index) => {
      const from = cuts[index] ?? at;
      const marked = marks.some(([start, stop]) => start <= from && to <= stop);
      const names = [span.class, marked && "mark"].filter(Boolean).join(" ");
      pieces.push({ text: span.text.slice(from - at, to - at), class: names || undefined });
    });
    at = end;
  }
  return pieces;
}
