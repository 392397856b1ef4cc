import { lazy } from "./lazy";
import { PlainText } from "./PlainText";

/** A text in GitHub's markdown; as plain text until the code for it is there. */
export const Markdown = lazy<{ readonly text: string }>(() => import("./MarkdownTree"), PlainText);
