import type { Problem } from "../contract";

/** The server said no, and why. What follows is decided by `code`, never by the status. */
export class Refused extends Error {
  constructor(readonly code: string, message: string) {
    super(message);
  }
}

/** No answer came: the server is away, or the network is. */
export class Unreachable extends Error {}

/** The problem in a response that is not a success; something between us and the server may have answered instead. */
export async function problemIn(response: Response): Promise<Refused> {
  try {
    const { code, message } = (await response.clone().json()) as Partial<Problem>;
    if (typeof code === "string") return new Refused(code, message ?? code);
  } catch {
    // Not JSON: said below.
  }
  return new Refused("unavailable", `The server answered ${response.status}.`);
}

/** Whether trying again later can help. */
export function isPassing(error: unknown): boolean {
  return error instanceof Unreachable || (error instanceof Refused && ["unavailable", "rate_limited"].includes(error.code));
}
