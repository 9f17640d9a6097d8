/** Each .trace file is one small run, printed in full. Its first line is the command; further lines with # say what happens. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { expectKept } from '../../../../test-kit/golden/golden.ts';
import { addOptions } from '../../../base/src/command/option-table.ts';
import { registry } from '../../src/algorithms/registry.ts';
import { readOptions, SIMULATE_OPTIONS } from '../../src/cli/flags/simulate-flags.ts';
import { formatEvent } from '../../src/kernel/trace.ts';
import { Run } from '../../src/simulator/simulate.ts';

const folder = new URL('.', import.meta.url);
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();

/** The comment of the file, with the events of its command below it. */
function traceOf(path: string): string {
  const [name, options] = [path.split('/').at(-2), new Command().exitOverride()];
  const algorithm = registry.find((each) => each.name === name);
  if (algorithm === undefined) throw new Error(`no algorithm has the name of the folder of ${path}`);
  // An algorithm may have no trace yet.
  const first = algorithm.assumes.ids === 'anonymous' ? '--nodes 3' : '--ids 2,4,1,3';
  const kept = existsSync(new URL(path, folder)) ? readFileSync(new URL(path, folder), 'utf8') : '';
  const [command = `simulate ${name} ${first}`, ...notes] = kept.match(/(?<=^# ).*$/gm) ?? [];
  const words = command.replace(/^.*?simulate \S+ /, '').split(' ');
  const lines: string[] = [];
  const run = new Run(algorithm, {
    ...readOptions(addOptions(options, SIMULATE_OPTIONS).parse(words, { from: 'user' }).opts()),
    observe: (event) => lines.push(formatEvent(event)),
  });
  while (!run.advance());
  run.outcome();
  return [run.plan.replay, ...notes].map((line) => `# ${line}\n`).join('') + [...lines, ''].join('\n');
}

describe.each(registry.map(({ name }) => name))('%s', (name) => {
  const home = files.find((path) => path.endsWith(`/${name}`));
  const traces = new Set([`${home}/${name}.trace`, ...files.filter((path) => path.startsWith(`${home}/`))]);

  it.each([...traces].filter((path) => path.endsWith('.trace')))('%s is the run of its command', (path) => {
    expect(home, `packages/study/test/algorithms has no folder of ${name}`).toBeDefined();
    expectKept(new URL(path, folder), traceOf(path));
  });
});
