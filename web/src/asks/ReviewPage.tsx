import type { ReviewAsk } from "../contract";
import { Markdown } from "../content/Markdown";
import { t } from "../strings";
import { Blocks } from "./Blocks";
import { Closing } from "./Closing";
import { Composer } from "./Composer";
import { Thread } from "./Thread";

export function ReviewPage({ ask }: { readonly ask: ReviewAsk }) {
  return (
    <>
      <div class="ask-body" tabIndex={-1}>
        {ask.prompt.summary !== undefined && (
          <section class="summary" aria-label={t.ask.summary}>
            <Markdown text={ask.prompt.summary} />
          </section>
        )}
        <Blocks blocks={ask.prompt.content} />
        <Thread ask={ask} />
      </div>
      {ask.status === "closed" ? <Closing ask={ask} /> : <Composer ask={ask} />}
    </>
  );
}
