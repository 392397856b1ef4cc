/** A piece of a claim: plain text, or a character that would not be seen, by its name. */
export type ClaimPart = { readonly text: string } | { readonly mark: string };

/**
 * What an agent says of itself or its work is untrusted: control, zero-width and direction-changing
 * characters can make a text read as another. They are taken out and named in their place.
 */
const HIDDEN =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202f\u2060-\u206f\u3164\ufe00-\ufe0e\ufeff\uffa0\ufff9-\ufffb]|[\u{e0000}-\u{e0fff}]|[\u{1d173}-\u{1d17a}]/gu;

/** Joiners belong to emoji and to several scripts: they are hidden characters only between others. */
const JOINED = /[\p{Extended_Pictographic}\p{M}\p{Script=Arabic}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Sinhala}\p{Script=Malayalam}\p{Script=Kannada}\p{Script=Telugu}\p{Script=Tamil}]$/u;

/** Splits a claim into one line of text and the marks of what would not be seen in it. */
export function readClaim(claim: string): ClaimPart[] {
  const line = claim.replace(/[\t\r\n\u0085\u2028\u2029]+/g, " ");
  const parts: ClaimPart[] = [];
  let from = 0;
  for (const { 0: character, index } of line.matchAll(HIDDEN)) {
    if (/[\u200c\u200d]/.test(character) && JOINED.test(line.slice(Math.max(0, index - 4), index))) continue;
    if (index > from) parts.push({ text: line.slice(from, index) });
    parts.push({ mark: `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}` });
    from = index + character.length;
  }
  if (from < line.length || parts.length === 0) parts.push({ text: line.slice(from) });
  return parts;
}
