import { computed, effect, signal, untracked } from "@preact/signals";
import { base } from "../api/base";
import { followEvents } from "../api/feed";
import { followNotices } from "../api/notices";
import { session } from "../api/session";
import type { Actor } from "../contract";
import { Asks } from "../inbox/asks";
import { Drafts } from "../inbox/drafts";
import { Messages } from "../inbox/messages";
import { needing } from "../inbox/sections";
import { t } from "../strings";

/** The page's one set of state: what every part of it reads and changes. */
export const asks = new Asks();
export const messages = new Messages();

export const me = computed<Actor>(() => session.value?.actor ?? { id: "" });

/** Drafts belong to a person in a space; whoever signs in next never sees them. */
const owner = computed(() => `${session.value?.space ?? ""}:${session.value?.actor.id ?? ""}`);
const DRAFTS = `loopback:${base}:draft:`;
export const drafts = computed(() => new Drafts(localStorage, `${DRAFTS}${owner.value}:`));

/** Whether anyone's words wait on this device to be sent. */
export function hasDrafts(): boolean {
  return Object.keys(localStorage).some((key) => key.startsWith(DRAFTS));
}

export const signedIn = computed(() => session.value !== undefined);

/** Whether live updates arrive; lost for a moment is not worth a word. */
export const link = signal<"starting" | "up" | "lost">("starting");
const SILENT_MILLISECONDS = 2000;

export function openDesk(): void {
  addEventListener("storage", (event) => drafts.peek().noticed(event.key, event.newValue));
  effect(() => {
    if (!signedIn.value) return;
    owner.value; // Another person's asks are another set.
    return untracked(follow);
  });
  effect(() => {
    const count = needing(asks.all.value.values());
    document.title = count === 0 ? t.product : `(${count}) ${t.product}`;
  });
}

function follow(): () => void {
  let silence: ReturnType<typeof setTimeout> | undefined;
  const stopEvents = followEvents(
    (events) => asks.apply(events),
    (up) => {
      if (up) {
        clearTimeout(silence);
        silence = undefined;
        link.value = "up";
      } else {
        silence ??= setTimeout(() => (link.value = "lost"), SILENT_MILLISECONDS);
      }
    },
  );
  const stopNotices = followNotices((notice) => messages.notice(notice));
  return () => {
    clearTimeout(silence);
    stopEvents();
    stopNotices();
    asks.clear();
    link.value = "starting";
  };
}
