import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { hustings, temporaryFolder } from '../../../../test-kit/command.ts';
import { eventually } from '../../../../test-kit/eventually.ts';
import { openStore } from '../../src/lease/index.ts';
import { CronFleet, startedTwice } from './cron-fleet.ts';

const folder = temporaryFolder();
const fleets: CronFleet[] = [];
afterAll(() => Promise.all(fleets.map((fleet) => fleet.end())));

/** It takes seconds, because a cron expression has no ticks that are closer. */
describe('hustings cron', () => {
  it.each([
    [['--cron', '* * * * *', '--preset', 'slow'], /preset must be .*fast.*, not .*slow/],
    [['--cron', '2099-01-01T00:00:00'], /must have 5 fields, or 6 with seconds first/],
  ])('refuses %j in one line', (options, text) => {
    const store = ['--store', `sqlite:${join(folder.path, 'refused.db')}`];
    const { status, stderr } = hustings(['cron', 'job', ...store, ...options, '--', 'true']);
    expect(status).toBe(2);
    expect(stderr).toMatch(text);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });

  it('starts no tick twice among three processes, of which the leader is killed, and records how each ended', async () => {
    const url = `sqlite:${join(folder.path, 'leases.db')}`;
    const fleet = new CronFleet(join(folder.path, 'cron'), url, 1, 0.5, ['--ttl', '1s', '--grace', '200ms']);
    fleets.push(fleet);
    for (const label of ['a', 'b', 'c']) fleet.launch(label);
    const killed = await fleet.start(2);
    fleet.signal(killed.label, 'SIGKILL');
    const next = await eventually(
      'another process starts ticks',
      () => fleet.starts().filter(({ label }) => label !== killed.label)[1],
    );
    expect(next.token).toBeGreaterThan(killed.token);
    expect(next.tickMs).toBeGreaterThan(killed.tickMs);
    await fleet.end();
    expect(startedTwice(fleet.lines())).toEqual([]);
    const store = await openStore(url);
    const ticks = await store.ticks('job');
    await store.close();
    const stateOf = new Map(ticks.map(({ tickMs, state }) => [tickMs, state]));
    expect(stateOf.size).toBe(ticks.length);
    const hasEnded = fleet.lines().some(({ type, tickMs }) => type === 'end' && tickMs === killed.tickMs);
    if (!hasEnded) expect(stateOf.get(killed.tickMs)).toBe('interrupted');
    for (const { tickMs } of fleet.starts()) {
      expect(['completed', 'failed', 'interrupted', 'running']).toContain(stateOf.get(tickMs));
    }
    // No tick is left out between the first and the last: those that nobody started are missed.
    const times = ticks.map(({ tickMs }) => tickMs).sort();
    expect(times).toEqual(times.map((_, index) => times[0] + index * 1_000));
    const shown = hustings(['ticks', 'job', '--store', url, '--limit', '100']);
    expect(shown.stdout).toMatch(/^tick +state +started after +duration +token +holder\n/);
    expect(shown.status).toBe(0);
  });
});
