import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../../test-kit/command.ts';
import { eventually } from '../../../../test-kit/eventually.ts';
import { startProcess } from '../../../../test-kit/limits/child-process.ts';
import { livingInSession } from '../../../base/src/node/process-table.ts';
import { Fleet, type Reaction, type Start } from './fleet.ts';
import { MUTANTS } from './mutants.ts';
import { stopOutsideTransaction } from './stop-process.ts';

const folder = temporaryFolder();
const TTL_MS = 3_000;
const fleets: Fleet[] = [];
afterAll(() => Promise.all(fleets.map((fleet) => fleet.end())));

function makeFleet(name: string, reaction: Reaction): Fleet {
  const fleet = new Fleet(join(folder.path, name), reaction, `${TTL_MS}ms`);
  fleets.push(fleet);
  return fleet;
}

interface Fault {
  readonly name: string;
  readonly signal: NodeJS.Signals;
  readonly to: 'supervisor' | 'guard';
  /** The moment from which the bound counts. */
  readonly from: 'fault' | 'death';
  readonly boundMs: number;
}

const FAULTS: readonly Fault[] = [
  {
    name: 'kill -9 of the leading supervisor',
    signal: 'SIGKILL',
    to: 'supervisor',
    from: 'fault',
    boundMs: TTL_MS + 1_000,
  },
  {
    name: 'SIGSTOP of the leading supervisor',
    signal: 'SIGSTOP',
    to: 'supervisor',
    from: 'fault',
    boundMs: TTL_MS + 1_000,
  },
  {
    name: 'SIGTERM to the leading supervisor',
    signal: 'SIGTERM',
    to: 'supervisor',
    from: 'death',
    boundMs: 1_000,
  },
  { name: 'kill -9 of its guard', signal: 'SIGKILL', to: 'guard', from: 'fault', boundMs: TTL_MS + 1_000 },
];
const CASES = FAULTS.flatMap((fault) =>
  (['exits-on-sigterm', 'ignores-sigterm'] as const).map(
    (reaction) => [`${fault.name}, with a command that ${reaction}`, { ...fault, reaction }] as const,
  ),
);

describe.concurrent('three supervisors of one election', () => {
  it.each(CASES)(
    'after %s: the next command starts in time, and only after the old one is dead',
    async (_, fault) => {
      const fleet = makeFleet(`${fault.to}-${fault.signal}-${fault.reaction}`, fault.reaction);
      for (const label of ['a', 'b', 'c']) fleet.launch(label, '--grace', '500ms');
      const first = await fleet.start(1);
      const supervisor = fleet.supervisors.get(first.label)!;
      await othersWait(fleet, first);
      let faultMs = Date.now();
      if (fault.signal === 'SIGSTOP') {
        faultMs = await stopOutsideTransaction(supervisor.pid, join(fleet.folder, 'leases.db'));
      } else process.kill(fault.to === 'guard' ? first.guard : supervisor.pid, fault.signal);
      const deathMs = await deathOf(first);
      const second = await fleet.start(2);
      expect(second.type).toBe('start');
      expect(second.token).toBeGreaterThan(first.token);
      const tookMs = second.atMs - (fault.from === 'death' ? deathMs : faultMs);
      expect(tookMs).toBeLessThanOrEqual(fault.boundMs + (await slackMs()));
      if (fault.signal === 'SIGSTOP') {
        supervisor.resume();
        await eventually('it notices', () => /lost/.test(fleet.stderrOf(first.label)));
      }
      expect(fleet.lines().map(({ type }) => type)).not.toContain('overlap');
      await fleet.end();
    },
  );
});

describe.concurrent('the fleet detects a supervisor whose lease or command is', () => {
  it.each([
    ['released before the command is dead', 'SIGTERM', '5s'],
    ['not killed at the deadline', 'SIGSTOP', '500ms'],
  ] as const)('%s', async (mutant, signal, grace) => {
    const fleet = makeFleet(mutant.replaceAll(' ', '-'), 'ignores-sigterm');
    fleet.preload = MUTANTS[mutant](fleet.folder);
    for (const label of ['a', 'b']) fleet.launch(label, '--grace', grace);
    const first = await fleet.start(1);
    await othersWait(fleet, first);
    fleet.supervisors.get(first.label)!.signal(signal);
    expect((await fleet.start(2)).type).toBe('overlap');
    await fleet.end();
  });
});

async function othersWait(fleet: Fleet, { label: leader }: Start): Promise<void> {
  await eventually('the others wait', () =>
    [...fleet.supervisors.keys()].every((label) => label === leader || fleet.stderrOf(label) !== ''),
  );
}

/** The time to start a few processes on this machine now: almost nothing, unless it is busy. */
async function slackMs(): Promise<number> {
  const startMs = performance.now();
  for (let k = 0; k < 3; k++) await once(startProcess('bash', ['--norc', '-c', 'date']), 'exit');
  return performance.now() - startMs;
}

/** The time at which no process of the command is alive. */
async function deathOf({ guard }: Start): Promise<number> {
  return eventually('the command is dead', () => livingInSession(guard).length === 0 && Date.now());
}
