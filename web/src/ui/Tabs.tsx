import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";

interface Props {
  readonly label: string;
  readonly tabs: readonly { readonly name: string; readonly content: ComponentChildren }[];
}

/** Tabs as the ARIA pattern has them: arrows go between them, Tab goes into the panel. */
export function Tabs({ label, tabs }: Props) {
  const chosen = useSignal(0);
  const id = useId();
  const current = Math.min(chosen.value, tabs.length - 1);

  function move(event: KeyboardEvent): void {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    event.stopPropagation();
    chosen.value = (current + step + tabs.length) % tabs.length;
    document.getElementById(`${id}-tab-${chosen.value}`)?.focus();
  }

  return (
    <>
      <div class="tabs" role="tablist" aria-label={label} onKeyDown={move}>
        {tabs.map((tab, index) => (
          <button
            type="button"
            role="tab"
            key={tab.name}
            id={`${id}-tab-${index}`}
            aria-selected={index === current}
            aria-controls={`${id}-panel`}
            tabIndex={index === current ? 0 : -1}
            onClick={() => (chosen.value = index)}
          >
            {tab.name}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-tab-${current}`} tabIndex={0}>
        {tabs[current]?.content}
      </div>
    </>
  );
}
