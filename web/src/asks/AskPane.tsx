import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { readAsk } from "../api/client";
import { Refused } from "../api/problems";
import type { Ask } from "../contract";
import { lazy } from "../content/lazy";
import { t } from "../strings";
import { AskHead } from "./AskHead";
import { useCommands } from "./commands";
import { asks } from "./desk";
import { openNeighbour } from "./ListPane";
import { go, hrefOf, inProject, listPage } from "./place";
import { focusRow } from "./rows";

const AskBody = lazy<{ readonly ask: Ask }>(() => import("./AskBody"), () => <p class="ask-body muted">{t.loading}</p>);

/** The ask that is open, or why it is not to be seen. */
export function AskPane({ askId }: { readonly askId: string }) {
  const ask = asks.get(askId);
  const trouble = useRead(askId, ask === undefined);
  const back = () => go(inProject({ page: listPage.peek() }));
  useCommands({
    back,
    escape: () => leaveStepwise(back),
    next: () => openNeighbour(1),
    previous: () => openNeighbour(-1),
  });
  if (ask) return <OpenAsk ask={ask} />;
  if (trouble.value === undefined) return <p class="ask-pane nothing" role="status">{t.loading}</p>;
  const isUnknown = trouble.value === "unknown";
  return (
    <article class="ask-pane nothing">
      <h1>{isUnknown ? t.ask.unknownTitle : t.ask.failedTitle}</h1>
      <p role="alert">{isUnknown ? t.ask.unknown : t.unreachable}</p>
      <p>
        {!isUnknown && <button type="button" class="button" onClick={() => (trouble.value = undefined)}>{t.ask.again}</button>}
        <a class="button primary" href={hrefOf({ page: "inbox" })}>{t.back}</a>
      </p>
    </article>
  );
}

function OpenAsk({ ask }: { readonly ask: Ask }) {
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus({ preventScroll: true }), []);
  return (
    <article class={`ask-pane ask ${ask.kind}`} aria-labelledby="ask-title">
      <AskHead ask={ask} title={title} />
      <AskBody ask={ask} />
    </article>
  );
}


/** Reads an ask that the snapshot does not hold, or has not brought yet: a link to an ask paints without it. */
function useRead(askId: string, isMissing: boolean) {
  const trouble = useSignal<"unknown" | "failed" | undefined>(undefined);
  useEffect(() => {
    if (!isMissing || trouble.value !== undefined) return;
    let left = false;
    readAsk(askId).then(
      (ask) => asks.put([ask]),
      (error: unknown) => {
        if (left) return;
        const isUnknown = error instanceof Refused && ["ask.not_found", "not_found"].includes(error.code);
        trouble.value = isUnknown ? "unknown" : "failed";
      },
    );
    return () => void (left = true);
  }, [isMissing, trouble.value]);
  return trouble;
}

/** Esc goes out step by step: from the words to the ask, from the ask to the list. */
function leaveStepwise(back: () => void): void {
  const focused = document.activeElement;
  if (focused instanceof HTMLElement && focused.matches("textarea, input, select")) {
    document.getElementById("ask-title")?.focus({ preventScroll: true });
    return;
  }
  if (focused?.closest("[data-rows]") === null && focusRow(location.pathname.split("/").at(-1))) {
    const isWide = matchMedia("(min-width: 60rem)").matches;
    if (isWide) return;
  }
  back();
}
