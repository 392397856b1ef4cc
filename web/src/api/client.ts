import { signal } from "@preact/signals";
import createClient, { type Middleware } from "openapi-fetch";
import type { Ask, AskPage, EventTicket, Reply, Snapshot, paths } from "../contract";
import { addressOf } from "./base";
import { problemIn, Refused, Unreachable } from "./problems";
import { dropSession, session } from "./session";

/** The revision of the contract this page writes. */
const REVISION = "1";

const KEPT_ALIVE_CHARACTERS = 15_000;

/** `blocked`: the server refuses this page, it has to be loaded anew. `ready`: a newer page is there. */
export const update = signal<"none" | "ready" | "blocked">("none");

export function pageIsStale(): void {
  update.value = "blocked";
}

/** Everything every request and response has in common. */
const manners: Middleware = {
  onRequest({ request }) {
    request.headers.set("Loopback-Revision", REVISION);
    const half = session.peek()?.half;
    if (half) request.headers.set("Loopback-Session", half);
    return request;
  },
  async onResponse({ request, response }) {
    if (Number(response.headers.get("Loopback-Revision") ?? REVISION) > Number(REVISION) && update.peek() === "none") {
      update.value = "ready";
    }
    if (response.ok) return;
    const problem = await problemIn(response);
    if (problem.code === "reload") pageIsStale();
    // A response to an older session must not end the one that began meanwhile.
    const isOurs = request.headers.get("Loopback-Session") === (session.peek()?.half ?? null);
    if (problem.code === "unauthorized" && isOurs) dropSession();
    throw problem;
  },
  onError({ error }) {
    return error instanceof Refused ? error : new Unreachable("The server could not be reached.");
  },
};

const api = createClient<paths>({ baseUrl: addressOf("/api/v1") });
api.use(manners);

/** The part of the server that is private to this page, outside the contract. */
const inside = createClient<InboxPaths>({ baseUrl: addressOf("/inbox/api") });
inside.use(manners);

export async function readAsk(id: string): Promise<Ask> {
  return body(await api.GET("/asks/{id}", { params: { path: { id } } }));
}

export async function readSnapshot(): Promise<Snapshot> {
  return body(await api.GET("/snapshot"));
}

export async function readHistory(before?: string): Promise<AskPage> {
  return body(await api.GET("/asks", { params: { query: { limit: 50, ...(before === undefined ? {} : { before }) } } }));
}

export async function postReply(id: string, reply: Reply, key: string): Promise<Ask> {
  return body(
    await api.POST("/asks/{id}/reply", {
      params: { path: { id } },
      headers: { "Idempotency-Key": key },
      body: reply,
      // A reply goes out although its page is closed at once; browsers allow that to small bodies only.
      keepalive: JSON.stringify(reply).length < KEPT_ALIVE_CHARACTERS,
    }),
  );
}

export async function issueTicket(): Promise<string> {
  return body<EventTicket>(await api.POST("/events/tickets")).ticket;
}

export async function redeemSession(code: string): Promise<Opened> {
  return body(await inside.POST("/session", { body: { code } }));
}

export async function endSession(): Promise<void> {
  await inside.DELETE("/session");
}

export async function readConnections(): Promise<readonly ConnectionLine[]> {
  return body<Connections>(await inside.GET("/connections")).lines;
}

/** Where an uploaded image is shown from; the cookie alone opens it. */
export function fileUrl(uploadId: string): string {
  return addressOf(`/api/v1/files/${encodeURIComponent(uploadId)}`);
}

/** The body of a success. Its type is named by the caller: the client's own loses read-only lists on the way. */
function body<T>({ data }: { data?: unknown }): T {
  if (data === undefined) throw new Refused("unavailable", "The server sent no body.");
  return data as T;
}

export interface Opened {
  readonly half: string;
  readonly space: string;
  readonly actor: { readonly id: string; readonly name?: string };
}

/** How one MCP client is told about this server. */
export interface ConnectionLine {
  readonly client: string;
  readonly command: string;
}

interface Connections {
  readonly lines: readonly ConnectionLine[];
}

type Json<T> = { content: { "application/json": T } };

interface InboxPaths {
  "/session": {
    post: { requestBody: Json<{ code: string }>; responses: { 201: Json<Opened> } };
    delete: { responses: { 204: { content?: never } } };
  };
  "/connections": { get: { responses: { 200: Json<Connections> } } };
}
