import type { ComponentChildren } from "preact";

/**
 * Characters that nobody sees and that can make code read as other code: direction marks, zero-width and
 * filler characters, controls. Joiners and variation selectors within an emoji are only that.
 */
const HIDDEN = /(?<!\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f)[\u200d\ufe0f]|(?![\t\u200d\ufe0f])[\p{Default_Ignorable_Code_Point}\p{Cc}\u2028\u2029\ufff9-\ufffb]/gu;

/** A line with its hidden characters named in their place. */
export function reveal(line: string): ComponentChildren {
  if (line.search(HIDDEN) < 0) return line;
  const pieces = line.split(HIDDEN);
  const names = [...line.matchAll(HIDDEN)].map(([character]) => nameOf(character));
  return pieces.flatMap((piece, at) => {
    const name = names[at];
    return name === undefined ? [piece] : [piece, <span class="hidden-character" title={name}>{name}</span>];
  });
}

/** The same as text alone. */
export function revealText(line: string): string {
  return line.replace(HIDDEN, nameOf);
}

function nameOf(character: string): string {
  if (character === "\r") return "CR";
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}
