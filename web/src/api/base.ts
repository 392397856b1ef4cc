/**
 * The path the inbox is served under, without a slash at its end; often empty. Assets live in
 * `{base}/assets/`, so this module's own address tells. (The dev server serves the sources at the root.)
 */
const own = import.meta.url;
export const base = import.meta.env.DEV ? "" : new URL("..", own).pathname.replace(/\/$/, "");

/** The address of a path of the inbox. */
export function addressOf(path: string): string {
  return base + path;
}

/** The address of one of the inbox's sockets. */
export function socketAddressOf(path: string): string {
  const address = new URL(addressOf(path), location.href);
  address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
  return address.href;
}
