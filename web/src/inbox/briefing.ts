import type { Actor, AgentEntry, BriefingAsk, Point, PointReply } from "../contract";

/** What was said on a point, oldest first. */
export type PointTurn =
  | { readonly author: "human"; readonly text?: string; readonly resolved: boolean; readonly by?: Actor; readonly at: string }
  | { readonly author: "agent"; readonly entry: AgentEntry; readonly at: string; readonly isNew: boolean };

/** A point as the thread left it, with what lies beneath it. */
export interface PointState {
  readonly point: Point;
  readonly id: string;
  readonly parent?: string;
  readonly level: number;
  readonly resolved: boolean;
  readonly children: readonly PointState[];
  readonly turns: readonly PointTurn[];
  /** The agent added this point in its last answers. */
  readonly isNew: boolean;
}

export interface BriefingState {
  readonly sections: readonly { readonly title?: string; readonly points: readonly PointState[] }[];

  /** Every point in the order they are read: each one before what lies beneath it. */
  readonly order: readonly PointState[];
  readonly left: number;
}

/** What the person has written on a point and not yet sent. */
export interface PointDraft {
  readonly text: string;
  readonly resolved: boolean;
}

export type PointDrafts = Readonly<Record<string, PointDraft>>;

const NOTHING: PointDraft = { text: "", resolved: false };

export function draftOf(drafts: PointDrafts, id: string): PointDraft {
  return drafts[id] ?? NOTHING;
}

export function hasWords(text: string | undefined): text is string {
  return text !== undefined && text.trim() !== "";
}

/** Reads the points of a briefing as its thread leaves them. */
export function foldBriefing(ask: BriefingAsk): BriefingState {
  const tree = new Tree(ask);
  const fresh = freshEntries(ask);
  ask.thread.forEach((entry, place) => {
    if (entry.author === "agent") {
      tree.answer(entry, place >= fresh);
    } else if (entry.reply.outcome === "responded") {
      tree.respond(entry.reply.points);
      for (const reply of entry.reply.points) {
        tree.say(reply.point, {
          author: "human",
          resolved: reply.resolved === true,
          at: entry.at,
          ...(hasWords(reply.text) ? { text: reply.text } : {}),
          ...(entry.by === undefined ? {} : { by: entry.by }),
        });
      }
    }
  });
  return tree.read(ask);
}

/** The points that would be resolved after this reply, by the server's rule: resolving first, then words re-open. */
export function resolvedAfter(state: BriefingState, replies: readonly PointReply[]): ReadonlySet<string> {
  const resolved = new Set(state.order.filter((point) => point.resolved).map((point) => point.id));
  applyReplies(resolved, state.order.map((point) => point.id), replies);
  return resolved;
}

/** The drafts as the `points` of a `responded`, in reading order, without those that say nothing. */
export function pointReplies(state: BriefingState, drafts: PointDrafts): PointReply[] {
  const replies: PointReply[] = [];
  for (const { id } of state.order) {
    const { text, resolved } = draftOf(drafts, id);
    if (!hasWords(text) && !resolved) continue;
    replies.push({ point: id, ...(hasWords(text) ? { text } : {}), ...(resolved ? { resolved: true } : {}) });
  }
  return replies;
}

/** Why these replies cannot be sent, or what sending them does. */
export type Verdict = "empty" | "nothing-to-answer" | "closes" | "asks";

/** A reply must leave every point resolved, or leave the agent a point with words to answer. */
export function judge(state: BriefingState, replies: readonly PointReply[]): Verdict {
  if (replies.length === 0) return "empty";
  const resolved = resolvedAfter(state, replies);
  if (resolved.size === state.order.length) return "closes";
  const toAnswer = replies.some((reply) => hasWords(reply.text) && !resolved.has(reply.point));
  return toAnswer ? "asks" : "nothing-to-answer";
}

