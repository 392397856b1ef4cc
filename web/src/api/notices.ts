import type { Notice } from "../inbox/messages";
import { keepSocket } from "./socket";

/** Follows what happens to the person's credentials: the private live socket. */
export function followNotices(show: (notice: Notice) => void): () => void {
  return keepSocket({
    path: "/inbox/api/live",
    onFrame: (text) => {
      const frame = JSON.parse(text) as Partial<Notice> & { type?: string };
      if (frame.type === "notice" && frame.id && frame.action && frame.at) show(frame as Notice);
    },
  });
}
