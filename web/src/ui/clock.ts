import { signal } from "@preact/signals";

/** The time as far as the page shows it: it moves often enough for "5 min ago". */
export const now = signal(Date.now());

const TICK_MILLISECONDS = 15_000;

setInterval(() => (now.value = Date.now()), TICK_MILLISECONDS);
document.addEventListener("visibilitychange", () => (now.value = Date.now()));

const STEPS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
];

const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto", style: "short" });
const absolute = new Intl.DateTimeFormat(undefined, { dateStyle: "full", timeStyle: "medium" });

/** "now", "5 min. ago", "yesterday": how long ago it was. A clock that is behind never says "in 2 minutes". */
export function ago(at: string, from: number): string {
  const passed = Math.max(0, from - Date.parse(at));
  for (const [unit, length] of STEPS) if (passed >= length) return relative.format(-Math.floor(passed / length), unit);
  return relative.format(0, "second");
}

export function onTheClock(at: string): string {
  return absolute.format(new Date(at));
}
