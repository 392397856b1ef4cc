import { useCallback, useMemo } from "preact/hooks";
import { Claim } from "../ui/Claim";
import { Copy } from "../ui/Copy";
import { grammarFor } from "./languages";
import { Lines, type Line, type Span } from "./Lines";
import { phrases } from "./phrases";

interface Props {
  readonly code: string;
  readonly language?: string | undefined;
  readonly filename?: string | undefined;
}

/** A piece of code with its lines numbered; highlighted where its language is named, or its file's name tells it. */
export function Code({ code, language, filename }: Props) {
  const lines = useMemo(() => numbered(code), [code]);
  const grammar = grammarFor(language, filename);
  const dress = useCallback((some: readonly Line[]) => dressed(grammar, some), [grammar]);
  return (
    <figure class="code">
      <figcaption class="content-head">
        {filename && <Claim text={filename} class="content-name" />}
        {language && <Claim text={language} class="content-kind" />}
        <Copy text={code} label={phrases.code.copy} />
      </figcaption>
      <Lines lines={lines} label={filename ?? phrases.code.unnamed} dress={dress} />
    </figure>
  );
}

function numbered(code: string): Line[] {
  const texts = code.replace(/\r?\n$/, "").split(/\r?\n/);
  const width = String(texts.length).length;
  return texts.map((text, at) => ({ gutter: `${String(at + 1).padStart(width)}  `, text }));
}

async function dressed(grammar: string | undefined, lines: readonly Line[]): Promise<Span[][]> {
  const texts = lines.map((line) => line.text);
  if (!grammar) return texts.map((text) => [{ text }]);
  const { highlight } = await import("./highlight");
  return highlight(grammar, texts);
}
