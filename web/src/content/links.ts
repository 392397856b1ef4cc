// Where a link in an agent's text may lead.

export type Link =
  | { readonly to: "web"; readonly href: string; readonly host: string }
  | { readonly to: "mail"; readonly href: string; readonly host: string }
  | { readonly to: "heading"; readonly slug: string }
  | { readonly to: "nowhere" };

/** Only web and mail addresses are followed, and headings of the same text; anything else is shown and leads nowhere. */
export function readLink(address: string): Link {
  if (address.startsWith("#")) return { to: "heading", slug: slugOf(decoded(address.slice(1))) };
  const url = URL.canParse(address) ? new URL(address) : undefined;
  switch (url?.protocol) {
    case "http:":
    case "https:":
      return { to: "web", href: url.href, host: url.host };
    case "mailto:":
      return { to: "mail", href: url.href, host: decoded(url.pathname) };
    default:
      return { to: "nowhere" };
  }
}

/** Whether a link's words name another place than the one it leads to. */
export function misleads(words: string, { to, host }: Extract<Link, { host: string }>): boolean {
  if (to === "mail") return words.includes("@") && !words.includes(host);
  if (host.includes("xn--")) return true;
  const named = words.match(/[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)*\.\p{L}{2,}/gu) ?? [];
  const hostname = bare(host.replace(/:\d+$/, ""));
  // Of an address written out in full, only its host is a claim.
  const claims = /^https?:\/\/[^\s@]*$/.test(words) ? named.slice(0, 1) : named;
  return claims.some((claim) => bare(ascii(claim)) !== hostname);
}

/** A heading's words as an id, as GitHub makes it. */
export function slugOf(words: string): string {
  const kept = words.trim().toLowerCase().replace(/[^\p{L}\p{N}\p{M}\s_-]/gu, "");
  return kept.replace(/\s/g, "-");
}

function bare(host: string): string {
  return host.toLowerCase().replace(/^www\./, "");
}

function ascii(host: string): string {
  const address = `http://${host}`;
  return URL.canParse(address) ? new URL(address).hostname : host;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
