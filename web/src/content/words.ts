// Which words of two paired lines differ.

/** A stretch of a line, from one character to before another. */
export type Range = readonly [from: number, to: number];

export interface WordMarks {
  readonly old: readonly Range[];
  readonly new: readonly Range[];
}

/** Marks on lines that share less than this would only be noise. */
const SHARED_AT_LEAST = 0.3;
const LONGEST_LINE = 2_000;
const MOST_TOKENS = 200;

/** The words that differ between two lines; nothing where the lines have too little in common, or are too long to compare. */
export function markWords(old: string, fresh: string): WordMarks | undefined {
  if (old === fresh || old.length > LONGEST_LINE || fresh.length > LONGEST_LINE) return undefined;
  const [before, after] = [tokens(old), tokens(fresh)];
  const head = sharedHead(before, after);
  const tail = sharedTail(before.slice(head), after.slice(head));
  const middleBefore = before.slice(head, before.length - tail);
  const middleAfter = after.slice(head, after.length - tail);
  const kept = commonWords(middleBefore, middleAfter);

  const keptBefore = [...all(head), ...kept.map(([at]) => at + head), ...all(tail, before.length - tail)];
  const keptAfter = [...all(head), ...kept.map(([, at]) => at + head), ...all(tail, after.length - tail)];
  const shared = keptBefore.reduce((sum, at) => sum + (before[at]?.trim().length ?? 0), 0);
  const longer = Math.max(solid(old), solid(fresh));
  if (longer === 0 || shared / longer < SHARED_AT_LEAST) return undefined;
  return { old: rangesBesides(keptBefore, before), new: rangesBesides(keptAfter, after) };
}

function tokens(line: string): string[] {
  return line.match(/[\p{L}\p{N}_]+|\s+|./gsu) ?? [];
}

function solid(line: string): number {
  return line.replace(/\s/g, "").length;
}

function all(count: number, from = 0): number[] {
  return Array.from({ length: count }, (_, at) => from + at);
}

function sharedHead(one: readonly string[], other: readonly string[]): number {
  let count = 0;
  while (count < one.length && count < other.length && one[count] === other[count]) count++;
  return count;
}

function sharedTail(one: readonly string[], other: readonly string[]): number {
  return sharedHead(one.toReversed(), other.toReversed());
}

/** The longest common subsequence, as pairs of positions; nothing where the middles are too long for it. */
function commonWords(one: readonly string[], other: readonly string[]): [number, number][] {
  if (one.length > MOST_TOKENS || other.length > MOST_TOKENS) return [];
  const width = other.length + 1;
  const lengths = new Uint16Array((one.length + 1) * width);
  const length = (row: number, column: number) => lengths[row * width + column] ?? 0;
  for (let row = one.length - 1; row >= 0; row--) {
    for (let column = other.length - 1; column >= 0; column--) {
      lengths[row * width + column] =
        one[row] === other[column]
          ? length(row + 1, column + 1) + 1
          : Math.max(length(row + 1, column), length(row, column + 1));
    }
  }
  const pairs: [number, number][] = [];
  for (let [row, column] = [0, 0]; row < one.length && column < other.length; ) {
    if (one[row] === other[column]) pairs.push([row++, column++]);
    else if (length(row + 1, column) >= length(row, column + 1)) row++;
    else column++;
  }
  return pairs;
}

/** The stretches of a line that none of the kept tokens covers. */
function rangesBesides(kept: readonly number[], words: readonly string[]): Range[] {
  const keep = new Set(kept);
  const ranges: [number, number][] = [];
  let at = 0;
  words.forEach((word, index) => {
    const last = ranges.at(-1);
    if (keep.has(index)) at += word.length;
    else {
      if (last && last[1] === at) last[1] += word.length;
      else ranges.push([at, at + word.length]);
      at += word.length;
    }
  });
  return ranges;
}
