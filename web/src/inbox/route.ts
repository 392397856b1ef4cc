/** Where in the inbox the page is. The project filter goes along, so that it survives opening an ask. */
export interface Route {
  readonly page: "inbox" | "ask" | "history" | "sign-in" | "unknown";
  readonly askId?: string;
  readonly project?: string;
}

/** Reads an address below the base. */
export function readRoute(path: string, query = ""): Route {
  const project = new URLSearchParams(query).get("project");
  const kept = project === null ? {} : { project };
  if (path === "" || path === "/") return { page: "inbox", ...kept };
  if (path === "/history") return { page: "history", ...kept };
  if (path === "/sign-in") return { page: "sign-in" };
  const ask = /^\/asks\/([^/]+)$/.exec(path);
  const askId = ask?.[1] && decoded(ask[1]);
  return askId ? { page: "ask", askId, ...kept } : { page: "unknown" };
}

/** Writes an address below the base. */
export function writeRoute(route: Route): string {
  const query = route.project === undefined ? "" : `?${new URLSearchParams({ project: route.project })}`;
  switch (route.page) {
    case "ask":
      return `/asks/${encodeURIComponent(route.askId ?? "")}${query}`;
    case "history":
      return `/history${query}`;
    case "sign-in":
      return "/sign-in";
    default:
      return `/${query}`;
  }
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
