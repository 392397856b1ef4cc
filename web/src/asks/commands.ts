import { useLayoutEffect, useRef } from "preact/hooks";
import { KeyReader, type Command } from "../inbox/keys";
import { pressOf } from "./keyboard";

export type Handlers = Partial<Record<Command, () => void>>;

/** The handlers of what is on the page; the latest part to appear is asked first. */
const layers: { current: Handlers }[] = [];

/** Answers commands while the component is on the page. */
export function useCommands(handlers: Handlers): void {
  const latest = useRef(handlers);
  latest.current = handlers;
  // Before it is painted: a key may follow at once on what is seen.
  useLayoutEffect(() => {
    layers.push(latest);
    return () => void layers.splice(layers.indexOf(latest), 1);
  }, []);
}

function handlerOf(command: Command): (() => void) | undefined {
  for (let place = layers.length - 1; place >= 0; place -= 1) {
    const handler = layers[place]?.current[command];
    if (handler) return handler;
  }
  return undefined;
}

/** Turns keys into commands for the whole page. */
export function listenToKeys(): void {
  const reader = new KeyReader();
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || document.querySelector("dialog[open], [popover]:popover-open")) return;
    if (belongsToTarget(event)) return;
    const command = reader.read(pressOf(event), event.timeStamp);
    const handler = command && handlerOf(command);
    if (!handler || (event.repeat && command !== "next" && command !== "previous")) return;
    event.preventDefault();
    handler();
  });
}

/** Enter presses the control it is on, and arrows scroll what is read. */
function belongsToTarget(event: KeyboardEvent): boolean {
  if (!(event.target instanceof Element)) return false;
  if (event.key === "Enter" && !event.ctrlKey && !event.metaKey) return event.target.closest("a, button, summary, input") !== null;
  if (event.key.startsWith("Arrow")) return event.target !== document.body && event.target.closest("[data-rows]") === null;
  return false;
}
