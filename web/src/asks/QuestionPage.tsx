import type { Choice, QuestionAsk } from "../contract";
import { Markdown } from "../content/Markdown";
import { pick, picked } from "../inbox/replies";
import { readQuestion } from "../inbox/titles";
import { t } from "../strings";
import { Claim } from "../ui/Claim";
import { Closing } from "./Closing";
import { useCommands, type Handlers } from "./commands";
import { Composer } from "./Composer";
import { drafts } from "./desk";
import { Thread } from "./Thread";

export function QuestionPage({ ask }: { readonly ask: QuestionAsk }) {
  const { body } = readQuestion(ask.prompt.question);
  const isOpen = ask.status !== "closed";
  return (
    <>
      <div class="ask-body" tabIndex={-1}>
        {body !== "" && <Markdown text={body} />}
        {ask.prompt.context !== undefined && (
          <section class="context" aria-label={t.ask.context}>
            <h2>{t.ask.context}</h2>
            <Markdown text={ask.prompt.context} />
          </section>
        )}
        <Thread ask={ask} />
        {ask.prompt.options.length > 0 && isOpen && <Choices ask={ask} />}
        {ask.prompt.options.length > 0 && !isOpen && <Offered options={ask.prompt.options} />}
      </div>
      {isOpen ? <Composer ask={ask} /> : <Closing ask={ask} />}
    </>
  );
}

/** The choices as buttons, with the number that picks each. */
function Choices({ ask }: { readonly ask: QuestionAsk }) {
  const { options, multiple } = ask.prompt;
  const draft = drafts.value.of(ask.id).value;
  const chosen = picked(ask, draft);
  function press(label: string): void {
    const before = drafts.peek().of(ask.id).peek();
    drafts.peek().change(ask.id, { selected: pick(ask, before, label) });
  }
  useCommands(
    Object.fromEntries(options.map(({ label }, place) => [`pick-${place + 1}`, () => press(label)])) as Handlers,
  );
  return (
    <section class="choices" role="group" aria-label={t.ask.choices}>
      <p class="muted">{multiple ? t.ask.pickSome : t.ask.pickOne}</p>
      {options.map((option, place) =>
        multiple ? (
          <label class="choice" key={option.label}>
            <input
              type="checkbox"
              checked={chosen.includes(option.label)}
              onChange={() => press(option.label)}
            />
            <ChoiceWords option={option} place={place} />
          </label>
        ) : (
          <button
            type="button"
            class="choice"
            key={option.label}
            aria-pressed={chosen.includes(option.label)}
            onClick={() => press(option.label)}
          >
            <ChoiceWords option={option} place={place} />
          </button>
        ),
      )}
    </section>
  );
}

function ChoiceWords({ option, place }: { readonly option: Choice; readonly place: number }) {
  return (
    <>
      <kbd aria-hidden="true">{place + 1}</kbd>
      <span class="choice-words">
        <span><Claim text={option.label} class="choice-label" code /></span>{" "}
        {option.description !== undefined && <span class="muted"><Claim text={option.description} code /></span>}
      </span>
    </>
  );
}

/** What was offered, once it can no longer be picked. */
function Offered({ options }: { readonly options: readonly Choice[] }) {
  return (
    <section aria-label={t.ask.choices} class="offered">
      <h2>{t.ask.choices}</h2>
      <ul>
        {options.map(({ label, description }) => (
          <li key={label}>
            <Claim text={label} code /> {description !== undefined && <span class="muted"><Claim text={description} code /></span>}
          </li>
        ))}
      </ul>
    </section>
  );
}
