// Markdown as vnodes: no HTML string is ever made of an agent's text.
import type { Token } from "markdown-it";
import { Fragment, h, type ComponentChild, type ComponentChildren } from "preact";
import { useId, useMemo } from "preact/hooks";
import { Copy } from "../ui/Copy";
import { Code } from "./Code";
import { reveal } from "./hidden";
import { misleads, readLink } from "./links";
import { parseMarkdown, type Footnote } from "./markdown-parse";
import { phrases } from "./phrases";
import { PlainText } from "./PlainText";

export default function MarkdownTree({ text }: { readonly text: string }) {
  const id = useId();
  const tree = useMemo(() => markdownTree(text, id), [text, id]);
  return tree ? <div class="md">{tree}</div> : <PlainText text={text} />;
}

/** A text as vnodes, its ids beginning with `prefix`; undefined where it is only to be shown as text. */
export function markdownTree(text: string, prefix: string): ComponentChildren | undefined {
  const parsed = parseMarkdown(text);
  return parsed && new Tree(prefix, parsed.footnotes).whole(parsed.tokens);
}

/** An element that is still open, and the words in it so far. */
interface Frame {
  readonly token: Token | undefined;
  readonly children: ComponentChild[];
  words: string;
}

/** What an opening token becomes once its children are known. A tag that is not here is never made. */
type Element = (frame: Frame, tree: Tree) => ComponentChild;

const block = (tag: string): Element => ({ children }) => h(tag, { dir: "auto" }, children);
const inline = (tag: string): Element => ({ children }) => h(tag, null, children);
const cell = (tag: string): Element => ({ token, children }) => {
  const align = /text-align:(left|center|right)/.exec(String(token?.attrGet("style") ?? ""))?.[1];
  return h(tag, { dir: "auto", class: align && `md-${align}` }, children);
};

const ELEMENTS: Record<string, Element> = {
  paragraph_open: ({ token, children }) => (token?.hidden ? <>{children}</> : <p dir="auto">{children}</p>),
  heading_open: heading,
  blockquote_open: quote,
  bullet_list_open: block("ul"),
  ordered_list_open: ({ token, children }) => <ol dir="auto" start={Number(token?.attrGet("start") ?? 1)}>{children}</ol>,
  list_item_open: item,
  table_open: ({ children }) => (
    <div class="md-table" role="group" aria-label={phrases.table} tabIndex={0}>
      <table>{children}</table>
    </div>
  ),
  thead_open: inline("thead"),
  tbody_open: inline("tbody"),
  tr_open: inline("tr"),
  th_open: cell("th"),
  td_open: cell("td"),
  details_open: ({ token, children }) => <details open={token?.meta?.["open"] === true}>{children}</details>,
  summary_open: block("summary"),
  em_open: inline("em"),
  strong_open: inline("strong"),
  s_open: inline("s"),
  link_open: link,
  tag_open: ({ token, children }) => h(token?.tag ?? "span", null, children),
};

class Tree {
  private readonly stack: Frame[] = [];
  private readonly numbers: ReadonlyMap<string, number>;

  /** How far the text's headings are below those of the page, whose own is the ask's title. */
  shift = 1;

  constructor(
    readonly prefix: string,
    private readonly footnotes: readonly Footnote[],
  ) {
    this.numbers = new Map(footnotes.map(({ label }, at) => [label, at + 1]));
  }

  whole(tokens: readonly Token[]): ComponentChildren {
    const levels = tokens.filter(({ type }) => type === "heading_open").map(({ tag }) => Number(tag.slice(1)));
    this.shift = 2 - Math.min(...levels, 6);
    return [...this.children(tokens), this.notes()];
  }

  /** Whether what is drawn now stands in a link, where nothing else may be pressed. */
  get inLink(): boolean {
    return this.stack.some((frame) => frame.token?.type === "link_open");
  }

  private children(tokens: readonly Token[]): ComponentChild[] {
    const root: Frame = { token: undefined, children: [], words: "" };
    this.stack.push(root);
    for (const token of tokens) this.add(token);
    // Frames are always closed: the parser pairs its tokens.
    this.stack.length = this.stack.indexOf(root);
    return root.children;
  }

  private add(token: Token): void {
    if (token.nesting === 1) this.stack.push({ token, children: [], words: "" });
    else if (token.nesting === -1) this.close();
    else if (token.type === "inline") token.children?.forEach((child) => this.add(child));
    else this.put(this.leaf(token), token.type.endsWith("break") ? " " : token.content);
  }

  private close(): void {
    const frame = this.stack.pop();
    const element = ELEMENTS[frame?.token?.type ?? ""];
    if (frame) this.put(element ? element(frame, this) : <>{frame.children}</>, frame.words);
  }

