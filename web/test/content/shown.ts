import { Fragment, isValidElement, type ComponentChildren } from "preact";

/** A vnode tree as text that reads like HTML. Components stay what they are, with their props. */
export function shown(node: ComponentChildren): string {
  if (Array.isArray(node)) return node.map(shown).join("");
  if (!isValidElement(node)) return typeof node === "string" || typeof node === "number" ? escaped(String(node)) : "";
  const { children, ...props } = node.props as Record<string, unknown> & { children?: ComponentChildren };
  if (node.type === Fragment) return shown(children);
  if (typeof node.type === "function" && TRANSPARENT.has(node.type.name)) return shown((node.type as (props: object) => ComponentChildren)(node.props));
  const name = typeof node.type === "string" ? node.type : node.type.name;
  const written = Object.entries(props)
    .filter(([, value]) => value !== undefined && value !== false && typeof value !== "function")
    .map(([key, value]) => ` ${key}=${escaped(JSON.stringify(value))}`);
  return `<${name}${written.join("")}>${shown(children)}</${name}>`;
}

/** Components without state, that are shown as what they draw. */
const TRANSPARENT = new Set(["Named", "Jump"]);

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
