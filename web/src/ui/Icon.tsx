const PATHS = {
  question: "M9.1 9a3 3 0 1 1 4.4 2.7c-.9.5-1.5 1.2-1.5 2.3M12 17.5v.01M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18Z",
  review: "M8 7h8M8 11h8M8 15h4M6 3h12a1 1 0 0 1 1 1v16a1 1 0 0 1-1 1H6a1 1 0 0 1-1-1V4a1 1 0 0 1 1-1Z",
  briefing: "M9 6h11M9 12h11M9 18h11M4 6h.01M4 12h.01M4 18h.01",
  back: "M15 5l-7 7 7 7",
  next: "M9 5l7 7-7 7",
  check: "M5 12.5l4.5 4.5L19 7.5",
  close: "M6 6l12 12M18 6L6 18",
  inbox: "M3 13l3-8h12l3 8v6H3v-6Zm0 0h5l1.5 3h5L16 13h5",
  history: "M4 5v5h5M4.5 10A8 8 0 1 1 4 13M12 8v4.5l3 2",
  keyboard: "M3 6h18v12H3V6Zm4 4h.01M11 10h.01M15 10h.01M7 14h10",
  leave: "M14 4h5v16h-5M10 8l-4 4 4 4M6 12h9",
  bell: "M6 16V11a6 6 0 1 1 12 0v5l1.5 2h-15L6 16Zm4 4.5h4",
} as const;

export type IconName = keyof typeof PATHS;

/** A drawn sign beside words that say the same: never read aloud. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}

/** The product's mark: a loop that comes back. */
export function Mark() {
  return (
    <svg class="mark" viewBox="0 0 32 32" aria-hidden="true">
      <path d="M9 20.5a6.5 6.5 0 1 1 4.6-11.1l4.8 5.2M23 11.5a6.5 6.5 0 1 1-4.6 11.1l-4.8-5.2" />
    </svg>
  );
}
