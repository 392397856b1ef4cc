import type { Ask, Reply } from "../contract";

/** The reply that closed the ask, if a reply did. */
export function outcomeOf(ask: Ask): Reply["outcome"] | undefined {
  if (ask.status !== "closed") return undefined;
  const last = ask.thread.at(-1);
  return last?.author === "human" ? last.reply.outcome : undefined;
}
