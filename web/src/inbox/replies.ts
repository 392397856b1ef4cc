import type { Actor, Ask, QuestionAsk, Reply } from "../contract";
import { hasWords } from "./briefing";
import type { Draft } from "./drafts";

/** What the person may do with the words in the composer. */
export type Intent = "answer" | "approve" | "changes" | "ask-back" | "dismiss";

export const INTENTS: Readonly<Record<"question" | "review", readonly Intent[]>> = {
  question: ["answer", "ask-back", "dismiss"],
  review: ["approve", "changes", "ask-back", "dismiss"],
};

/** The reply that an intent makes of a draft, or nothing while something it needs is missing. */
export function replyOf(intent: Intent, ask: Ask, draft: Draft): Reply | undefined {
  const text = hasWords(draft.text) ? draft.text : undefined;
  switch (intent) {
    case "answer": {
      const selected = ask.kind === "question" ? picked(ask, draft) : [];
      if (text === undefined && selected.length === 0) return undefined;
      return { outcome: "answered", selected, ...(text === undefined ? {} : { text }) };
    }
    case "approve":
      return { outcome: "approved", ...(text === undefined ? {} : { note: text }) };
    case "changes":
      return text === undefined ? undefined : { outcome: "changes_requested", feedback: text };
    case "ask-back":
      return text === undefined ? undefined : { outcome: "follow_up", question: text };
    case "dismiss":
      return { outcome: "dismissed" };
  }
}

/** The choices picked, in the order they are offered, without any that the ask does not offer. */
export function picked(ask: QuestionAsk, draft: Draft): string[] {
  const labels = ask.prompt.options.map((option) => option.label);
  const chosen = labels.filter((label) => draft.selected.includes(label));
  return ask.prompt.multiple ? chosen : chosen.slice(0, 1);
}

/** The draft's choices after one is pressed: a single choice replaces, pressing it again takes it back. */
export function pick(ask: QuestionAsk, draft: Draft, label: string): string[] {
  const before = picked(ask, draft);
  if (before.includes(label)) return before.filter((other) => other !== label);
  return ask.prompt.multiple ? [...before, label] : [label];
}

/** Whether this actor's reply stands in the ask since it had so many turns: a lost response is not a lost reply. */
export function standsIn(ask: Ask, body: string, turns: number, me: Actor): boolean {
  return ask.thread.slice(turns).some(
    (entry) =>
      entry.author === "human" && (entry.by === undefined || entry.by.id === me.id) && canonical(entry.reply) === body,
  );
}

/** One text for one body, whatever the order of its members. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) =>
    member !== null && typeof member === "object" && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}
