import { signal, type Signal } from "@preact/signals";
import { hasWords, type PointDrafts } from "./briefing";

/** What the person has begun on one ask and not sent. */
export interface Draft {
  readonly text: string;
  readonly selected: readonly string[];
  readonly points: PointDrafts;

  /** A send that may have arrived: the same body goes again under the same key. `turns` is how long the thread was. */
  readonly attempt?: { readonly key: string; readonly body: string; readonly turns: number } | undefined;
}

export const EMPTY: Draft = { text: "", selected: [], points: {} };

/** Where drafts are kept; the browser's localStorage fits. */
export interface Shelf {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
  key(index: number): string | null;
  readonly length: number;
}

/**
 * Drafts, one per ask, saved at every change. The prefix names the space and the actor: one
 * person's drafts are never shown to another.
 */
export class Drafts {
  readonly #shelf: Shelf;
  readonly #prefix: string;
  readonly #open = new Map<string, Signal<Draft>>();

  constructor(shelf: Shelf, prefix: string) {
    this.#shelf = shelf;
    this.#prefix = prefix;
  }

  of(askId: string): Signal<Draft> {
    let draft = this.#open.get(askId);
    if (draft === undefined) {
      draft = signal(read(this.#shelf.getItem(this.#prefix + askId)));
      this.#open.set(askId, draft);
    }
    return draft;
  }

  change(askId: string, part: Partial<Draft>): void {
    const draft = this.of(askId);
    draft.value = { ...draft.peek(), ...part };
    try {
      if (isEmpty(draft.value)) this.#shelf.removeItem(this.#prefix + askId);
      else this.#shelf.setItem(this.#prefix + askId, JSON.stringify(draft.value));
    } catch {
      // A full or forbidden shelf must not stop anyone from typing: the draft lives in this tab then.
    }
  }

  drop(askId: string): void {
    const draft = this.of(askId);
    draft.value = EMPTY;
    this.#shelf.removeItem(this.#prefix + askId);
  }

  /** Another tab wrote to the shelf. */
  noticed(key: string | null, value: string | null): void {
    if (key === null || !key.startsWith(this.#prefix)) return;
    const draft = this.#open.get(key.slice(this.#prefix.length));
    if (draft) draft.value = read(value);
  }

  /** Forgets everything: after signing out nothing of the person stays on the device. */
  wipe(): void {
    const keys = Array.from({ length: this.#shelf.length }, (_, index) => this.#shelf.key(index));
    for (const key of keys) if (key?.startsWith(this.#prefix)) this.#shelf.removeItem(key);
    for (const draft of this.#open.values()) draft.value = EMPTY;
  }
}

export function isEmpty(draft: Draft): boolean {
  return draft.text === "" && draft.selected.length === 0 && draft.attempt === undefined && !hasPoints(draft);
}

/** Everything written in the draft as one text, to copy where it can no longer be sent. */
export function wordsOf(draft: Draft): string {
  const points = Object.entries(draft.points)
    .filter(([, point]) => hasWords(point.text))
    .map(([id, point]) => `${id}: ${point.text}`);
  return [...draft.selected, draft.text, ...points].filter(hasWords).join("\n\n");
}

function hasPoints(draft: Draft): boolean {
  return Object.values(draft.points).some((point) => point.text !== "" || point.resolved);
}

function read(stored: string | null): Draft {
  if (stored === null) return EMPTY;
  try {
    return { ...EMPTY, ...(JSON.parse(stored) as Partial<Draft>) };
  } catch {
    return EMPTY;
  }
}
