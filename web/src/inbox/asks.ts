import { signal } from "@preact/signals";
import type { Ask, ServerEvent } from "../contract";

/** Every ask this page knows, as the server last told it. */
export class Asks {
  readonly all = signal<ReadonlyMap<string, Ask>>(new Map());

  /** True once the first snapshot is here: before it, an empty map says nothing. */
  readonly loaded = signal(false);

  get(id: string): Ask | undefined {
    return this.all.value.get(id);
  }

  /** Takes what the event socket sent, in order; one write however many frames. */
  apply(events: readonly ServerEvent[]): void {
    const next = new Map(this.all.peek());
    for (const event of events) {
      if (event.type === "snapshot") {
        // An open ask that the snapshot does not hold was closed or is gone; a closed one stays closed.
        for (const [id, ask] of next) if (ask.status !== "closed") next.delete(id);
        for (const ask of [...event.snapshot.open, ...event.snapshot.recent]) next.set(ask.id, ask);
      } else if (!isOlder(event.ask, next.get(event.ask.id))) {
        next.set(event.ask.id, event.ask);
      }
    }
    this.all.value = next;
    if (events.some((event) => event.type === "snapshot")) this.loaded.value = true;
  }

  /**
   * Takes asks that a request returned. The socket is in order and a response may be late, so a
   * response counts only where it is news: `waiting` changes without `updatedAt` moving.
   */
  put(asks: readonly Ask[]): void {
    const next = new Map(this.all.peek());
    for (const ask of asks) {
      const known = next.get(ask.id);
      if (known === undefined || isOlder(known, ask)) next.set(ask.id, ask);
    }
    this.all.value = next;
  }

  clear(): void {
    this.all.value = new Map();
    this.loaded.value = false;
  }
}

/** Times on the wire all have one length, so they compare as text. */
function isOlder(ask: Ask, than: Ask | undefined): boolean {
  return than !== undefined && ask.updatedAt < than.updatedAt;
}
