import { useState } from "preact/hooks";
import type { Block as AskBlock } from "../contract";
import "../styles/content.css";
import { Guard } from "../ui/Guard";
import { Code } from "./Code";
import { Diff } from "./Diff";
import { Image } from "./Image";
import { Markdown } from "./Markdown";
import { phrases } from "./phrases";
import { PlainText } from "./PlainText";

interface Props {
  readonly block: AskBlock;

  /** Where an upload's bytes are served. */
  readonly fileUrl: (uploadId: string) => string;
}

/** A block of an ask's content. One that cannot be shown does not take the others with it. */
export function Block({ block, fileUrl }: Props) {
  return (
    <Guard fallback={() => <Fault block={block} />}>
      <Content block={block} fileUrl={fileUrl} />
    </Guard>
  );
}

function Content({ block, fileUrl }: Props) {
  switch (block.type) {
    case "markdown":
      return <Markdown text={block.text} />;
    case "code":
      return <Code code={block.code} language={block.language} filename={block.filename} />;
    case "diff":
      return <Diff diff={block.diff} filename={block.filename} />;
    case "image":
      return <Image src={fileUrl(block.uploadId)} caption={block.caption} />;
    default:
      return <Unknown block={block} />;
  }
}

function Fault({ block }: { readonly block: AskBlock }) {
  const [asText, setAsText] = useState(false);
  return (
    <div class="content-fault" role="status">
      <p>{phrases.fault.said(block.type)}</p>
      {asText ? (
        <PlainText text={textOf(block)} />
      ) : (
        <button type="button" class="button small" onClick={() => setAsText(true)}>
          {phrases.fault.asText}
        </button>
      )}
    </div>
  );
}

/** A kind of block that a newer server knows. */
function Unknown({ block }: { readonly block: never }) {
  return (
    <div class="content-fault">
      <p>{phrases.unknownBlock}</p>
      <PlainText text={JSON.stringify(block, undefined, 2)} />
    </div>
  );
}

function textOf(block: AskBlock): string {
  switch (block.type) {
    case "markdown":
      return block.text;
    case "code":
      return block.code;
    case "diff":
      return block.diff;
    case "image":
      return block.caption ?? block.uploadId;
  }
}
