import { useEffect, useMemo } from "preact/hooks";
import type { BriefingAsk } from "../contract";
import { Markdown } from "../content/Markdown";
import { hasWords } from "../inbox/briefing";
import { t } from "../strings";
import { Claim } from "../ui/Claim";
import { Closing, Failure } from "./Closing";
import { useCommands } from "./commands";
import { PointView } from "./PointView";
import { Points } from "./points";
import { resting, send, sending } from "./sending";

export function BriefingPage({ ask }: { readonly ask: BriefingAsk }) {
  const points = useMemo(() => new Points(ask), [ask]);
  const isOpen = ask.status !== "closed";
  useCommands({
    "next-point": () => visit(points, 1),
    "previous-point": () => visit(points, -1),
    resolve: () => {
      const id = pointInFocus();
      if (id !== undefined && isOpen) points.toggleResolved(id);
    },
    reply: () => {
      const id = pointInFocus() ?? points.next(undefined, 1);
      if (id === undefined || !isOpen) return;
      points.reveal(id);
      requestAnimationFrame(() => document.querySelector<HTMLElement>(`[data-point="${id}"] > .point-body > textarea`)?.focus());
    },
  });
  useEffect(() => {
    const id = location.hash.slice(1);
    if (points.state.order.some((point) => point.id === id)) show(points, id);
  }, []);

  return (
    <>
      <div class="ask-body" tabIndex={-1}>
        {ask.prompt.summary !== undefined && (
          <section class="summary" aria-label={t.ask.summary}>
            <Markdown text={ask.prompt.summary} />
          </section>
        )}
        <Progress points={points} />
        {points.state.sections.map((section, place) => (
          <div class="points" key={place}>
            {section.title !== undefined && <h2><Claim text={section.title} code /></h2>}
            {section.points.map((point) => (
              <PointView key={point.id} point={point} points={points} heading={section.title === undefined ? 2 : 3} />
            ))}
          </div>
        ))}
      </div>
      {isOpen ? <SendBar points={points} /> : <Closing ask={ask} />}
    </>
  );
}

function Progress({ points }: { readonly points: Points }) {
  const { left, order } = points.state;
  const isOpen = points.ask.status !== "closed";
  const anyFolded = order.some((point) => !points.isOpen(point));
  return (
    <div class="progress">
      <progress max={order.length} value={order.length - left} aria-label={t.briefing.resolved} />
      <span>{t.list.left(left, order.length)}</span>
      <span class="progress-actions">
        {isOpen && left > 0 && (
          <>
            <button type="button" class="button small" onClick={() => visit(points, 1)}>{t.briefing.next}</button>
            <button type="button" class="button small" onClick={() => points.resolveRest()}>{t.briefing.resolveRest}</button>
          </>
        )}
        <button type="button" class="button small" onClick={() => points.foldAll(anyFolded)}>
          {anyFolded ? t.briefing.openAll : t.briefing.foldAll}
        </button>
      </span>
    </div>
  );
}

/** Sends everything written on the points as one reply, or says why that cannot be. */
function SendBar({ points }: { readonly points: Points }) {
  const { ask } = points;
  const replies = points.replies.value;
  const verdict = points.verdict.value;
  const isMine = ask.status === "awaiting_human";
  const isBusy = sending.value.has(ask.id);
  const canSend = isMine && !isBusy && !(resting.value && verdict === "closes") && (verdict === "asks" || verdict === "closes");
  const sum = t.briefing.sum(
    replies.filter((reply) => hasWords(reply.text)).length,
    replies.filter((reply) => reply.resolved === true).length,
  );

  const submit = () => {
    if (canSend) void send(ask, { outcome: "responded", points: replies });
  };
  const dismiss = () => {
    if (!isBusy && !resting.peek()) void send(ask, { outcome: "dismissed" });
  };
  useCommands({ send: submit, dismiss, "resolve-rest": () => points.resolveRest() });

  return (
    <footer class="ask-foot">
      <Failure askId={ask.id} />
      <p class="foot-note" role="status" id="verdict">
        {sum !== "" && <b>{sum}. </b>}
        {isMine ? t.briefing.verdict[verdict] : t.reply.agentsTurn}
      </p>
      <div class="actions of-2" role="group" aria-label={t.reply.label2}>
        <button type="button" class="button primary" disabled={!canSend} aria-describedby="verdict" onClick={submit}>
          {isBusy ? t.reply.sending : t.briefing.send}
        </button>
        <button type="button" class="button quiet" disabled={isBusy || resting.value} onClick={dismiss}>{t.reply.dismiss}</button>
      </div>
    </footer>
  );
}

/** Goes to the next point that still needs the person. */
function visit(points: Points, step: 1 | -1): void {
  const id = points.next(pointInFocus(), step);
  if (id !== undefined) show(points, id);
}

function pointInFocus(): string | undefined {
  return document.activeElement?.closest("[data-point]")?.getAttribute("data-point") ?? undefined;
}

function show(points: Points, id: string): void {
  points.reveal(id);
  requestAnimationFrame(() => document.getElementById(`open-${id}`)?.focus());
}
