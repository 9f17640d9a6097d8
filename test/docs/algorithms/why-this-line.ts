/**
 * Fills in docs/why-this-line.md. The prose is written there by hand; the reason, the changed line, the
 * counterexample and its picture are generated between comments.
 */
import { type Twin, twins } from '../../../packages/study/src/algorithms/index.ts';
import { drawReplay } from '../../../packages/study/src/cli/picture/replay-diagram.ts';
import { twinCommand } from '../../../packages/study/src/cli/report/algorithm-lists.ts';
import { capture, mutatedLine, rightOf } from '../../../packages/study/test/algorithms/broken/capture.ts';
import type { Makers } from '../../../test-kit/golden/regions.ts';
import { narrate } from './narration.ts';

const CONTEXT = 3;
const WIDTH = 120;

const PARTS: Readonly<Record<string, (twin: Twin) => string[]>> = { why, diff, run };

/** How a run that violates the property ends. The checker names nodes by position, this page by id. */
const ENDS: Readonly<Record<Twin['property'], string>> = {
  uniqueness: 'two nodes lead',
  termination: 'no node leads and no message is in flight',
  agreement: 'not all follow the same leader',
};

function endOf({ ends, property }: Twin): string {
  return ends ?? ENDS[property];
}

/** Every part of every twin, as the page must have them. */
export const partsWanted: readonly string[] = twins.flatMap(({ name }) =>
  Object.keys(PARTS).map((part) => `${part} ${name}`),
);

const makerOf = (part: (twin: Twin) => string[]) => (name: string) => {
  const twin = twins.find((each) => each.name === name);
  if (twin === undefined) throw new Error(`the page speaks of ${name}, which is no twin`);
  return part(twin);
};

export const MAKERS: Makers = Object.fromEntries(
  Object.entries(PARTS).map(([name, part]) => [name, makerOf(part)]),
);

export function pictureOf(twin: Twin): string {
  const { counterexample, replayed } = capture(twin);
  return drawReplay(replayed, { ...counterexample, text: endOf(twin) });
}

function why(twin: Twin): string[] {
  return folded(`*${twin.why}*`);
}

function diff(twin: Twin): string[] {
  const { path, lines, at, right, wrong } = mutatedLine(twin);
  const around = (from: number, to: number) => lines.slice(from, to).filter((each) => each.trim() !== '');
  const shown = [
    ...around(at - CONTEXT, at).map((each) => ` ${each}`),
    `-${right}`,
    `+${wrong}`,
    ...around(at + 1, at + 1 + CONTEXT).map((each) => ` ${each}`),
  ];
  const indent = Math.min(...shown.map((each) => each.slice(1).search(/\S/)));
  const cut = shown.map((each) => each[0] + each.slice(1 + indent));
  return ['```diff', `--- ${path}`, `+++ ${twin.name}`, ...cut, '```'];
}

function run(twin: Twin): string[] {
  const { replayed } = capture(twin);
  return [
    ...narrate(replayed, rightOf(twin).assumes.fifo),
    '',
    `At the end ${endOf(twin)}.`,
    '',
    `![${twin.algorithm.title}: the run above as a space-time diagram](pictures/${twin.name}.svg)`,
    '',
    'To reproduce it:',
    '',
    '```sh',
    `npx ${twinCommand(twin)} # exits 1`,
    '```',
  ];
}

function folded(text: string): string[] {
  const lines = [''];
  for (const word of text.split(' ')) {
    const longer = `${lines.at(-1)} ${word}`.trimStart();
    if (longer.length <= WIDTH) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}
