import { computed, signal, type ReadonlySignal, type Signal } from "@preact/signals";
import type { BriefingAsk } from "../contract";
import {
  ancestorsOf, draftOf, foldBriefing, hasWords, judge, nextOpen, pointReplies, resolvedAfter,
  type BriefingState, type PointDraft, type PointState,
} from "../inbox/briefing";
import { drafts } from "./desk";

/** Which points the person opened or folded, per ask: kept while the page is, across updates and visits. */
const folds = new Map<string, Signal<Readonly<Record<string, boolean>>>>();

/** A briefing under the person's hands: the points as they stand, and as their draft would leave them. */
export class Points {
  readonly ask: BriefingAsk;
  readonly state: BriefingState;
  readonly #folds: Signal<Readonly<Record<string, boolean>>>;
  readonly replies = computed(() => pointReplies(this.state, this.#drafts));
  readonly verdict = computed(() => judge(this.state, this.replies.value));
  readonly resolved: ReadonlySignal<ReadonlySet<string>> = computed(() => resolvedAfter(this.state, this.replies.value));

  constructor(ask: BriefingAsk) {
    this.ask = ask;
    this.state = foldBriefing(ask);
    const known = folds.get(ask.id);
    this.#folds = known ?? signal({});
    if (!known) folds.set(ask.id, this.#folds);
  }

  get #drafts() {
    return drafts.value.of(this.ask.id).value.points;
  }

  draft(id: string): PointDraft {
    return draftOf(this.#drafts, id);
  }

  write(id: string, part: Partial<PointDraft>): void {
    const points = drafts.peek().of(this.ask.id).peek().points;
    drafts.peek().change(this.ask.id, { points: { ...points, [id]: { ...draftOf(points, id), ...part } } });
  }

  /** A point is one line until it is opened; what the agent just answered is open to be read. */
  isOpen(point: PointState): boolean {
    return this.#folds.value[point.id] ?? hasNews(point);
  }

  fold(id: string, open: boolean): void {
    this.#folds.value = { ...this.#folds.peek(), [id]: open };
  }

  foldAll(open: boolean): void {
    this.#folds.value = Object.fromEntries(this.state.order.map(({ id }) => [id, open]));
  }

  reveal(id: string): void {
    const path = [...ancestorsOf(id), id].map((each) => [each, true] as const);
    this.#folds.value = { ...this.#folds.peek(), ...Object.fromEntries(path) };
  }

  /** Marks or unmarks a point; one that is done with, and not written on, folds. */
  toggleResolved(id: string): void {
    const draft = this.draft(id);
    this.write(id, { resolved: !draft.resolved });
    if (!draft.resolved && !hasWords(draft.text)) this.fold(id, false);
  }

  resolveRest(): void {
    const points = { ...drafts.peek().of(this.ask.id).peek().points };
    const resolved = this.resolved.peek();
    for (const { id } of this.state.order) {
      const draft = draftOf(points, id);
      if (!resolved.has(id) && !hasWords(draft.text)) points[id] = { ...draft, resolved: true };
    }
    drafts.peek().change(this.ask.id, { points });
  }

  next(from: string | undefined, step: 1 | -1): string | undefined {
    return nextOpen(this.state, drafts.peek().of(this.ask.id).peek().points, from, step);
  }
}

/** Something new stands on the point, or beneath it. */
function hasNews(point: PointState): boolean {
  return point.turns.some((turn) => turn.author === "agent" && turn.isNew) || point.children.some(hasNews);
}
