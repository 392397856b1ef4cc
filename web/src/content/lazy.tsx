import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";

type Load<P> = () => Promise<{ readonly default: ComponentType<P> }>;

/**
 * A component whose code is fetched when it is first shown. Until then, and where it cannot be fetched,
 * the fallback stands in its place; the next one to be shown tries again.
 */
export function lazy<P extends object>(load: Load<P>, Fallback: ComponentType<P>): ComponentType<P> {
  let loaded: ComponentType<P> | undefined;
  return function Lazy(props: P) {
    const [Inner, setInner] = useState<{ readonly as: ComponentType<P> } | undefined>(loaded && { as: loaded });
    useEffect(() => {
      if (Inner) return undefined;
      let gone = false;
      load()
        .then((module) => {
          loaded = module.default;
          if (!gone) setInner({ as: module.default });
        })
        .catch((fault: unknown) => console.warn(fault));
      return () => {
        gone = true;
      };
    }, [Inner]);
    return Inner ? <Inner.as {...props} /> : <Fallback {...props} />;
  };
}
