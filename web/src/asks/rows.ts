/** Moves the focus among the rows of the list on the page; from outside, onto the first. */
export function moveFocus(step: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>("[data-rows] a.row")];
  const place = rows.findIndex((row) => row === document.activeElement);
  const row = place === -1 ? rows[0] : rows[place + step];
  row?.focus();
}

/** Puts the focus on the row of an ask, where the list has one. */
export function focusRow(askId: string | undefined): boolean {
  const row = askId && document.querySelector<HTMLElement>(`a.row[data-ask="${CSS.escape(askId)}"]`);
  if (!row) return false;
  row.focus();
  return true;
}
