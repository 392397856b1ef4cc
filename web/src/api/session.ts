import { signal } from "@preact/signals";
import type { Actor } from "../contract";
import { base } from "./base";

/**
 * The browser's session. The cookie is one part; this is the other, which no other port of this
 * machine can read. Who it belongs to stands beside it, so that drafts are there before the server answers.
 */
export interface Session {
  readonly half: string;
  readonly space: string;
  readonly actor: Actor;
}

const KEY = `loopback:${base}:session`;

export const session = signal<Session | undefined>(read(localStorage.getItem(KEY)));

export function keepSession(kept: Session): void {
  localStorage.setItem(KEY, JSON.stringify(kept));
  session.value = kept;
}

export function dropSession(): void {
  localStorage.removeItem(KEY);
  session.value = undefined;
}

// Signing in or out in one tab holds for all of them.
addEventListener("storage", (event) => {
  if (event.key === KEY || event.key === null) session.value = read(localStorage.getItem(KEY));
});

function read(stored: string | null): Session | undefined {
  if (stored === null) return undefined;
  try {
    const { half, space, actor } = JSON.parse(stored) as Partial<Session>;
    return half && space && actor ? { half, space, actor } : undefined;
  } catch {
    return undefined;
  }
}
