import { useSignal } from "@preact/signals";
import { lazy } from "../content/lazy";
import { t } from "../strings";
import { AskPane } from "./AskPane";
import { Banners, Toasts } from "./Banners";
import { useCommands } from "./commands";
import { asks } from "./desk";
import { ListPane } from "./ListPane";
import { projects } from "./list";
import { go, hrefOf, inProject, listPage, openAskId, route } from "./place";
import { Rail } from "./Rail";

const Nothing = () => null;
const HistoryPane = lazy(() => import("./HistoryPane"), () => <div class="list-pane" />);
const FirstRun = lazy(() => import("./FirstRun"), Nothing);
const Help = lazy<{ readonly onClose: () => void }>(() => import("./Help"), Nothing);

/** The page of a person who is signed in: where to go, the list, and the ask. */
export function Shell() {
  const help = useSignal(false);
  useCommands({
    help: () => (help.value = true),
    inbox: () => go(inProject({ page: "inbox" })),
    history: () => go({ page: "history" }),
    project: nextProject,
  });

  const { page } = route.value;
  const isFirstRun = page === "inbox" && asks.loaded.value && asks.all.value.size === 0;
  return (
    <>
      <a class="skip" href="#main">{t.skip}</a>
      <div class="shell" data-page={page}>
        <Rail onHelp={() => (help.value = true)} />
        <Banners />
        {isFirstRun ? <FirstRun /> : page === "unknown" ? <LostPage /> : <Panes />}
      </div>
      <Toasts />
      {help.value && <Help onClose={() => (help.value = false)} />}
    </>
  );
}

function Panes() {
  const askId = openAskId.value;
  return (
    <main id="main" class="panes" tabIndex={-1}>
      {listPage.value === "history" ? <HistoryPane /> : <ListPane />}
      {askId === undefined ? <p class="ask-pane nothing">{t.list.pick}</p> : <AskPane key={askId} askId={askId} />}
    </main>
  );
}

function LostPage() {
  return (
    <main id="main" class="alone" tabIndex={-1}>
      <h1>{t.lostPage.title}</h1>
      <a class="button primary" href={hrefOf({ page: "inbox" })}>{t.back}</a>
    </main>
  );
}

/** Every project, then each in turn. */
function nextProject(): void {
  const names = [undefined, ...projects.peek().map(({ project }) => project)];
  const { project: _, ...here } = route.peek();
  const next = names[(names.indexOf(route.peek().project) + 1) % names.length];
  go(next === undefined ? here : { ...here, project: next }, { replace: true });
}