  private put(child: ComponentChild, words: string): void {
    const frame = this.stack.at(-1);
    frame?.children.push(child);
    if (frame) frame.words += words;
  }

  private leaf(token: Token): ComponentChild {
    switch (token.type) {
      case "hardbreak":
      case "softbreak":
        return <br />;
      case "hr":
        return <hr />;
      case "code_inline":
        return <code dir="ltr">{reveal(token.content)}</code>;
      case "fence":
      case "code_block":
        return <Code code={token.content} language={/^[^\s:{,]*/.exec(token.info.trim())?.[0] ?? ""} />;
      case "plain":
        return <PlainText text={token.content} />;
      case "image":
        return this.image(token);
      case "footnote_reference":
        return this.reference(token.content);
      default:
        return token.content;
    }
  }

  /** Images in a text are never loaded: that alone would tell their host what was read, and when. */
  private image(token: Token): ComponentChild {
    const address = String(token.attrGet("src") ?? "");
    const to = readLink(address);
    return (
      <span class="md-image">
        {phrases.image.notLoaded}
        {token.content && `: ${token.content}`}
        <span class="md-host">{to.to === "web" ? to.host : address.slice(0, 40)}</span>
        {!this.inLink && <Copy text={address} label={phrases.image.copyAddress} />}
      </span>
    );
  }

  private reference(label: string): ComponentChild {
    const number = this.numbers.get(label);
    if (this.inLink) return <sup>{number}</sup>;
    return (
      <sup id={`${this.prefix}-from-${label}`}>
        <Jump to={`${this.prefix}-note-${label}`}>{number}</Jump>
      </sup>
    );
  }

  private notes(): ComponentChild {
    if (this.footnotes.length === 0) return null;
    return (
      <div class="md-footnotes" role="group" aria-label={phrases.footnotes}>
        <ol>
          {this.footnotes.map(({ label, tokens }) => (
            <li dir="auto" id={`${this.prefix}-note-${label}`} key={label}>
              {this.children(tokens)} <Jump to={`${this.prefix}-from-${label}`} label={phrases.backToText}>↩</Jump>
            </li>
          ))}
        </ol>
      </div>
    );
  }
}

/** A text's highest heading comes right below the page's own, whatever level it was written with. */
function heading({ token, children }: Frame, tree: Tree): ComponentChild {
  const level = Number(token?.tag.slice(1));
  const props = { id: `${tree.prefix}-${String(token?.meta?.["slug"])}`, class: `md-h${level}`, dir: "auto" };
  return h(`h${Math.min(level + tree.shift, 6)}`, props, children);
}

function quote({ token, children }: Frame): ComponentChild {
  const alert = token?.meta?.["alert"] as keyof typeof phrases.alerts | undefined;
  if (!alert) return <blockquote dir="auto">{children}</blockquote>;
  return (
    <div class={`md-alert md-${alert}`} dir="auto">
      <p class="md-alert-title">{phrases.alerts[alert]}</p>
      {children}
    </div>
  );
}

function item({ token, children }: Frame): ComponentChild {
  const done = token?.meta?.["done"];
  if (typeof done !== "boolean") return <li dir="auto">{children}</li>;
  return (
    <li dir="auto" class="md-task">
      <span class="md-box" role="img" aria-label={done ? phrases.task.done : phrases.task.open}>
        {done ? "☑" : "☐"}
      </span>
      {children}
    </li>
  );
}

function link({ token, children, words }: Frame, tree: Tree): ComponentChild {
  const address = String(token?.attrGet("href") ?? "");
  const to = readLink(address);
  switch (to.to) {
    case "heading":
      return <Jump to={`${tree.prefix}-${to.slug}`}>{children}</Jump>;
    case "nowhere":
      return <Named name={words === address ? undefined : address}>{children}</Named>;
    default:
      return (
        <Named name={misleads(words, to) ? to.host : undefined}>
          <a href={to.href} target="_blank" rel="noopener noreferrer nofollow">
            {children}
          </a>
        </Named>
      );
  }
}

/** Where a link really leads, beside it. */
function Named({ name, children }: { readonly name: string | undefined; readonly children: ComponentChildren }) {
  return h(Fragment, null, children, name && h("span", { class: "md-host", dir: "ltr" }, name));
}

/** A link within the text. The page's address is left alone: it belongs to the inbox. */
function Jump({ to, label, children }: { readonly to: string; readonly label?: string; readonly children: ComponentChildren }) {
  function jump(event: Event): void {
    event.preventDefault();
    event.stopPropagation();
    document.getElementById(to)?.scrollIntoView({ block: "start" });
  }
  return (
    <a href={`#${to}`} aria-label={label} onClick={jump}>
      {children}
    </a>
  );
}