/** The next point that is neither resolved nor written on, from a point on and around; backwards when asked. */
export function nextOpen(
  state: BriefingState,
  drafts: PointDrafts,
  from: string | undefined,
  step: 1 | -1 = 1,
): string | undefined {
  const resolved = resolvedAfter(state, pointReplies(state, drafts));
  const count = state.order.length;
  const start = from === undefined ? (step === 1 ? -1 : count) : state.order.findIndex((point) => point.id === from);
  for (let distance = 1; distance <= count; distance += 1) {
    const point = state.order[(((start + step * distance) % count) + count) % count];
    if (point && !resolved.has(point.id) && !hasWords(draftOf(drafts, point.id).text)) return point.id;
  }
  return undefined;
}

/** What a point lies under, outermost first: `3.1.2` lies under `3` and `3.1`. */
export function ancestorsOf(id: string): string[] {
  const parts = id.split(".");
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join("."));
}

function isUnder(id: string, ancestor: string): boolean {
  return id === ancestor || id.startsWith(`${ancestor}.`);
}

function applyReplies(resolved: Set<string>, ids: readonly string[], replies: readonly PointReply[]): void {
  for (const reply of replies) {
    if (reply.resolved !== true) continue;
    for (const id of ids) if (isUnder(id, reply.point)) resolved.add(id);
  }
  for (const reply of replies) {
    if (reply.resolved === true || !hasWords(reply.text)) continue;
    for (const id of [...ancestorsOf(reply.point), reply.point]) resolved.delete(id);
  }
}

/** Where the agent's last answers begin: what stands there is new to the person while it is their move. */
function freshEntries(ask: BriefingAsk): number {
  if (ask.status !== "awaiting_human") return Infinity;
  return ask.thread.map((entry) => entry.author).lastIndexOf("human") + 1;
}

interface Node {
  readonly point: Point;
  readonly isNew: boolean;
  readonly turns: PointTurn[];
  readonly children: string[];
}

class Tree {
  readonly #nodes = new Map<string, Node>();
  readonly #resolved = new Set<string>();

  constructor(ask: BriefingAsk) {
    for (const section of ask.prompt.sections) for (const point of section.points) this.#add(point, false);
  }

  #add(point: Point, isNew: boolean): void {
    this.#nodes.set(point.id, { point, isNew, turns: [], children: [] });
  }

  say(id: string, turn: PointTurn): void {
    this.#nodes.get(id)?.turns.push(turn);
  }

  respond(replies: readonly PointReply[]): void {
    applyReplies(this.#resolved, [...this.#nodes.keys()], replies);
  }

  answer(entry: AgentEntry, isNew: boolean): void {
    const node = entry.point === undefined ? undefined : this.#nodes.get(entry.point);
    if (node === undefined) return;
    node.turns.push({ author: "agent", entry, at: entry.at, isNew });
    for (const point of entry.points ?? []) {
      node.children.push(point.id);
      this.#add(point, isNew);
    }
  }

  read(ask: BriefingAsk): BriefingState {
    const order: PointState[] = [];
    const visit = (id: string, parent?: string): PointState | undefined => {
      const node = this.#nodes.get(id);
      if (node === undefined) return undefined;
      const children: PointState[] = [];
      const state: PointState = {
        id,
        children,
        point: node.point,
        turns: node.turns,
        isNew: node.isNew,
        level: id.split(".").length,
        resolved: this.#resolved.has(id),
        ...(parent === undefined ? {} : { parent }),
      };
      order.push(state);
      for (const childId of node.children) {
        const child = visit(childId, id);
        if (child) children.push(child);
      }
      return state;
    };
    const sections = ask.prompt.sections.map((section) => ({
      ...(section.title === undefined ? {} : { title: section.title }),
      points: section.points.flatMap((point) => visit(point.id) ?? []),
    }));
    return { sections, order, left: order.filter((point) => !point.resolved).length };
  }
}
