/** Every command that computes ends soon after Ctrl-C or SIGTERM, also before it has its first state. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { startHustings, temporaryFolder } from '../../test-kit/command.ts';

/** Far more than it takes on an idle machine: a tenth of a second. */
const WITHIN_MS = 15_000;

const HEAD = `
import { counter, defineAlgorithm, message } from '@hustings/study/kernel';
const assumes = { network: 'complete', timing: 'asynchronous', ids: 'unique', fifo: true } as const;
const head = { title: 'x', source: 'a test', cost: '-', params: {}, laws: [], assumes };
`;

const FILES = {
  'coins.ts': `${HEAD}export const coins = defineAlgorithm({
    ...head, name: 'coins', state: { x: counter(100) }, messages: { m: message() },
    onStart(state, ctx) { for (let k = 0; k < 40; k++) state.x += ctx.random(2); }, on: { m() {} } });`,
  'stuck.ts': `${HEAD}export const stuck = defineAlgorithm({
    ...head, name: 'stuck', state: {}, messages: { m: message() },
    onStart() { for (;;); }, on: { m() {} } });`,
  'endless.ts': `${HEAD}export const endless = defineAlgorithm({
    ...head, name: 'endless', state: {}, messages: { m: message() },
    onStart(_state, ctx) { ctx.send(0, 'm'); }, on: { m(_s, _p, _m, ctx) { ctx.forward(0); } } });`,
} as const;

const COMMANDS: readonly (readonly [string, string])[] = [
  ['a product of draws at the start', 'check itai-rodeh --nodes 8 --starts together --set c=8'],
  ['2,000 draws of three nodes at the start', 'check raft --nodes 3 --starts together --set spread=20'],
  ['thousands of terms', 'check bully-hasty --nodes 4 --delay 2 --despite timing --topology complete'],
  ['millions of orders', 'check bully --nodes 10 --orders all'],
  ['millions of orders and sets', 'check bully --nodes 10 --orders all --initiators subsets'],
  ['one thread', 'check dolev-klawe-rodeh --nodes 12 --starts first --reduce none --cores 1'],
  ['two threads', 'check dolev-klawe-rodeh --nodes 12 --starts first --reduce none --cores 2'],
  ['the longest chain', 'check chang-roberts --nodes 7 --orders all --worst time'],
  ['probabilities', 'check itai-rodeh --nodes 5 --set c=60 --probabilities --states 5e6'],
  ['a handler that does not return, in a search', 'check ./stuck.ts --nodes 2'],
  ['a handler that does not return, in a run', 'simulate ./stuck.ts --nodes 2'],
  ['a run without end', 'simulate ./endless.ts --nodes 300'],
  ['a run of many messages', 'simulate chang-roberts --nodes 2e5 --order descending'],
  ['a sweep', 'sweep chang-roberts --nodes 100000 --order descending --runs 4'],
  ['a sweep of runs without end', 'sweep ./endless.ts --nodes 300 --runs 4'],
  ['all claims', 'reproduce --out claims.html'],
];

describe.concurrent('a signal ends', () => {
  const folder = temporaryFolder();
  beforeAll(() => {
    for (const [name, text] of Object.entries(FILES)) writeFileSync(join(folder.path, name), text);
  });

  it.each(COMMANDS)('%s: hustings %s', { timeout: 120_000 }, async (_, line) => {
    for (const [signal, code, afterMs] of [
      ['SIGINT', 130, 1500],
      ['SIGTERM', 143, 300],
      ['SIGTERM', 143, 2500],
    ] as const) {
      const { end, ended } = startHustings(line.split(' '), folder.path);
      await sleep(afterMs);
      end(signal);
      const late = sleep(WITHIN_MS, null, { ref: false });
      const result = await Promise.race([ended, late]);
      end('SIGKILL');
      // Null: the signal itself has ended the process.
      expect([line, signal, afterMs, result?.status ?? null]).toEqual([
        line,
        signal,
        afterMs,
        result === null ? 'ended' : result.status === null ? null : code,
      ]);
    }
  });
});

describe('a search that cannot go on ends by itself', () => {
  const folder = temporaryFolder();

  it('if a step has too many outcomes, and says what to do', async () => {
    writeFileSync(join(folder.path, 'coins.ts'), FILES['coins.ts']);
    const { status, stdout } = await startHustings(['check', './coins.ts', '--nodes', '2'], folder.path)
      .ended;
    expect(stdout).toContain('met a step whose random draws have too many outcomes');
    expect(stdout).toContain('take smaller parameters with --set, or draw from fewer numbers');
    expect(stdout).not.toContain('--bound');
    expect(status).toBe(0);
  });
});

describe('an input without end is refused', () => {
  it.each([
    'replay /dev/zero',
    'simulate chang-roberts --schedule file:/dev/zero',
    'check echo-election --topology edges:/dev/zero',
  ])('by %s', { timeout: 120_000 }, async (line) => {
    const { status, stderr } = await startHustings(line.split(' ')).ended;
    expect(stderr).toContain('it has more than 256 MB');
    expect(status).toBe(2);
  });
});
