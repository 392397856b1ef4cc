import type { KeyPress } from "../inbox/keys";

/** Whether the focus takes text, so that single keys belong to it. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable || target.matches("textarea, select")) return true;
  return target instanceof HTMLInputElement && !["checkbox", "radio", "button"].includes(target.type);
}

/** Safari ends a composition before its last key, which carries only this code. */
const COMPOSING_KEY_CODE = 229;

export function pressOf(event: KeyboardEvent): KeyPress {
  return {
    key: event.key,
    ctrl: event.ctrlKey || event.metaKey,
    alt: event.altKey,
    shift: event.shiftKey,
    typing: isTyping(event.target),
    composing: event.isComposing || event.keyCode === COMPOSING_KEY_CODE,
  };
}
