import { computed, effect, signal } from "@preact/signals";
import { arrange, NO_ASKS, projectsOf, SECTIONS } from "../inbox/sections";
import { settle, type Still } from "../inbox/still";
import { asks } from "./desk";
import { route } from "./place";

export const search = signal("");

/** The pointer or the focus is in the list. */
export const held = signal(false);

const arrangement = computed(() =>
  arrange(asks.all.value.values(), { project: route.value.project, words: search.value }),
);

export const projects = computed(() => projectsOf(asks.all.value.values()));

/** What the list shows; it does not move while it is held. */
export const list = signal<Still>({ shown: NO_ASKS, newcomers: 0 });

/** The rows from top to bottom. */
export const order = computed(() => SECTIONS.flatMap((name) => list.value.shown[name]));

/** Lets the list catch up: the person asked for it, or did something that moves it. */
export function catchUp(): void {
  list.value = { shown: arrangement.peek(), newcomers: 0 };
}

export function keepList(): void {
  let filter = "";
  effect(() => {
    const wanted = `${route.value.project ?? ""}\n${search.value}`;
    const holds = held.value && wanted === filter;
    filter = wanted;
    list.value = settle(list.peek().shown, arrangement.value, holds);
  });
}
