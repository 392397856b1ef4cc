// What a diff is read into.
export type DiffPart = DiffFile | DiffText;

/** Lines outside any file: a commit's message, a patch's signature, an agent's remark. */
export interface DiffText {
  readonly type: "text";
  readonly lines: string[];
}

export interface DiffFile {
  readonly type: "file";
  /** The lines above the first hunk, as they came; a binary patch's bytes too. */
  readonly head: string[];
  status: "added" | "deleted" | "modified" | "renamed" | "copied";
  /** Absent where there was no such file before, or the diff does not say. */
  oldPath?: string;
  newPath?: string;
  oldMode?: string;
  newMode?: string;
  binary: boolean;
  added: number;
  removed: number;
  readonly hunks: Hunk[];
}

export interface Hunk {
  /** The `@@` line as it came; empty where the lines had none. */
  readonly head: string;
  /** What git found above the hunk: the function's name, mostly. */
  readonly heading: string;
  readonly lines: DiffLine[];
  /** True where the diff ends before the hunk has the lines its head promised. */
  cutShort: boolean;
}

export interface DiffLine {
  readonly kind: "same" | "added" | "removed" | "note";
  /** One character for each parent: one, or several in a merge. */
  readonly marker: string;
  readonly text: string;
  /** The line's number in each parent, then in the result. */
  readonly numbers: readonly (number | undefined)[];
}

/** A line that is empty but for the carriage return it may end in. */
export function isBlank(line: string): boolean {
  return line === "" || line === "\r";
}
