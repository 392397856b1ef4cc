import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import type { QuestionAsk, ReviewAsk } from "../contract";
import { hasWords } from "../inbox/briefing";
import { INTENTS, replyOf, type Intent } from "../inbox/replies";
import { t } from "../strings";
import { Failure } from "./Closing";
import { useCommands, type Handlers } from "./commands";
import { drafts } from "./desk";
import { resting, send, sending } from "./sending";

const SEND_KEYS = /Mac|iPhone|iPad/.test(navigator.userAgent) ? "⌘ Enter" : "Ctrl Enter";

/** One text for whatever the person decides, and the decisions beneath it. */
export function Composer({ ask }: { readonly ask: QuestionAsk | ReviewAsk }) {
  const words = useRef<HTMLTextAreaElement>(null);
  const first: Intent = ask.kind === "question" ? "answer" : "changes";
  const intent = useSignal<Intent>(first);
  const hint = useSignal("");

  const draft = drafts.value.of(ask.id).value;
  const isMine = ask.status === "awaiting_human";
  const isBusy = sending.value.has(ask.id);

  function decide(decision: Intent): void {
    const reply = replyOf(decision, ask, drafts.peek().of(ask.id).peek());
    hint.value = "";
    if (!isMine || isBusy) return;
    if (reply) void send(ask, reply);
    else intend(decision, t.reply.needsWords);
  }

  /** Says what the words will be, and leads to them. */
  function intend(wanted: Intent, why = ""): void {
    intent.value = wanted;
    hint.value = why;
    words.current?.focus();
  }

  const review: Handlers = { approve: () => decide("approve"), changes: () => intend("changes") };
  useCommands({
    ...(ask.kind === "review" ? review : {}),
    reply: () => intend(first),
    "ask-back": () => intend("ask-back"),
    dismiss: () => decide("dismiss"),
    send: () => decide(intent.value),
  });

  const canSend = replyOf(intent.value, ask, draft) !== undefined;
  return (
    <footer class="ask-foot">
      <Failure askId={ask.id} />
      {!isMine && <p class="foot-note" role="status">{t.reply.agentsTurn}</p>}
      <textarea
        ref={words}
        aria-label={t.reply.label}
        placeholder={t.reply.placeholder[ask.kind]}
        dir="auto"
        rows={1}
        value={draft.text}
        readOnly={isBusy}
        onInput={(event) => drafts.value.change(ask.id, { text: event.currentTarget.value })}
      />
      <div class={`actions of-${INTENTS[ask.kind].length}`} role="group" aria-label={t.reply.label2}>
        {INTENTS[ask.kind].map((option) => (
          <button
            type="button"
            key={option}
            class={classOf(option, intent.value, hasWords(draft.text))}
            disabled={!isMine || isBusy || (resting.value && option !== "ask-back") || replyOf(option, ask, draft) === undefined}
            onClick={() => decide(option)}
          >
            {t.reply[option]}
          </button>
        ))}
        <span class="actions-hint" role="status">
          {isBusy ? t.reply.sending : hint.value || (isMine && canSend && t.reply.sends(SEND_KEYS, t.reply[intent.value]))}
        </span>
      </div>
    </footer>
  );
}

/** One button leads: what the keys would send, or what most often is meant. */
function classOf(option: Intent, intent: Intent, written: boolean): string {
  if (option === "dismiss") return "button quiet";
  const leading = written || intent === "answer" ? intent : "approve";
  return option === leading ? "button primary" : "button";
}
