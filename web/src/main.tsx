import "./styles/index.css";
import { render } from "preact";
import { pageIsStale } from "./api/client";
import { App } from "./asks/App";
import { listenToKeys } from "./asks/commands";
import { link, openDesk } from "./asks/desk";
import { keepList } from "./asks/list";
import { followAddress } from "./asks/place";

// A part of this page that is no longer on the server: it was replaced by another build.
addEventListener("vite:preloadError", () => {
  if (link.peek() === "up") pageIsStale();
});

openDesk();
keepList();
followAddress();
listenToKeys();

const root = document.getElementById("app");
if (root) render(<App />, root);

// What an ask needs comes while the list paints, so that opening one is at once.
void import("./asks/AskBody").catch(() => undefined);
