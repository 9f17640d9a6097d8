/** What the command of each refuted claim must print: the figure or the event that refutes it. */

/** A test of the output of a command. */
export type Shows = (output: string) => boolean;

const prints =
  (...patterns: readonly RegExp[]): Shows =>
  (output) =>
    patterns.every((pattern) => pattern.test(output));

const countOf = (output: string, pattern: RegExp): number => [...output.matchAll(pattern)].length;

/** The mean of a size in the table of a sweep. */
function meanOf(output: string, title: string, n: number): number {
  const [, table = ''] = output.split(`${title}\n`);
  const [, mean = ''] = new RegExp(`^ *${n} +\\d+ +([\\d.]+)`, 'm').exec(table) ?? [];
  return Number(mean);
}

/** The number of messages that name each id, in a trace. */
function messagesById(output: string): Map<number, number> {
  const counts = new Map<number, number>();
  for (const [, id] of output.matchAll(/ send \d+ > \d+ (?:probe|reply) id=(\d+)/g)) {
    counts.set(Number(id), (counts.get(Number(id)) ?? 0) + 1);
  }
  return counts;
}

const SUN_2 = prints(/^election messages +100 /m, /^announcement messages +84 /m, /^⟨gather⟩ messages +12 /m);

/** By claim. The list of refuted claims is a result: a change of it is one. */
export const refutations: Readonly<Record<string, Shows>> = {
  'chang-roberts/slip': prints(/^election messages +36 /m),
  'chang-roberts/worst-arrangement': prints(/^election messages +24 +≤ nk − k\(k−1\)\/2 = 33 /m),
  'chang-roberts/best-arrangement': prints(/^election messages +20 /m),
  'chang-roberts/logarithm': prints(/^election messages +16 /m, / send 0 > 1 token id=1$/m),
  'chang-roberts/steps-printed': (output) => countOf(output, / send \d > \d token id=1$/gm) === 2,
  'chang-roberts/literal': prints(/^election messages +376 +2n−1 = 31 +✗/m),
  'chang-roberts/dropped-side': (output) =>
    output.includes('id 1 leads') &&
    countOf(output, / send \d > \d token id=8$/gm) === 1 &&
    countOf(output, / send \d > \d token id=1$/gm) === 8,
  'chang-roberts/lowest-seen': prints(/^refuted: .*: 0 messages saved on FIFO links/m),
  'chang-roberts/break': prints(/termination is violated: no node has decided/),
  'chang-roberts/sum-slip': prints(/^refuted: .* give 36; .* is −20$/m),
  'all-circulate/printed': prints(/agreement is violated: node 0 is a follower of 1/),
  'hirschberg-sinclair/there-only': (output) =>
    countOf(output, / send \d > \d (?:probe|reply) id=2 phase=0/g) === 4,
  'hirschberg-sinclair/ends': prints(/2 nodes on a ring/, / send \d > \d probe id=2 phase=1/),
  'hirschberg-sinclair/core-idea': (output) => {
    const counts = messagesById(output);
    return counts.get(32) === Math.max(...counts.values()) && (counts.get(1) ?? 0) <= 2;
  },
  'peterson-bidirectional/later-phases': prints(/^refuted: /m, /^2 +0\.32[89]/m),
  'peterson-bidirectional/floor': (output) => meanOf(output, 'Peterson, bidirectional', 80) / 160 > 4.5,
  'peterson-bidirectional/eager-bound': prints(/^election messages +660$/m),
  'peterson/printed': prints(
    /uniqueness is violated: nodes 0 and 2 both lead/,
    /4, 1, 3, 2/,
    /nodes 0, 1, 2, 3 have started/,
  ),
  'randomized-chang-roberts/saving': (output) =>
    1 - meanOf(output, 'Chang–Roberts, randomized', 256) / meanOf(output, 'Chang–Roberts', 256) < 0.25,
  'randomized-chang-roberts/mean': (output) =>
    meanOf(output, 'Chang–Roberts, randomized', 256) / (256 * Math.log(256)) > 0.8,
  // Without the round of the largest token.
  'randomized-chang-roberts/pairs': (output) =>
    1 - (meanOf(output, 'Chang–Roberts, randomized', 64) - 64) / (meanOf(output, 'Chang–Roberts', 64) - 64) <
    0.25,
  'ring-list/two-rounds': prints(/^election messages +8 /m, /^announcement messages +7 /m),
  'ring-max/product': prints(/^election messages +31 /m, /^announcement messages +16 /m),
  'ring-max/printed': prints(/termination is violated: a fair schedule never ends/),
  'sun/as-printed': prints(/id 28 leads/, /^election messages +88 /m, /^announcement messages +84 /m),
  'sun/exponent': SUN_2,
  'sun/lengths': prints(/^announcement messages +160 /m, /^⟨M-coordinator⟩ messages +32 /m),
  'sun/eight-steps': SUN_2,
  'sun/one-level-latency': prints(/^announcement returned at +54 /m),
  'sun/latency': prints(/^announcement returned at +24 /m),
  'divided/partition-messages': prints(/^⟨divide⟩ messages +4 /m),
  'paper-table/bully': prints(/^election messages +63$/m, /^announcement messages +62 /m),
  'paper-table/ring': prints(/^election messages +64 /m, /^announcement messages +63 /m),
  'paper-table/s1': prints(/^announcement returned at +54 /m),
  'paper-table/d1': prints(/^announcement returned at +38 /m),
  'paper-table/s2': SUN_2,
  'impossibility/prime': prints(/✗ all 3 nodes lead/),
  'tree-election/ring-bounds': prints(
    /1024 nodes on a star/,
    /^election messages +3070 /m,
    /^announcement messages +1022 /m,
  ),
  'bully/five': prints(/^agreed at +4 /m),
  'bully/best': prints(/^announcement messages +14 /m, /^agreed at +3 /m),
  'bully/last-caller': (output) => {
    const callers = [...output.matchAll(/ send (\d) > \d election /g)].map(([, node]) => node);
    const [last] = callers.filter((node, at) => callers.indexOf(node) === at).slice(-1);
    return output.includes('leads at position 4') && last !== '4';
  },
  'bully/middle': prints(/^election messages +1024$/m),
  'bully/five-steps': prints(/^agreed at +4 /m),
  'bully/repeat': (output) =>
    countOf(output, / send 2 > 3 election /g) === 30 && !output.includes(' coordinator '),
  'bully-grant/resolves': prints(/^election messages +962$/m),
  'bully-successor/overcomes': prints(/^election messages +3907$/m),
};
