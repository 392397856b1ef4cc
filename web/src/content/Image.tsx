import { useState } from "preact/hooks";
import { Claim } from "../ui/Claim";
import { Dialog } from "../ui/Dialog";
import { phrases } from "./phrases";

interface Props {
  readonly src: string;
  readonly caption?: string | undefined;
}

type State = "loading" | "shown" | "missing";

/** An uploaded image; pressed, it opens at full size. */
export function Image({ src, caption }: Props) {
  const [state, setState] = useState<State>("loading");
  const [open, setOpen] = useState(false);
  const name = caption || phrases.image.unnamed;
  return (
    <figure class="image" aria-busy={state === "loading"}>
      {state === "missing" ? (
        <div class="image-missing" role="status">
          <p>{phrases.image.missing}</p>
          <button type="button" class="button small" onClick={() => setState("loading")}>
            {phrases.image.again}
          </button>
        </div>
      ) : (
        <button type="button" class={`image-open image-${state}`} title={phrases.image.open} onClick={() => setOpen(true)}>
          <img src={src} alt={name} decoding="async" onLoad={() => setState("shown")} onError={() => setState("missing")} />
        </button>
      )}
      {caption && (
        <figcaption>
          <Claim text={caption} />
        </figcaption>
      )}
      {open && <FullSize src={src} name={name} onClose={() => setOpen(false)} />}
    </figure>
  );
}

function FullSize({ src, name, onClose }: { readonly src: string; readonly name: string; readonly onClose: () => void }) {
  const [actual, setActual] = useState(false);
  return (
    <Dialog title={name} onClose={onClose}>
      <div class={`image-full ${actual ? "image-actual" : ""}`} tabIndex={0}>
        <img src={src} alt={name} />
      </div>
      <button type="button" class="button small" aria-pressed={actual} onClick={() => setActual(!actual)}>
        {actual ? phrases.image.fit : phrases.image.actual}
      </button>
    </Dialog>
  );
}
