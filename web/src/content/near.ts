import type { RefObject } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

/** Near is within this much of the window, so that scrolling rarely sees the change. */
const MARGIN = "800px";

const waiting = new Map<Element, () => void>();
let observer: IntersectionObserver | undefined;

/** A reference for an element, and whether it has been near the window yet. */
export function useNear<E extends Element>(): [RefObject<E | null>, boolean] {
  const place = useRef<E>(null);
  const [near, setNear] = useState(false);
  useEffect(() => {
    const element = place.current;
    if (near || !element) return undefined;
    return whenNear(element, () => setNear(true));
  }, [near]);
  return [place, near];
}

/** Calls back once, when the element comes near. Gives what stops waiting for it. */
function whenNear(element: Element, then: () => void): () => void {
  observer ??= new IntersectionObserver(tell, { rootMargin: MARGIN });
  waiting.set(element, then);
  observer.observe(element);
  return () => forget(element);
}

function tell(entries: readonly IntersectionObserverEntry[]): void {
  for (const { isIntersecting, target } of entries) {
    if (!isIntersecting) continue;
    const then = waiting.get(target);
    forget(target);
    then?.();
  }
}

function forget(element: Element): void {
  waiting.delete(element);
  observer?.unobserve(element);
}
