import type { ComponentChildren } from "preact";
import type { Actor, AgentEntry, Ask, Entry, HumanEntry, Reply } from "../contract";
import { Markdown } from "../content/Markdown";
import { t } from "../strings";
import { Claim } from "../ui/Claim";
import { Time } from "../ui/Time";
import { Blocks } from "./Blocks";
import { me } from "./desk";

/** The turns after the ask was opened, oldest first. */
export function Thread({ ask }: { readonly ask: Ask }) {
  if (ask.thread.length === 0) return null;
  return (
    <section class="thread" aria-label={t.ask.thread}>
      {ask.thread.map((entry, place) => <Turn key={place} entry={entry} />)}
    </section>
  );
}

function Turn({ entry }: { readonly entry: Entry }) {
  return entry.author === "human" ? <PersonTurn entry={entry} /> : <AgentTurn entry={entry} />;
}

function PersonTurn({ entry }: { readonly entry: HumanEntry }) {
  return (
    <PersonFrame by={entry.by} at={entry.at} did={t.turn[entry.reply.outcome]}>
      <ReplyWords reply={entry.reply} />
    </PersonFrame>
  );
}

export function AgentTurn({ entry }: { readonly entry: AgentEntry }) {
  return (
    <div class="turn agent">
      <p class="turn-head"><b>{t.agent}</b> {t.turn.agent} · <Time at={entry.at} /></p>
      <Markdown text={entry.answer} />
      <Blocks blocks={entry.content} />
    </div>
  );
}

interface FrameProps {
  readonly by: Actor | undefined;
  readonly at: string;
  readonly did: string;
  readonly children: ComponentChildren;
}

/** A person's turn, never to be taken for an agent's. */
export function PersonFrame({ by, at, did, children }: FrameProps) {
  return (
    <div class="turn person">
      <p class="turn-head"><b><Claim text={nameOf(by)} /></b> {did} · <Time at={at} /></p>
      {children}
    </div>
  );
}

export function nameOf(by: Actor | undefined): string {
  return by === undefined || by.id === me.value.id ? t.you : (by.name ?? by.id);
}

/** What the person said in a reply, as they typed it. */
export function ReplyWords({ reply }: { readonly reply: Reply }) {
  switch (reply.outcome) {
    case "answered":
      return (
        <>
          {reply.selected.length > 0 && (
            <p class="picked">{reply.selected.map((label) => <Claim key={label} text={label} class="tag strong" />)}</p>
          )}
          <Words text={reply.text} />
        </>
      );
    case "approved":
      return <Words text={reply.note} />;
    case "changes_requested":
      return <Words text={reply.feedback} />;
    case "follow_up":
      return <Words text={reply.question} />;
    case "dismissed":
    case "responded":
      return null;
  }
}

export function Words({ text }: { readonly text: string | undefined }) {
  return text === undefined ? null : <p class="words" dir="auto">{text}</p>;
}
