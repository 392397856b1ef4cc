import { signal } from "@preact/signals";

/** A passing message; errors never live here alone. */
export interface Toast {
  readonly id: number;
  readonly text: string;
  readonly link?: { readonly text: string; readonly to: string };
}

/** Something that happened to the person's credentials: stays until it is dismissed. */
export interface Notice {
  readonly id: string;
  readonly action: string;
  readonly label?: string;
  readonly at: string;
}

const MOST_TOASTS = 3;

export class Messages {
  readonly toasts = signal<readonly Toast[]>([]);
  readonly notices = signal<readonly Notice[]>([]);
  #count = 0;
  #dismissed = new Set<string>();

  say(text: string, link?: Toast["link"]): Toast {
    const toast: Toast = { id: (this.#count += 1), text, ...(link === undefined ? {} : { link }) };
    this.toasts.value = [...this.toasts.value, toast].slice(-MOST_TOASTS);
    return toast;
  }

  unsay(id: number): void {
    this.toasts.value = this.toasts.value.filter((toast) => toast.id !== id);
  }

  /** A notice may arrive again after a reconnect: once is enough. */
  notice(notice: Notice): void {
    if (this.#dismissed.has(notice.id) || this.notices.value.some((known) => known.id === notice.id)) return;
    this.notices.value = [...this.notices.value, notice];
  }

  dismiss(id: string): void {
    this.#dismissed.add(id);
    this.notices.value = this.notices.value.filter((notice) => notice.id !== id);
  }
}
