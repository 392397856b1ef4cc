/** What a key asks for. Pages answer the commands that mean something to them. */
export type Command =
  | "next" | "previous" | "open" | "back" | "escape" | "reply" | "send"
  | "next-point" | "previous-point" | "resolve" | "resolve-rest"
  | "approve" | "changes" | "ask-back" | "dismiss"
  | "pick-1" | "pick-2" | "pick-3" | "pick-4" | "pick-5" | "pick-6"
  | "search" | "project" | "inbox" | "history" | "help";

/** The parts of a keyboard event that decide; `typing` says that the focus takes text. */
export interface KeyPress {
  readonly key: string;
  readonly ctrl: boolean;
  readonly alt: boolean;
  readonly shift: boolean;
  readonly typing: boolean;

  /** An input method is composing a character, so the key belongs to it. */
  readonly composing: boolean;
}

const SINGLE: Readonly<Record<string, Command>> = {
  j: "next", ArrowDown: "next", k: "previous", ArrowUp: "previous",
  o: "open", Enter: "open", u: "back", r: "reply",
  n: "next-point", N: "previous-point", x: "resolve", X: "resolve-rest",
  a: "approve", c: "changes", q: "ask-back", "#": "dismiss",
  "1": "pick-1", "2": "pick-2", "3": "pick-3", "4": "pick-4", "5": "pick-5", "6": "pick-6",
  "/": "search", p: "project", "?": "help",
};

const AFTER_G: Readonly<Record<string, Command>> = { i: "inbox", h: "history" };

/** How long `g` waits for the key after it. */
const G_MILLISECONDS = 1500;

/** Reads keys one after the other: `g i` is two of them. */
export class KeyReader {
  #g = -Infinity;

  read(press: KeyPress, now: number): Command | undefined {
    if (press.composing) return undefined;
    if (press.key === "Escape") return "escape";
    if (press.key === "Enter" && press.ctrl) return "send";
    if (press.typing || press.ctrl || press.alt) return undefined;
    const afterG = now - this.#g < G_MILLISECONDS;
    this.#g = press.key === "g" ? now : -Infinity;
    return afterG && press.key in AFTER_G ? AFTER_G[press.key] : SINGLE[press.key];
  }
}
