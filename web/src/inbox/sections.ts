import type { Ask } from "../contract";
import { titleOf } from "./titles";

export const SECTIONS = ["blocked", "needs", "agents", "closed"] as const;
export type SectionName = (typeof SECTIONS)[number];
export type Arrangement = Readonly<Record<SectionName, readonly string[]>>;

export const NO_ASKS: Arrangement = { blocked: [], needs: [], agents: [], closed: [] };

/** How many closed asks the list shows; the rest is history. */
export const RECENT = 50;

/** Whose move it is, and whether an agent stands still because of it. */
export function sectionOf(ask: Ask): SectionName {
  if (ask.status === "closed") return "closed";
  if (ask.status === "awaiting_agent") return "agents";
  return ask.waiting ? "blocked" : "needs";
}

export interface Filter {
  /** Only this project; an empty name stands for asks that named none. */
  readonly project?: string | undefined;
  readonly words?: string;
}

/** Sorts asks into the list's sections: those who wait longest first, what is over latest first. */
export function arrange(asks: Iterable<Ask>, filter: Filter = {}): Arrangement {
  const groups: Record<SectionName, Ask[]> = { blocked: [], needs: [], agents: [], closed: [] };
  for (const ask of asks) if (matches(ask, filter)) groups[sectionOf(ask)].push(ask);
  groups.blocked.sort(oldestFirst);
  groups.needs.sort(oldestFirst);
  groups.agents.sort((a, b) => oldestFirst(b, a));
  groups.closed.sort((a, b) => compare(b.closedAt ?? "", a.closedAt ?? ""));
  return {
    blocked: groups.blocked.map((ask) => ask.id),
    needs: groups.needs.map((ask) => ask.id),
    agents: groups.agents.map((ask) => ask.id),
    closed: groups.closed.slice(0, RECENT).map((ask) => ask.id),
  };
}

export function matches(ask: Ask, { project, words = "" }: Filter): boolean {
  if (project !== undefined && (ask.project ?? "") !== project) return false;
  const wanted = words.trim().toLowerCase();
  if (wanted === "") return true;
  return `${titleOf(ask)}\n${ask.project ?? ""}\n${ask.client ?? ""}`.toLowerCase().includes(wanted);
}

export interface ProjectCount {
  readonly project: string;
  readonly count: number;
}

/** The projects with open asks, and how many of those need the person; by name, so that chips keep their place. */
export function projectsOf(asks: Iterable<Ask>): readonly ProjectCount[] {
  const counts = new Map<string, number>();
  for (const ask of asks) {
    if (ask.status === "closed") continue;
    const project = ask.project ?? "";
    counts.set(project, (counts.get(project) ?? 0) + (ask.status === "awaiting_human" ? 1 : 0));
  }
  return [...counts].map(([project, count]) => ({ project, count })).sort((a, b) => compare(a.project, b.project));
}

/** How many asks need the person, in every project: the number in the tab's title. */
export function needing(asks: Iterable<Ask>): number {
  let count = 0;
  for (const ask of asks) if (ask.status === "awaiting_human") count += 1;
  return count;
}

/** The ask to open after this one: the next in its section, else the first that needs the person, blocked agents first. */
export function nextAfter(id: string, { blocked, needs }: Arrangement): string | undefined {
  const section = [blocked, needs].find((ids) => ids.includes(id)) ?? [];
  return section[section.indexOf(id) + 1] ?? [...blocked, ...needs].find((other) => other !== id);
}

function oldestFirst(a: Ask, b: Ask): number {
  return compare(a.updatedAt, b.updatedAt) || compare(a.id, b.id);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
