import { useCallback, useMemo, useState } from "preact/hooks";
import { Claim } from "../ui/Claim";
import { Copy } from "../ui/Copy";
import type { DiffFile, DiffText } from "./diff-model";
import { parseDiff } from "./diff-parse";
import { markRow, rowsOf, type Row } from "./diff-rows";
import { revealText } from "./hidden";
import { grammarFor } from "./languages";
import { Lines, type Span } from "./Lines";
import { phrases } from "./phrases";

interface Props {
  readonly diff: string;
  readonly filename?: string | undefined;
}

/** How many files are shown before one asks for more. */
const FILES_AT_ONCE = 200;

/** A diff, file by file. What is no diff stands between them as text. */
export default function DiffView({ diff, filename }: Props) {
  const parts = useMemo(() => parseDiff(diff), [diff]);
  const files = parts.filter((part) => part.type === "file");
  const [shown, setShown] = useState(FILES_AT_ONCE);
  return (
    <div class="diff">
      <div class="content-head">
        <span class="content-name">{phrases.diff.files(files.length)}</span>
        <Counts added={sum(files, "added")} removed={sum(files, "removed")} />
        <Copy text={diff} label={phrases.diff.copy} />
      </div>
      {parts.slice(0, shown).map((part, at) =>
        part.type === "text" ? <Text key={at} part={part} /> : <File key={at} file={part} fallback={filename} />,
      )}
      {parts.length > shown && (
        <button type="button" class="button" onClick={() => setShown(shown + FILES_AT_ONCE)}>
          {phrases.diff.more(Math.min(FILES_AT_ONCE, parts.length - shown))}
        </button>
      )}
    </div>
  );
}

function File({ file, fallback }: { readonly file: DiffFile; readonly fallback: string | undefined }) {
  const rows = useMemo(() => rowsOf(file), [file]);
  const name = file.newPath ?? file.oldPath ?? fallback;
  const dress = useCallback((some: readonly Row[]) => dressed(grammarFor(undefined, name), some), [name]);
  return (
    <details class="diff-file" open>
      <summary class="diff-file-head">
        <span class={`diff-status diff-${file.status}`}>{phrases.diff.status[file.status]}</span>
        <Name file={file} fallback={fallback} />
        <Modes file={file} />
        {file.binary ? <span class="content-kind">{phrases.diff.binary}</span> : <Counts {...file} />}
      </summary>
      {rows.length > 0 ? (
        <Lines lines={rows} label={name ?? phrases.diff.unnamed} dress={dress} />
      ) : (
        <p class="diff-remark">{remarkOn(file)}</p>
      )}
      {file.hunks.some((hunk) => hunk.cutShort) && <p class="diff-remark">{phrases.diff.cutShort}</p>}
    </details>
  );
}

/** What is said of a file that has no lines to show. */
function remarkOn(file: DiffFile): string {
  if (file.binary) return phrases.diff.noText;
  return file.status === "added" || file.status === "deleted" ? phrases.diff.empty : phrases.diff.nothing;
}

function Name({ file, fallback }: { readonly file: DiffFile; readonly fallback: string | undefined }) {
  const name = file.newPath ?? file.oldPath ?? fallback ?? phrases.diff.unnamed;
  const moved = file.oldPath !== undefined && file.newPath !== undefined && file.oldPath !== file.newPath;
  return (
    <span class="content-name">
      {moved && (
        <>
          <Claim text={file.oldPath ?? ""} />
          {" → "}
        </>
      )}
      <Claim text={name} />
    </span>
  );
}

function Modes({ file: { oldMode, newMode } }: { readonly file: DiffFile }) {
  const changed = oldMode !== undefined && newMode !== undefined && oldMode !== newMode;
  return changed ? <span class="content-kind">{`${oldMode} → ${newMode}`}</span> : null;
}

function Counts({ added, removed }: { readonly added: number; readonly removed: number }) {
  if (added + removed === 0) return null;
  return (
    <span class="diff-counts">
      <span class="diff-plus">+{added}</span> <span class="diff-minus">−{removed}</span>
    </span>
  );
}

function Text({ part }: { readonly part: DiffText }) {
  const text = part.lines.join("\n");
  return text.trim() ? <pre class="diff-text" dir="ltr">{part.lines.map(revealText).join("\n")}</pre> : null;
}

async function dressed(grammar: string | undefined, rows: readonly Row[]): Promise<Span[][]> {
  const spans = grammar ? await highlighted(grammar, rows).catch(() => plain(rows)) : plain(rows);
  return rows.map((row, at) => markRow(row, spans[at] ?? []));
}

/** Both sides are highlighted apart, so that a removed line never colours the one that took its place. */
async function highlighted(grammar: string, rows: readonly Row[]): Promise<Span[][]> {
  const { highlight } = await import("./highlight");
  const read = plain(rows);
  for (const side of ["removed", "added"] as const) {
    const at = rows.flatMap((row, index) => (row.kind === side || row.kind === "same" ? [index] : []));
    const spans = await highlight(grammar, at.map((index) => rows[index]?.text ?? ""));
    at.forEach((index, order) => (read[index] = spans[order] ?? []));
  }
  return read;
}

function plain(rows: readonly Row[]): Span[][] {
  return rows.map((row) => [{ text: row.text }]);
}

function sum(files: readonly DiffFile[], side: "added" | "removed"): number {
  return files.reduce((total, file) => total + file[side], 0);
}
