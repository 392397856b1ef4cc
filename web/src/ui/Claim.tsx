import { readClaim } from "./claims";

interface Props {
  readonly text: string;
  readonly class?: string;

  /** Shows what stands between backticks as code: titles are written that way. */
  readonly code?: boolean;
}

/** One line that an agent claims: isolated from the text around it, nothing in it hidden. */
export function Claim({ text, class: name = "", code = false }: Props) {
  return (
    <bdi dir="auto" class={`claim ${name}`}>
      {readClaim(text).map((part) =>
        "mark" in part ? (
          <span class="hidden-character" title={part.mark}>{part.mark}</span>
        ) : code ? (
          part.text.split(/(`[^`]+`)/).map((run) => (/^`.+`$/.test(run) ? <code>{run.slice(1, -1)}</code> : run))
        ) : (
          part.text
        ),
      )}
    </bdi>
  );
}
