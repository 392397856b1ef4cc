import { useRef } from "preact/hooks";
import { Markdown } from "../content/Markdown";
import { hasWords, type PointState, type PointTurn } from "../inbox/briefing";
import { t } from "../strings";
import { Claim } from "../ui/Claim";
import { Icon } from "../ui/Icon";
import { Blocks } from "./Blocks";
import type { Points } from "./points";
import { sending } from "./sending";
import { AgentTurn, PersonFrame, Words } from "./Thread";

interface Props {
  readonly point: PointState;
  readonly points: Points;

  /** The level of its heading. */
  readonly heading: number;
}

/** One point: a line until it is opened, then what it says, what was said on it, and what lies beneath. */
export function PointView({ point, points, heading }: Props) {
  const { id } = point;
  const Heading = `h${Math.min(heading, 6)}` as "h2";
  const open = points.isOpen(point);
  const standing = standingOf(point, points);
  return (
    <section class={`point level-${point.level} ${standing}`} aria-label={t.briefing.point(id)} data-point={id}>
      <header class="point-line">
        <Heading>
          <button type="button" id={`open-${id}`} aria-expanded={open} onClick={() => points.fold(id, !open)}>
            <Icon name="next" />
            <span class="point-id">{id}</span>
            <span class="point-words">
              <span><Claim text={point.point.title} code /></span>
              <span class="point-state">
                {point.isNew && <b class="new">{t.briefing.isNew}</b>} {t.briefing.state[standing]}
                {!open && point.children.length > 0 && ` · ${t.briefing.under(point.children.length)}`}
              </span>
            </span>
          </button>
        </Heading>
        <ResolveBox point={point} points={points} />
      </header>
      {open && <Body point={point} points={points} heading={heading} />}
    </section>
  );
}

function Body({ point, points, heading }: Props) {
  const { id } = point;
  return (
    <div class="point-body">
      {hasWords(point.point.detail) && <Markdown text={point.point.detail} />}
      <Blocks blocks={point.point.content} />
      {point.turns.map((turn, place) => <Turn key={place} turn={turn} />)}
      {points.ask.status !== "closed" && (
        <textarea
          aria-label={t.briefing.words(id)}
          placeholder={point.resolved ? t.briefing.reopen : t.briefing.placeholder}
          dir="auto"
          rows={1}
          value={points.draft(id).text}
          readOnly={sending.value.has(points.ask.id)}
          onInput={(event) => points.write(id, { text: event.currentTarget.value })}
        />
      )}
      {point.children.map((child) => <PointView key={child.id} point={child} points={points} heading={heading + 1} />)}
    </div>
  );
}

function Turn({ turn }: { readonly turn: PointTurn }) {
  if (turn.author === "agent") return <AgentTurn entry={turn.entry} />;
  return (
    <PersonFrame by={turn.by} at={turn.at} did={turn.text === undefined ? t.turn.resolved : t.turn.wrote}>
      <Words text={turn.text} />
    </PersonFrame>
  );
}

/** Marks the point resolved, with all that lies beneath it; words then decide whether it stays so. */
function ResolveBox({ point, points }: Omit<Props, "heading">) {
  const box = useRef<HTMLInputElement>(null);
  if (points.ask.status === "closed") return null;
  const draft = points.draft(point.id);
  const written = hasWords(draft.text);
  const byParent = !written && !draft.resolved && points.resolved.value.has(point.id);
  return (
    <label class="resolve" title={t.briefing.resolve(point.id)}>
      <input
        type="checkbox"
        ref={box}
        aria-label={t.briefing.resolve(point.id)}
        checked={draft.resolved || byParent}
        // What is resolved already, or with its parent, opens again only by words.
        disabled={byParent || sending.value.has(points.ask.id)}
        onChange={() => {
          points.toggleResolved(point.id);
          box.current?.focus();
        }}
      />
      <span aria-hidden="true">{t.briefing.resolved}</span>
    </label>
  );
}

type Standing = keyof typeof t.briefing.state;

/** Where the point stands, what is written and not sent counting first. */
function standingOf(point: PointState, points: Points): Standing {
  const isOpenAsk = points.ask.status !== "closed";
  if (isOpenAsk && hasWords(points.draft(point.id).text)) return "written";
  const willBeResolved = isOpenAsk ? points.resolved.value.has(point.id) : point.resolved;
  if (willBeResolved) return point.resolved ? "resolved" : "resolving";
  if (isOpenAsk && (point.resolved || points.draft(point.id).resolved)) return "reopened";
  const last = point.turns.at(-1);
  if (last?.author === "agent") return "answered";
  if (last?.author === "human" && points.ask.status === "awaiting_agent") return "sent";
  return "open";
}
