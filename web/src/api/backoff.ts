const FIRST = 500;
const LONGEST = 30_000;

/** How long to wait before a try, in milliseconds: doubling from half a second to thirty, spread so that pages do not return together. */
export function pauseBefore(attempt: number, random: number): number {
  const whole = Math.min(LONGEST, FIRST * 2 ** attempt);
  return whole / 2 + (whole / 2) * random;
}
