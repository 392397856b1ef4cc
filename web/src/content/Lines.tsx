// Lines of code: a plain text until they come near the window, so that a long file costs little and is
// found, printed and scrolled like any text.
import { useEffect, useState } from "preact/hooks";
import { reveal, revealText } from "./hidden";
import { useNear } from "./near";

export interface Line {
  /** What stands before the text and is not part of it: numbers, a sign. */
  readonly gutter: string;
  readonly text: string;
  readonly class?: string;
}

/** A stretch of a line that is shown alike. */
export interface Span {
  readonly text: string;
  readonly class?: string | undefined;
}

/** Gives each of some lines its spans. Called once, when they come near. */
export type Dress<L extends Line> = (lines: readonly L[]) => Promise<Span[][]>;

const CHUNK = 100;

interface Props<L extends Line> {
  readonly lines: readonly L[];
  readonly label: string;
  readonly dress: Dress<L>;
}

/** Lines of a file, in a box of their own that scrolls sideways. */
export function Lines<L extends Line>({ lines, label, dress }: Props<L>) {
  const chunks = Array.from({ length: Math.ceil(lines.length / CHUNK) }, (_, at) => lines.slice(at * CHUNK, (at + 1) * CHUNK));
  return (
    <div class="lines" role="group" aria-label={label} tabIndex={0} dir="ltr">
      {chunks.map((chunk, at) => (
        <Chunk key={at} lines={chunk} dress={dress} />
      ))}
    </div>
  );
}

function Chunk<L extends Line>({ lines, dress }: Pick<Props<L>, "lines" | "dress">) {
  const [place, near] = useNear<HTMLPreElement>();
  const [dressed, setDressed] = useState<Span[][]>();
  useEffect(() => {
    if (!near) return undefined;
    let current = true;
    void dress(lines).then((spans) => current && setDressed(spans), (fault: unknown) => console.warn(fault));
    return () => {
      current = false;
    };
  }, [near, lines, dress]);

  if (!near) return <pre ref={place} class="chunk">{lines.map((line) => `${line.gutter}${revealText(line.text)}\n`).join("")}</pre>;
  return (
    <pre ref={place} class="chunk">
      {lines.map((line, at) => (
        <span key={at} class={`line ${line.class ?? ""}`} data-gutter={line.gutter}>
          {line.text === "" ? <br /> : (dressed?.[at] ?? [{ text: line.text }]).map(draw)}
        </span>
      ))}
    </pre>
  );
}

function draw(span: Span) {
  return span.class ? <span class={span.class}>{reveal(span.text)}</span> : reveal(span.text);
}
