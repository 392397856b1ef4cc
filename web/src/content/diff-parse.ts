// Reads any unified diff. It never throws and drops nothing: a line that is no diff is kept as text where it stood.
import { Count, note, readRange } from "./diff-count";
import { isBlank, type DiffFile, type DiffLine, type DiffPart, type DiffText, type Hunk } from "./diff-model";
import { gitNames, headerName, unquote, withoutPrefix, withoutPrefixes } from "./diff-paths";

/** The diff's files and what stands between them, in order. */
export function parseDiff(source: string): DiffPart[] {
  const reader = new Reader(linesOf(source));
  const parts: DiffPart[] = [];
  while (!reader.done) {
    if (reader.atFile()) parts.push(reader.file());
    else text(parts).push(reader.take());
  }
  return parts.some((part) => part.type === "file") ? parts : bareLines(parts);
}

const HUNK = /^@@+(?=\s|$)/;
const FULL_HUNK = /^(@@+) ((?:-\d+(?:,\d+)? )+\+\d+(?:,\d+)?) \1 ?(.*)$/;
const DIFF = /^diff --(git|cc|combined) /;
const BINARY = /^Binary files (.+) and (.+) differ$/;
const COLOUR = /\x1b\[[0-9;]*[mK]/g;
const COLOURED = /^\x1b\[[0-9;]*m(?:diff |--- |\+\+\+ |@@)/m;
const BASE85 = /^(?:(?:literal|delta) \d+|[A-Za-z][\w!#$%&()*+;<=>?@^`{|}~-]+|)\r?$/;
const MOST_BLANKS = 3;
/** What comes after a file and never inside a hunk. */
const BEYOND = /^(?:diff |Index: |From [0-9a-f]{40} |commit [0-9a-f]{7,})/;

class Reader {
  private at = 0;

  constructor(private readonly lines: readonly string[]) {}

  get done(): boolean {
    return this.at >= this.lines.length;
  }

  take(): string {
    return this.lines[this.at++] ?? "";
  }

  atFile(): boolean {
    const line = this.peek();
    return DIFF.test(line) || this.atNames() || HUNK.test(line) || binaryNames(line) !== undefined;
  }

  file(): DiffFile {
    const file: DiffFile = { type: "file", head: [], status: "modified", binary: false, added: 0, removed: 0, hunks: [] };
    if (DIFF.test(this.peek())) this.gitHead(file);
    if (this.atNames()) this.names(file);
    this.binary(file);
    this.blanksBeforeHunk(file.head);
    while (HUNK.test(this.peek())) {
      const hunk = this.hunk();
      file.hunks.push(hunk);
      this.blanksBeforeHunk(hunk.lines);
    }
    for (const { kind } of file.hunks.flatMap((hunk) => hunk.lines)) {
      if (kind === "added") file.added++;
      if (kind === "removed") file.removed++;
    }
    return file;
  }

  private peek(ahead = 0): string {
    return this.lines[this.at + ahead] ?? "";
  }

  private atNames(): boolean {
    return this.peek().startsWith("--- ") && this.peek(1).startsWith("+++ ");
  }

  /** `diff --git …` and the lines that git puts under it. */
  private gitHead(file: DiffFile): void {
    const line = this.headLine(file);
    const [opening = ""] = DIFF.exec(line) ?? [];
    const printed = line.slice(opening.length);
    const names = opening === "diff --git " ? gitNames(printed) : bothNamed(unquote(printed).name);
    if (names) [file.oldPath, file.newPath] = [names.old, names.new];
    while (!this.done) {
      const [, word = "", value = ""] = EXTENDED.exec(this.peek()) ?? [];
      if (!word) return;
      applyExtended(file, word, value);
      this.headLine(file);
    }
  }

  /** The `---` and `+++` lines. Under `diff --git`, what is known already is surer. */
  private names(file: DiffFile): void {
    const [old, fresh] = [headerName(this.headLine(file)), headerName(this.headLine(file))];
    if (file.oldPath === undefined && file.newPath === undefined) {
      const both = old !== undefined && fresh !== undefined ? withoutPrefixes(old, fresh) : undefined;
      const named = { old: both?.old ?? (old && withoutPrefix(old)), new: both?.new ?? (fresh && withoutPrefix(fresh)) };
      if (named.old !== undefined) file.oldPath = named.old;
      if (named.new !== undefined) file.newPath = named.new;
    }
    if (old === undefined) becomes(file, "added");
    if (fresh === undefined) becomes(file, "deleted");
  }

  private binary(file: DiffFile): void {
    const differ = binaryNames(this.peek());
    const patch = /^GIT binary patch\r?$/.test(this.peek());
    if (!differ && !patch) return;
    file.binary = true;
    this.headLine(file);
    if (differ && file.oldPath === undefined && file.newPath === undefined) {
      const names = withoutPrefixes(differ.old, differ.new);
      [file.oldPath, file.newPath] = [names.old, names.new];
    }
    while (patch && !this.done && BASE85.test(this.peek())) this.headLine(file);
  }

  private hunk(): Hunk {
    const head = this.take();
    const full = FULL_HUNK.exec(head.replace(/\r$/, ""));
    const ranges = full?.[2]?.split(" ").map(readRange);
    const heading = full ? (full[3] ?? "") : head.replace(HUNK, "").trim();
    const hunk: Hunk = { head, heading, lines: [], cutShort: false };
    if (this.atWordDiff()) this.words(hunk);
    else this.hunkLines(hunk, new Count(ranges));
    return hunk;
  }

  private hunkLines(hunk: Hunk, count: Count): void {
    while (!this.done && !this.hunkEnds(count)) {
      const line = this.peek();
      const marker = count.markerOf(line);
      if (marker === undefined) hunk.lines.push(note(line));
      else hunk.lines.push(count.line(marker, line.slice(marker.length)));
      this.at++;
    }
    hunk.cutShort = count.open;
  }

  private hunkEnds(count: Count): boolean {
    const line = this.peek();
    if (line.startsWith("\\")) return false;
    if (HUNK.test(line) || BEYOND.test(line)) return true;
    if (count.full) {
      // Hunks written by hand often hold more lines than their head says; a valid diff never comes here with one.
      const more = /^[-+ ]/.test(line) && !this.atSignature();
      return !more || this.atNames();
    }
    // A removed line `-- x` looks like the next file's head; it is the head only where it would leave this hunk short.
    if (this.atNames() && HUNK.test(this.peek(2))) return !count.isOneChangeFromFull;
    return isBlank(line) && this.onlyBlanksUntilBeyond();
  }

  /** Git's signature: `-- ` and its version, at the end of a formatted patch. */
  private atSignature(): boolean {
    return /^-- ?\r?$/.test(this.peek()) && /^(?:\d+\.\d|\r?$)/.test(this.peek(1));
  }

  /** True where a few blank lines part the hunk from what follows it: those are not the file's. */
  private onlyBlanksUntilBeyond(): boolean {
    const blanks = this.blanks();
    return this.at + blanks >= this.lines.length || BEYOND.test(this.peek(blanks)) || HUNK.test(this.peek(blanks));
  }

  private blanks(): number {
    let count = 0;
    while (count < MOST_BLANKS && this.at + count < this.lines.length && isBlank(this.peek(count))) count++;
    return count;
  }

  /** True at lines of `git diff --word-diff`, which carry `[-old-]{+new+}` and no markers. */
  private atWordDiff(): boolean {
    let [marked, unmarked] = [false, false];
    for (let ahead = 0; this.at + ahead < this.lines.length; ahead++) {
      const line = this.peek(ahead);
      if (HUNK.test(line) || BEYOND.test(line)) break;
      marked ||= (line.includes("[-") && line.includes("-]")) || (line.includes("{+") && line.includes("+}"));
      unmarked ||= /^[^-+ \\\r]/.test(line);
      if (marked && unmarked) return true;
    }
    return false;
  }

  private words(hunk: Hunk): void {
    while (!this.done && !HUNK.test(this.peek()) && !BEYOND.test(this.peek())) hunk.lines.push(note(this.take()));
  }

  private blanksBeforeHunk(into: string[] | DiffLine[]): void {
    const blanks = this.blanks();
    if (!HUNK.test(this.peek(blanks))) return;
    for (let left = blanks; left > 0; left--) {
      const line = this.take();
      if (isHead(into)) into.push(line);
      else into.push(note(line));
    }
  }

  private headLine(file: DiffFile): string {
    const line = this.take();
    file.head.push(line);
    return line.replace(/\r$/, "");
  }
}

const EXTENDED = new RegExp(
  "^(old mode|new mode|deleted file mode|new file mode|mode|copy from|copy to|rename from|rename to|" +
    "similarity index|dissimilarity index|index) (.*?)\\r?$",
);

function applyExtended(file: DiffFile, word: string, value: string): void {
  switch (word) {
    case "old mode":
      file.oldMode = value;
      return;
    case "new mode":
      file.newMode = value;
      return;
    case "new file mode":
      file.newMode = value;
      return becomes(file, "added");
    case "deleted file mode":
      file.oldMode = value;
      return becomes(file, "deleted");
    case "copy from":
    case "rename from":
      file.oldPath = unquote(value).name;
      return;
    case "copy to":
    case "rename to":
      file.newPath = unquote(value).name;
      file.status = word === "copy to" ? "copied" : "renamed";
  }
}

function becomes(file: DiffFile, status: "added" | "deleted"): void {
  file.status = status;
  if (status === "added") delete file.oldPath;
  else delete file.newPath;
}

function bothNamed(name: string): { old: string; new: string } {
  return { old: name, new: name };
}

/** The files of a `Binary files … and … differ` line. */
function binaryNames(line: string): { old: string; new: string } | undefined {
  const bare = line.replace(/\r$/, "");
  // Looked at first, because the pattern alone takes quadratic time on a long line that does not end so.
  if (!bare.startsWith("Binary files ") || !bare.endsWith(" differ")) return undefined;
  const [, old, fresh] = BINARY.exec(bare) ?? [];
  return old === undefined || fresh === undefined ? undefined : { old: unquote(old).name, new: unquote(fresh).name };
}

function isHead(into: string[] | DiffLine[]): into is string[] {
  return into.length === 0 || typeof into[0] === "string";
}

function text(parts: DiffPart[]): string[] {
  const last = parts.at(-1);
  if (last?.type === "text") return last.lines;
  const fresh: DiffText = { type: "text", lines: [] };
  parts.push(fresh);
  return fresh.lines;
}

/** Lines with markers and no head at all, as people write a diff by hand, are one hunk without numbers. */
function bareLines(parts: DiffPart[]): DiffPart[] {
  const lines = parts.flatMap((part) => (part.type === "text" ? part.lines : []));
  if (!lines.some((line) => /^[-+](?!--|\+\+)/.test(line))) return parts;
  const count = new Count(undefined);
  const hunk: Hunk = { head: "", heading: "", cutShort: false, lines: [] };
  for (const line of lines) {
    const marker = count.markerOf(line);
    hunk.lines.push(marker === undefined ? note(line) : count.line(marker, line.slice(marker.length)));
  }
  const added = hunk.lines.filter((line) => line.kind === "added").length;
  const removed = hunk.lines.filter((line) => line.kind === "removed").length;
  return [{ type: "file", head: [], status: "modified", binary: false, added, removed, hunks: [hunk] }];
}

function linesOf(source: string): string[] {
  const plain = COLOURED.test(source) ? source.replace(COLOUR, "") : source;
  const lines = plain.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}
