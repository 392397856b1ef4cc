import { useEffect } from "preact/hooks";
import type { Ask } from "../contract";
import { BriefingPage } from "./BriefingPage";
import { QuestionPage } from "./QuestionPage";
import { ReviewPage } from "./ReviewPage";
import { forgetArrived } from "./sending";

/** What an ask says and how it is replied to, by its kind. Loaded beside the list, which does not wait for it. */
export default function AskBody({ ask }: { readonly ask: Ask }) {
  useEffect(() => forgetArrived(ask), [ask]);
  switch (ask.kind) {
    case "question":
      return <QuestionPage ask={ask} />;
    case "review":
      return <ReviewPage ask={ask} />;
    case "briefing":
      return <BriefingPage ask={ask} />;
  }
}
