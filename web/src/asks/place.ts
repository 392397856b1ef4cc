import { computed, effect, signal } from "@preact/signals";
import { addressOf, base } from "../api/base";
import { readRoute, writeRoute, type Route } from "../inbox/route";

/** Where the page is. The address bar is the truth; this follows it. */
export const route = signal<Route>(readHere());

/** The ask that is open, if one is. */
export const openAskId = computed(() => (route.value.page === "ask" ? route.value.askId : undefined));

/** The list beside the ask, and the one that "back" leads to. */
export const listPage = signal<"inbox" | "history">(route.peek().page === "history" ? "history" : "inbox");

effect(() => {
  const { page } = route.value;
  if (page === "inbox" || page === "history") listPage.value = page;
});

export function go(to: Route, { replace = false } = {}): void {
  const address = hrefOf(to);
  if (replace || address === location.pathname + location.search) history.replaceState(null, "", address);
  else history.pushState(null, "", address);
  route.value = readHere();
}

export function hrefOf(to: Route): string {
  return addressOf(writeRoute(to));
}

/** The same place under the project filter that is set. */
export function inProject(to: Route): Route {
  const { project } = route.value;
  return project === undefined ? to : { ...to, project };
}

export function hrefOfAsk(askId: string): string {
  return hrefOf(inProject({ page: "ask", askId }));
}

/** Follows the browser's buttons, and links within the inbox without loading the page again. */
export function followAddress(): void {
  addEventListener("popstate", () => (route.value = readHere()));
  document.addEventListener("click", (event) => {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    if (!link || link.target !== "" || link.origin !== location.origin || !isPage(link.pathname) || link.hash !== "") return;
    event.preventDefault();
    go(readRoute(link.pathname.slice(base.length), link.search));
  });
}

function isPage(pathname: string): boolean {
  return pathname.startsWith(`${base}/`) && readRoute(pathname.slice(base.length)).page !== "unknown";
}

function readHere(): Route {
  return readRoute(location.pathname.slice(base.length), location.search);
}
