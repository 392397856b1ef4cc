import type { Ask } from "../contract";
import { outcomeOf } from "../inbox/outcome";
import { t } from "../strings";

/** Whether an agent is there, or how the ask ended: in words, with a dot that says it again. */
export function Presence({ ask, long = false }: { readonly ask: Ask; readonly long?: boolean }) {
  const { dot, words } = presenceOf(ask, long);
  return (
    <span class="presence">
      <span class={`dot ${dot}`} />
      {words}
    </span>
  );
}

function presenceOf(ask: Ask, long: boolean): { dot: string; words: string } {
  switch (ask.status) {
    case "closed":
      return { dot: "over", words: t.outcome[outcomeOf(ask) ?? "closed"] };
    case "awaiting_human":
      if (ask.waiting) return { dot: "live", words: t.presence.waiting };
      return { dot: "away", words: long ? t.presence.leftLong : t.presence.left };
    case "awaiting_agent":
      if (ask.waiting) return { dot: "live", words: t.presence.following };
      return { dot: "theirs", words: long ? t.presence.itsMoveLong : t.presence.itsMove };
  }
}
