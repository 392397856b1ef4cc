// The file names of a diff: git quotes them, prefixes them, or leaves the prefix off.

/** A name as git prints it, `"h\303\251llo"` or bare, and what follows it on the line. */
export function unquote(printed: string): { name: string; rest: string } {
  if (!printed.startsWith('"')) return { name: printed, rest: "" };
  const bytes: number[] = [];
  let at = 1;
  while (at < printed.length && printed[at] !== '"') {
    const escape = /\\(?:([0-3][0-7]{2})|(.))/y;
    escape.lastIndex = at;
    const found = escape.exec(printed);
    if (found) {
      const [whole, octal, letter = ""] = found;
      bytes.push(...(octal === undefined ? utf8(ESCAPES[letter] ?? letter) : [parseInt(octal, 8)]));
      at += whole.length;
    } else {
      const char = String.fromCodePoint(printed.codePointAt(at) ?? 0);
      bytes.push(...utf8(char));
      at += char.length;
    }
  }
  return { name: new TextDecoder().decode(new Uint8Array(bytes)), rest: printed.slice(at + 1) };
}

/** The two names of a `diff --git` line, without their prefixes; undefined where the line does not tell them apart. */
export function gitNames(printed: string): { old: string; new: string } | undefined {
  const halves = splitPair(printed);
  if (!halves) return undefined;
  const [left, right] = halves;
  const shared = afterFirstFolder(left);
  // The same name under two prefixes, of git's or one's own; a real move has lines of its own, which are surer.
  if (left !== right && shared !== undefined && shared === afterFirstFolder(right)) return { old: shared, new: shared };
  return left === right ? { old: left, new: right } : withoutPrefixes(left, right);
}

/** The name on a `--- ` or `+++ ` line, its prefix still on; undefined for `/dev/null`. */
export function headerName(line: string): string | undefined {
  const printed = line.slice(4).replace(/\r$/, "");
  const name = printed.startsWith('"')
    ? unquote(printed).name
    : (printed.split("\t", 1)[0] ?? "").replace(/ \d{4}-\d\d-\d\d[ T].*$/, "").trimEnd();
  return name === "/dev/null" ? undefined : name;
}

/** Both names without `a/` and `b/`, or any other pair of git's one-letter prefixes, where both carry one. */
export function withoutPrefixes(old: string, fresh: string): { old: string; new: string } {
  const prefixed = PREFIX.test(old) && PREFIX.test(fresh) && old[0] !== fresh[0];
  return prefixed ? { old: old.slice(2), new: fresh.slice(2) } : { old, new: fresh };
}

/** A name that stands alone (the other side is `/dev/null`), without its prefix. */
export function withoutPrefix(name: string): string {
  return PREFIX.test(name) ? name.slice(2) : name;
}

// a and b; and what `diff.mnemonicPrefix` writes: index, worktree, commit, object.
const PREFIX = /^[abiwco]\//;

const ESCAPES: Record<string, string> = { a: "\x07", b: "\b", t: "\t", n: "\n", v: "\v", f: "\f", r: "\r" };

function afterFirstFolder(name: string): string | undefined {
  const slash = name.indexOf("/");
  return slash < 0 ? undefined : name.slice(slash + 1);
}

function utf8(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function splitPair(printed: string): [string, string] | undefined {
  if (printed.startsWith('"')) {
    const { name, rest } = unquote(printed);
    return rest.startsWith(" ") ? [name, unquote(rest.slice(1)).name] : undefined;
  }
  const quoted = printed.indexOf(' "');
  if (quoted > 0) return [printed.slice(0, quoted), unquote(printed.slice(quoted + 1)).name];
  // Names may hold spaces: only a pair of the same name, split in the middle, is certain.
  const middle = (printed.length - 1) / 2;
  if (printed[middle] === " ") {
    const [left, right] = [printed.slice(0, middle), printed.slice(middle + 1)];
    if (left === right || afterFirstFolder(left) === afterFirstFolder(right)) return [left, right];
  }
  const parts = printed.split(" ", 3);
  return parts.length === 2 ? [parts[0] ?? "", parts[1] ?? ""] : undefined;
}
