import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hustings, temporaryFolder } from '../../../../../test-kit/command.ts';
import { createElector, type Lead } from '../../../src/index.ts';
import { type LeaseStore, openStore } from '../../../src/lease/index.ts';

const folder = temporaryFolder();
const run = (...args: string[]) => hustings(args, folder.path, { HUSTINGS_STORE: 'sqlite:./leases.db' });
let store: LeaseStore;
const leads: Lead[] = [];

beforeAll(async () => {
  store = await openStore(`sqlite:${join(folder.path, 'leases.db')}`);
  for (const id of ['a', 'b']) {
    const elector = createElector({ store, name: 'workers', slots: 3, id, ttlMs: 60_000 });
    leads.push(await elector.acquire());
  }
});
afterAll(async () => {
  await Promise.all(leads.map((lead) => lead.release()));
  await store.close();
});

describe('an election with slots, on the command line', () => {
  it('leader shows all slots, also as JSON', () => {
    const { status, stdout } = run('leader', 'workers');
    expect(status).toBe(0);
    expect(stdout).toMatch(
      /^slot +leader +token +remaining\nworkers +a .*\nworkers#2 +b .*\nworkers#3 +nobody +0/,
    );
    const { slots } = JSON.parse(run('leader', 'workers', '--json').stdout);
    expect(slots.map((each: { slot: number; type: string }) => [each.slot, each.type])).toEqual([
      [1, 'led'],
      [2, 'led'],
      [3, 'vacant'],
    ]);
  });

  it('lead takes the free slot, and tells the command its slot, its name and its fence', () => {
    const print = 'console.log(process.env.HUSTINGS_SLOT, process.env.HUSTINGS_NAME)';
    const slots = ['workers', '--slots', '3', '--quiet', '--wait', '20s'];
    const { status, stdout } = run('lead', ...slots, '--', process.execPath, '-e', print);
    expect({ status, stdout }).toEqual({ status: 0, stdout: '3 workers#3\n' });
  });

  it('lead warns of another number of slots, and waits', () => {
    const { status, stderr } = run('lead', 'workers', '--slots', '4', '--wait', '0s', '--', 'true');
    expect(status).toBe(75);
    expect(stderr).toContain("'a' leads with slots: 3, and this candidate waits, with slots: 4");
    expect(run('lead', 'workers', '--slots', '0', '--', 'true').status).toBe(2);
  });

  it('history, candidates and evict concern one slot', async () => {
    const { terms } = JSON.parse(run('history', 'workers', '--slot', '2', '--json').stdout);
    expect(terms).toMatchObject([{ holder: 'b' }]);
    expect(run('candidates', 'workers', '--slot', '2').stdout).toBe('nobody waits for workers#2\n');
    expect(run('evict', 'workers', '--slot', '2').stdout).toContain(
      'b may no longer renew its lease of workers#2',
    );
    const [first, second] = await store.read(['workers', 'workers#2']);
    expect([first.holder?.evicted, second.holder?.evicted]).toEqual([false, true]);
    expect(run('evict', 'workers', '--slot', '0').stderr).toContain(
      '--slot must be a whole number from 1, not 0',
    );
  });
});
