import { ago, now, onTheClock } from "./clock";

/** A moment, said by how long ago it was; exactly when on hover. */
export function Time({ at }: { readonly at: string }) {
  return (
    <time dateTime={at} title={onTheClock(at)}>
      {ago(at, now.value)}
    </time>
  );
}
