import type { Actor, Ask, Reply } from "../contract";
import { canonical, standsIn } from "../inbox/replies";
import { pauseBefore } from "./backoff";
import { postReply, readAsk } from "./client";
import { isPassing, Refused } from "./problems";

const TRIES = 4;

/**
 * Sends a reply, again where the network failed, always under the same key. A refusal is a success
 * when the ask shows that an earlier try, whose response was lost, has arrived.
 */
export async function sendReply(ask: Ask, reply: Reply, key: string, me: Actor): Promise<Ask> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await postReply(ask.id, reply, key);
    } catch (error) {
      if (error instanceof Refused && ["ask.closed", "ask.agents_turn"].includes(error.code)) {
        const now = await readAsk(ask.id).catch(() => undefined);
        if (now && standsIn(now, canonical(reply), ask.thread.length, me)) return now;
        throw new Overtaken(error.code, error.message, now);
      }
      if (!isPassing(error) || attempt + 1 === TRIES) throw error;
      await new Promise((resume) => setTimeout(resume, pauseBefore(attempt, Math.random())));
    }
  }
}

/** The ask moved on before the reply came; how it stands now, where that could be read. */
export class Overtaken extends Refused {
  constructor(code: string, message: string, readonly now: Ask | undefined) {
    super(code, message);
  }
}
