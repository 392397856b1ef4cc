import { signal } from "@preact/signals";
import { Refused } from "../api/problems";
import { Overtaken, sendReply } from "../api/send";
import type { Ask, Reply } from "../contract";
import type { Drafts } from "../inbox/drafts";
import { canonical, standsIn } from "../inbox/replies";
import { nextAfter } from "../inbox/sections";
import { titleOf } from "../inbox/titles";
import { t } from "../strings";
import { asks, drafts, me, messages } from "./desk";
import { catchUp, list } from "./list";
import { go, hrefOfAsk, inProject, openAskId } from "./place";

/** The asks whose reply is on its way. */
export const sending = signal<ReadonlySet<string>>(new Set());

/** Why the last send of an ask failed; its words stand in the composer as before. */
export const failures = signal<ReadonlyMap<string, string>>(new Map());

/** The next ask has just opened by itself: what closes an ask is dead, so that a doubled press answers nothing unread. */
export const resting = signal(false);
const REST_MILLISECONDS = 1000;

const TOAST_MILLISECONDS = 6000;

export async function send(ask: Ask, reply: Reply): Promise<void> {
  if (sending.peek().has(ask.id) || (resting.peek() && reply.outcome !== "follow_up")) return;
  const shelf = drafts.peek();
  // Decided before the reply moves the ask to another section.
  const next = nextAfter(ask.id, list.peek().shown);
  mark(ask.id, true);
  fail(ask.id, undefined);
  try {
    asks.put([await sendReply(ask, reply, keyFor(shelf, ask, reply), me.peek())]);
    clearDraft(shelf, ask.id, reply);
    toast(ask, reply);
    catchUp();
    if (openAskId.peek() === ask.id) advance(next);
  } catch (error) {
    if (error instanceof Overtaken && error.now) asks.put([error.now]);
    fail(ask.id, reasonOf(error));
  } finally {
    mark(ask.id, false);
  }
}

/** One key for one body until it is answered, across reloads too. */
function keyFor(shelf: Drafts, ask: Ask, reply: Reply): string {
  const body = canonical(reply);
  const known = shelf.of(ask.id).peek().attempt;
  if (known?.body === body) return known.key;
  const key = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
  shelf.change(ask.id, { attempt: { key, body, turns: ask.thread.length } });
  return key;
}

/** What was sent leaves the draft; what was written and not part of the reply stays. */
function clearDraft(shelf: Drafts, askId: string, reply: Reply): void {
  if (reply.outcome === "dismissed") shelf.change(askId, { attempt: undefined });
  else if (reply.outcome === "follow_up") shelf.change(askId, { text: "", attempt: undefined });
  else shelf.drop(askId);
}

/** A reply may have arrived while the page was closed, or its response lost: its words are no draft any more. */
export function forgetArrived(ask: Ask): void {
  const { attempt } = drafts.peek().of(ask.id).peek();
  if (!attempt || sending.peek().has(ask.id) || !standsIn(ask, attempt.body, attempt.turns, me.peek())) return;
  clearDraft(drafts.peek(), ask.id, JSON.parse(attempt.body) as Reply);
}

function advance(next: string | undefined): void {
  go(inProject(next === undefined ? { page: "inbox" } : { page: "ask", askId: next }));
  if (next === undefined) return;
  resting.value = true;
  setTimeout(() => (resting.value = false), REST_MILLISECONDS);
}

function toast(ask: Ask, reply: Reply): void {
  const { id } = messages.say(t.sent[reply.outcome](titleOf(ask)), { text: t.view, to: hrefOfAsk(ask.id) });
  setTimeout(() => messages.unsay(id), TOAST_MILLISECONDS);
}

function reasonOf(error: unknown): string {
  if (error instanceof Refused) return t.refused[error.code] ?? error.message;
  return t.unreachable;
}

function mark(askId: string, isSending: boolean): void {
  const next = new Set(sending.peek());
  if (isSending) next.add(askId);
  else next.delete(askId);
  sending.value = next;
}

export function fail(askId: string, reason: string | undefined): void {
  const next = new Map(failures.peek());
  if (reason === undefined) next.delete(askId);
  else next.set(askId, reason);
  failures.value = next;
}
