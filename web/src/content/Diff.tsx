import { lazy } from "./lazy";
import { revealText } from "./hidden";

interface Props {
  readonly diff: string;
  readonly filename?: string | undefined;
}

/** A unified diff; as plain text until the code for it is there. */
export const Diff = lazy<Props>(() => import("./DiffView"), PlainDiff);

function PlainDiff({ diff }: Props) {
  return <pre class="diff-text" dir="ltr">{diff.split("\n").map(revealText).join("\n")}</pre>;
}
