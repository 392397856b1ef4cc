import { computed, signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { readHistory } from "../api/client";
import { t } from "../strings";
import { useCommands } from "./commands";
import { asks } from "./desk";
import { hrefOfAsk, openAskId } from "./place";
import { Row } from "./Row";
import { moveFocus } from "./rows";

type Reach = "unread" | "reading" | "failed" | "end" | { readonly before: string };

/** How far back history was read: everything closed at or after `oldest` is here. */
const reach = signal<Reach>("unread");
const oldest = signal<string | undefined>(undefined);

const closed = computed(() =>
  [...asks.all.value.values()]
    .filter((ask) => ask.status === "closed" && oldest.value !== undefined && (ask.closedAt ?? "") >= oldest.value)
    .sort((a, b) => ((a.closedAt ?? "") < (b.closedAt ?? "") ? 1 : -1)),
);

async function readOn(): Promise<void> {
  const from = reach.peek();
  if (from === "reading" || from === "end") return;
  reach.value = "reading";
  try {
    const page = await readHistory(typeof from === "object" ? from.before : oldest.peek());
    asks.put(page.items);
    oldest.value = page.items.at(-1)?.closedAt ?? oldest.peek();
    reach.value = page.nextBefore === undefined ? "end" : { before: page.nextBefore };
  } catch {
    reach.value = "failed";
  }
}

/** Every closed ask, page by page. */
export default function HistoryPane() {
  useEffect(() => {
    if (reach.peek() === "unread") void readOn();
  }, []);
  useCommands({ next: () => moveFocus(1), previous: () => moveFocus(-1) });
  const Heading = openAskId.value === undefined ? "h1" : "h2";
  return (
    <section class="list-pane" aria-label={t.history.title}>
      <header class="list-head">
        <Heading>{t.history.title}</Heading>
      </header>
      <div class="rows" data-rows>
        <ul class="rows-section">
          {closed.value.map((ask) => (
            <Row key={ask.id} ask={ask} href={hrefOfAsk(ask.id)} isOpen={ask.id === openAskId.value} />
          ))}
        </ul>
        <Rest />
      </div>
    </section>
  );
}

function Rest() {
  switch (reach.value) {
    case "unread":
    case "reading":
      return <p class="rows-empty muted">{t.loading}</p>;
    case "end":
      return <p class="rows-empty muted">{closed.value.length === 0 ? t.history.empty : t.history.end}</p>;
    case "failed":
      return (
        <div class="rows-empty">
          <p class="failure" role="alert">{t.history.failed}</p>
          <button type="button" class="button" onClick={() => void readOn()}>{t.ask.again}</button>
        </div>
      );
    default:
      return (
        <div class="rows-empty">
          <button type="button" class="button" onClick={() => void readOn()}>{t.history.older}</button>
        </div>
      );
  }
}
