import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { livingInSession } from '../../src/lease/process-table.ts';
import { buildBefore, temporaryFolder } from '../cli/command.ts';
import { eventually } from './eventually.ts';
import { Fleet, type Start, type Temper } from './fleet.ts';

buildBefore();
const folder = temporaryFolder();
const TTL_MS = 3_000;
const fleets: Fleet[] = [];
afterAll(() => Promise.all(fleets.map((fleet) => fleet.end())));

function makeFleet(name: string, temper: Temper): Fleet {
  const fleet = new Fleet(join(folder.path, name), temper, `${TTL_MS}ms`);
  fleets.push(fleet);
  return fleet;
}

interface Fault {
  readonly name: string;
  readonly signal: NodeJS.Signals;
  readonly to: 'wrapper' | 'guard';
  /** From which moment the bound counts. */
  readonly from: 'fault' | 'death';
  readonly boundMs: number;
}

const FAULTS: readonly Fault[] = [
  {
    name: 'kill -9 of the leading wrapper',
    signal: 'SIGKILL',
    to: 'wrapper',
    from: 'fault',
    boundMs: TTL_MS + 1_000,
  },
  {
    name: 'SIGSTOP of the leading wrapper',
    signal: 'SIGSTOP',
    to: 'wrapper',
    from: 'fault',
    boundMs: TTL_MS + 1_000,
  },
  { name: 'SIGTERM to the leading wrapper', signal: 'SIGTERM', to: 'wrapper', from: 'death', boundMs: 1_000 },
  { name: 'kill -9 of its guard', signal: 'SIGKILL', to: 'guard', from: 'fault', boundMs: TTL_MS + 1_000 },
];
const CASES = FAULTS.flatMap((fault) =>
  (['meek', 'stubborn'] as const).map((temper) => ({
    ...fault,
    temper,
    title: `${fault.name}, ${temper} commands`,
  })),
);

describe.concurrent('three wrappers of one election', () => {
  it.each(CASES)('after $title: the next starts in time, when the old one is dead', async (fault) => {
    const fleet = makeFleet(`${fault.to}-${fault.signal}-${fault.temper}`, fault.temper);
    for (const label of ['a', 'b', 'c']) fleet.launch(label, '--grace', '500ms');
    const first = await fleet.start(1);
    const wrapper = fleet.wrappers.get(first.label)!;
    await eventually('the others wait', () =>
      [...fleet.wrappers.keys()].every((label) => label === first.label || fleet.stderrOf(label) !== ''),
    );
    const faultMs = Date.now();
    process.kill(fault.to === 'guard' ? first.guard : wrapper.pid!, fault.signal);
    const deathMs = await deathOf(first);
    const second = await fleet.start(2);
    expect(second.kind).toBe('start');
    expect(second.token).toBeGreaterThan(first.token);
    expect(second.atMs - (fault.from === 'death' ? deathMs : faultMs)).toBeLessThanOrEqual(fault.boundMs);
    if (fault.signal === 'SIGSTOP') {
      process.kill(wrapper.pid!, 'SIGCONT');
      await eventually('it notices', () => /lost/.test(fleet.stderrOf(first.label)));
    }
    expect(fleet.lines().map(({ kind }) => kind)).not.toContain('overlap');
    await fleet.end();
  });
});

/** When nothing of the command runs any more. */
async function deathOf({ guard }: Start): Promise<number> {
  return eventually('the command is dead', () => livingInSession(guard).length === 0 && Date.now());
}
