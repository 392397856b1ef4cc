import type { Ask, BriefingAsk, Entry, QuestionAsk, Reply, ReviewAsk } from "../../src/contract";

/** Asks to test with: only what a test is about has to be said. */

const COMMON = {
  id: "a1",
  status: "awaiting_human",
  waiting: false,
  project: "api",
  thread: [],
  createdAt: "2026-01-01T10:00:00.000Z",
  updatedAt: "2026-01-01T10:00:00.000Z",
} as const;

export function question(part: Partial<QuestionAsk> = {}): QuestionAsk {
  return { kind: "question", prompt: { question: "Which?", options: [], multiple: false }, ...COMMON, ...part };
}

export function review(part: Partial<ReviewAsk> = {}): ReviewAsk {
  return { kind: "review", prompt: { title: "A change", content: [] }, ...COMMON, ...part };
}

/** A briefing of so many points in each section. */
export function briefing(sizes: readonly number[], thread: readonly Entry[] = [], part: Partial<BriefingAsk> = {}): BriefingAsk {
  let number = 0;
  const sections = sizes.map((size) => ({
    points: Array.from({ length: size }, () => ({ id: String((number += 1)), title: `Point ${number}` })),
  }));
  return { kind: "briefing", prompt: { title: "Findings", sections }, ...COMMON, thread, ...part };
}

export function person(reply: Reply, by = "local"): Entry {
  return { author: "human", reply, by: { id: by }, at: "2026-01-01T11:00:00.000Z" };
}

export function agent(part: { point?: string; points?: readonly string[] } = {}): Entry {
  const { point, points } = part;
  return {
    author: "agent",
    answer: "Because.",
    at: "2026-01-01T12:00:00.000Z",
    ...(point === undefined ? {} : { point }),
    ...(points === undefined ? {} : { points: points.map((id) => ({ id, title: `Point ${id}` })) }),
  };
}

export function ids(asks: Iterable<Ask>): string[] {
  return [...asks].map((ask) => ask.id);
}
