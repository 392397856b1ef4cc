import { useSignal } from "@preact/signals";
import type { RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { SECTIONS, type SectionName } from "../inbox/sections";
import { t } from "../strings";
import { Claim } from "../ui/Claim";
import { useCommands } from "./commands";
import { asks } from "./desk";
import { catchUp, held, list, order, projects, search } from "./list";
import { go, hrefOf, hrefOfAsk, openAskId, route } from "./place";
import { Row } from "./Row";
import { focusRow, moveFocus } from "./rows";

/** The asks by whose move they are. */
export function ListPane() {
  const pane = useRef<HTMLElement>(null);
  useHold(pane);
  useReturnedFocus();
  useCommands({
    next: () => moveFocus(1),
    previous: () => moveFocus(-1),
    open: () => openNeighbour(1),
    search: () => document.getElementById("search")?.focus(),
    escape: () => {
      search.value = "";
      if (pane.current?.contains(document.activeElement)) (document.activeElement as HTMLElement).blur();
    },
  });
  const Heading = openAskId.value === undefined ? "h1" : "h2";
  const { shown, newcomers } = list.value;
  const needsNothing = shown.blocked.length + shown.needs.length === 0;

  return (
    <section class="list-pane" ref={pane} aria-label={t.list.label}>
      <header class="list-head">
        <Heading>{t.nav.inbox}</Heading>
        <input
          id="search"
          type="search"
          aria-label={t.list.search}
          placeholder={t.list.search}
          value={search.value}
          onInput={(event) => (search.value = event.currentTarget.value)}
        />
        <Projects />
      </header>
      <div class="rows" data-rows>
        {newcomers > 0 && (
          <button type="button" class="pill" onClick={catchUp}>{t.list.newcomers(newcomers)}</button>
        )}
        {asks.loaded.value && needsNothing && <NothingNeeded />}
        {!asks.loaded.value && order.value.length === 0 && <p class="rows-empty muted">{t.loading}</p>}
        {SECTIONS.map((name) => <Section key={name} name={name} ids={shown[name]} />)}
        {shown.closed.length > 0 && <a class="rows-more" href={hrefOf({ page: "history" })}>{t.list.older}</a>}
      </div>
    </section>
  );
}

function NothingNeeded() {
  const searching = search.value.trim() !== "";
  return (
    <div class="rows-empty">
      <p>{searching ? t.list.noMatch : t.list.none}</p>
      {!searching && <p class="muted">{t.list.noneHint}</p>}
    </div>
  );
}

/** As many rows as a person looks at; more on a press, so that a thousand asks cost nothing. */
const WINDOW = 100;

function Section({ name, ids }: { readonly name: SectionName; readonly ids: readonly string[] }) {
  const size = useSignal(WINDOW);
  if (ids.length === 0) return null;
  const open = openAskId.value;
  return (
    <section class={`rows-section ${name}`} aria-labelledby={`section-${name}`}>
      <h2 id={`section-${name}`}>
        {t.list[name]} <span class="count">{ids.length}</span>
      </h2>
      <ul>
        {ids.slice(0, size.value).map((id) => {
          const ask = asks.get(id);
          return ask && <Row key={id} ask={ask} href={hrefOfAsk(id)} isOpen={id === open} />;
        })}
      </ul>
      {ids.length > size.value && (
        <button type="button" class="button small" onClick={() => (size.value += WINDOW)}>
          {t.list.more(Math.min(WINDOW, ids.length - size.value))}
        </button>
      )}
    </section>
  );
}

function Projects() {
  if (projects.value.length < 2 && route.value.project === undefined) return null;
  const { project: current, ...here } = route.value;
  const total = projects.value.reduce((sum, { count }) => sum + count, 0);
  return (
    <nav class="chips" aria-label={t.list.projects}>
      <a class="chip" href={hrefOf(here)} aria-current={current === undefined ? "true" : undefined}>
        {t.list.all} <span class="count">{total}</span>
      </a>
      {projects.value.map(({ project, count }) => (
        <a
          class="chip"
          key={project}
          href={hrefOf({ ...here, project })}
          aria-current={project === current ? "true" : undefined}
        >
          <Claim text={project === "" ? t.noProject : project} /> <span class="count">{count}</span>
        </a>
      ))}
    </nav>
  );
}

/**
 * The list stands still while the focus is on an open ask, or a pointer that can rest is in it: one that moved there
 * itself, not one that the list came to lie under.
 */
function useHold(pane: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = pane.current;
    if (!element) return;
    let pointed = false;
    const update = () => (held.value = pointed || element.querySelector(".rows-section:not(.closed) :focus") !== null);
    const listeners: readonly (readonly [string, (event: Event) => void])[] = [
      ["pointermove", (event) => void (pointed = (event as PointerEvent).pointerType !== "touch", update())],
      ["pointerleave", () => void (pointed = false, update())],
      ["focusin", update],
      // Where the focus goes is known only once it is there.
      ["focusout", () => queueMicrotask(update)],
    ];
    for (const [name, listener] of listeners) element.addEventListener(name, listener);
    return () => {
      for (const [name, listener] of listeners) element.removeEventListener(name, listener);
      held.value = false;
    };
  }, []);
}

/** Back from an ask, the focus is on its row again. */
function useReturnedFocus(): void {
  const last = useRef<string | undefined>(undefined);
  const open = openAskId.value;
  useEffect(() => {
    if (open === undefined && last.current !== undefined) focusRow(last.current);
    last.current = open;
  }, [open]);
}

export function openNeighbour(step: 1 | -1): void {
  const ids = order.peek();
  const place = ids.indexOf(openAskId.peek() ?? "");
  const next = place === -1 ? ids[0] : ids[place + step];
  const { project } = route.peek();
  if (next !== undefined) go({ page: "ask", askId: next, ...(project === undefined ? {} : { project }) });
}
