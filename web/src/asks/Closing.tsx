import type { Ask } from "../contract";
import { EMPTY, wordsOf } from "../inbox/drafts";
import { outcomeOf } from "../inbox/outcome";
import { t } from "../strings";
import { Copy } from "../ui/Copy";
import { Time } from "../ui/Time";
import { drafts } from "./desk";
import { failures } from "./sending";
import { nameOf } from "./Thread";

/** How a closed ask ended, and what was begun on it and never sent. */
export function Closing({ ask }: { readonly ask: Ask }) {
  const outcome = outcomeOf(ask);
  const last = ask.thread.at(-1);
  const by = last?.author === "human" ? nameOf(last.by) : "";
  return (
    <footer class="ask-foot closing">
      <Failure askId={ask.id} />
      <p class={`outcome ${outcome ?? "closed"}`}>
        <b>{outcome === undefined ? t.ask.withdrawn : t.ask.closedBy(t.outcome[outcome], by)}</b>
        {ask.closedAt !== undefined && <Time at={ask.closedAt} />}
      </p>
      <Leftover askId={ask.id} />
    </footer>
  );
}

function Leftover({ askId }: { readonly askId: string }) {
  const words = wordsOf(drafts.value.of(askId).value);
  if (words === "") return null;
  return (
    <section class="leftover" aria-label={t.ask.leftover}>
      <p><b>{t.ask.leftover}</b> {t.ask.leftoverHint}</p>
      <pre class="words" dir="auto">{words}</pre>
      <Copy text={words} />
      <button type="button" class="button small quiet" onClick={() => drafts.value.change(askId, EMPTY)}>{t.ask.discard}</button>
    </section>
  );
}

/** Why the last reply was not taken; beside the words, never only in a passing message. */
export function Failure({ askId }: { readonly askId: string }) {
  const reason = failures.value.get(askId);
  return reason === undefined ? null : <p class="failure" role="alert">{reason}</p>;
}
