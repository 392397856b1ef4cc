import { en, type Strings } from "./en";

/** Every word the page says. */
export const t: Strings = en;
