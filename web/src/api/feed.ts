import type { ServerEvent } from "../contract";
import { readSnapshot } from "./client";
import { keepSocket } from "./socket";

/** Follows the event socket. Frames of one animation frame are applied together: a burst costs one render. */
export function followEvents(apply: (events: readonly ServerEvent[]) => void, onLink: (up: boolean) => void): () => void {
  const batch = inFrames(apply);
  return keepSocket({
    path: "/api/v1/events",
    onFrame: (text) => batch(JSON.parse(text) as ServerEvent),
    onLink,
    // Without the socket the list would stay empty: it is then at least as fresh as each try.
    onBarred: () =>
      void readSnapshot().then(
        (snapshot) => batch({ type: "snapshot", snapshot }),
        () => undefined,
      ),
  });
}

/** How long a hidden page, which gets no animation frames, may hold frames back. */
const HIDDEN_MILLISECONDS = 250;

function inFrames<T>(apply: (items: readonly T[]) => void): (item: T) => void {
  let waiting: T[] = [];
  let frame = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function flush(): void {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
    const items = waiting;
    waiting = [];
    apply(items);
  }

  return (item) => {
    waiting.push(item);
    if (waiting.length > 1) return;
    frame = requestAnimationFrame(flush);
    timer = setTimeout(flush, HIDDEN_MILLISECONDS);
  };
}
