import { isBlank, type DiffLine } from "./diff-model";

/** Counts a hunk's lines down from what its head promised, and numbers them. */
export class Count {
  private readonly next: (number | undefined)[];
  private readonly left: number[] | undefined;
  private readonly parents: number;

  constructor(ranges: readonly { start: number; length: number }[] | undefined) {
    this.next = ranges?.map((range) => range.start) ?? [undefined, undefined];
    this.left = ranges?.map((range) => range.length);
    this.parents = this.next.length - 1;
  }

  get full(): boolean {
    return this.left?.every((left) => left <= 0) ?? false;
  }

  get open(): boolean {
    return this.left?.some((left) => left > 0) ?? false;
  }

  get isOneChangeFromFull(): boolean {
    return this.parents === 1 && (this.left?.every((left) => left === 1) ?? false);
  }

  /** The line's marker; a blank line lost its own on the way. Undefined where it is no line of a hunk. */
  markerOf(line: string): string | undefined {
    if (isBlank(line)) return "";
    const marker = line.slice(0, this.parents);
    return marker.length === this.parents && /^[-+ ]*$/.test(marker) ? marker : undefined;
  }

  line(marker: string, text: string): DiffLine {
    const removed = marker.includes("-");
    const kind = removed ? "removed" : marker.includes("+") ? "added" : "same";
    const numbers = this.next.map((_, side) => {
      const inResult = side === this.parents;
      const present = inResult ? !removed : (marker[side] ?? " ") === (removed ? "-" : " ");
      return present ? this.step(side) : undefined;
    });
    return { kind, marker, text, numbers };
  }

  private step(side: number): number | undefined {
    const number = this.next[side];
    if (number !== undefined) this.next[side] = number + 1;
    const left = this.left?.[side];
    if (this.left && left !== undefined) this.left[side] = left - 1;
    return number;
  }
}

/** `-1,3` as its start and its length; one where no length is written. */
export function readRange(range: string): { start: number; length: number } {
  const [start = "", length = "1"] = range.slice(1).split(",");
  return { start: Number(start), length: Number(length) };
}

/** A line that belongs to no side. */
export function note(line: string): DiffLine {
  return { kind: "note", marker: "", text: line, numbers: [] };
}
