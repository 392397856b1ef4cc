import { socketAddressOf } from "./base";
import { pauseBefore } from "./backoff";
import { issueTicket } from "./client";

export interface SocketUse {
  /** The socket's path below the base. */
  readonly path: string;
  readonly onFrame: (text: string) => void;

  /** Called with true when the first frame or an open socket shows that it works, with false when it is lost. */
  readonly onLink?: (up: boolean) => void;

  /** A ticket was there and the socket still did not open: something on the way does not let it pass. */
  readonly onBarred?: () => void;
}

/**
 * Keeps a socket open until the returned function is called: a new ticket for every try, growing
 * pauses between them, and a try at once when the network or the person comes back.
 */
export function keepSocket(use: SocketUse): () => void {
  let socket: WebSocket | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let attempt = 0;
  let trying = false;
  let stopped = false;

  async function open(): Promise<void> {
    if (stopped || trying || socket) return;
    clearTimeout(timer);
    trying = true;
    try {
      const ticket = await issueTicket();
      if (!stopped) connect(ticket);
    } catch {
      later();
    } finally {
      trying = false;
    }
  }

  function connect(ticket: string): void {
    const opened = new WebSocket(socketAddressOf(use.path), ["loopback.v1", `loopback.ticket.${ticket}`]);
    let worked = false;
    socket = opened;
    opened.onopen = () => {
      worked = true;
      attempt = 0;
      use.onLink?.(true);
    };
    opened.onmessage = (event) => use.onFrame(String(event.data));
    opened.onclose = () => {
      if (socket !== opened) return;
      socket = undefined;
      if (!worked) use.onBarred?.();
      later();
    };
  }

  function later(): void {
    if (stopped) return;
    use.onLink?.(false);
    clearTimeout(timer);
    timer = setTimeout(() => void open(), pauseBefore(attempt, Math.random()));
    attempt += 1;
  }

  function atOnce(): void {
    if (document.visibilityState === "visible") void open();
  }

  addEventListener("online", atOnce);
  document.addEventListener("visibilitychange", atOnce);
  void open();

  return () => {
    stopped = true;
    clearTimeout(timer);
    removeEventListener("online", atOnce);
    document.removeEventListener("visibilitychange", atOnce);
    socket?.close();
    socket = undefined;
  };
}
