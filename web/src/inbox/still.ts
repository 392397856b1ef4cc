import { SECTIONS, type Arrangement } from "./sections";

/**
 * The list does not move under a pointer or the focus: while it is held, rows keep their places and
 * newcomers are counted instead of shown.
 */
export interface Still {
  readonly shown: Arrangement;
  readonly newcomers: number;
}

/** What the list shows, given what it showed before and what is true now. */
export function settle(before: Arrangement, now: Arrangement, held: boolean): Still {
  // Where nothing shown needs the person, nothing they are about to press can move; what comes shows at once.
  const needsNothing = before.blocked.length + before.needs.length === 0;
  if (!held || needsNothing) return { shown: now, newcomers: 0 };
  const known = new Set(SECTIONS.flatMap((name) => before[name]));
  // What was closed meanwhile is not news to anyone.
  const open = [...now.blocked, ...now.needs, ...now.agents];
  return { shown: before, newcomers: open.filter((id) => !known.has(id)).length };
}
