import { useSignal } from "@preact/signals";
import { t } from "../strings";

interface Props {
  readonly text: string;
  readonly label?: string;
}

const SHOWN_MILLISECONDS = 2000;

/** Copies a text and says that it did. */
export function Copy({ text, label = t.copy.copy }: Props) {
  const said = useSignal<string>();
  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
      said.value = t.copy.copied;
    } catch {
      // Without https there is no clipboard: the text stands on the page to be selected.
      said.value = t.copy.failed;
    }
    setTimeout(() => (said.value = undefined), SHOWN_MILLISECONDS);
  }
  return (
    <button type="button" class="button small" aria-live="polite" onClick={() => void copy()}>
      {said.value ?? label}
    </button>
  );
}
