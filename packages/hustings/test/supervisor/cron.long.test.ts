import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../../test-kit/command.ts';
import { eventually } from '../../../../test-kit/eventually.ts';
import {
  startEtcd,
  startNats,
  startRedis,
  startZookeeper,
  type TestServer,
} from '../../../../test-kit/servers/index.ts';
import type { Tick } from '../../src/lease/core/tick.ts';
import { openStore } from '../../src/lease/index.ts';
import { CronFleet, startedTwice } from './cron-fleet.ts';

const folder = temporaryFolder();
const fleets: CronFleet[] = [];
const servers: TestServer[] = [];
afterAll(async () => {
  await Promise.all(fleets.map((fleet) => fleet.end()));
  await Promise.all(servers.map((server) => server.stop()));
});

const EVERY_S = 10;
const TIME_MS = 300_000;
const LABELS = ['a', 'b', 'c'];
const OPTIONS = ['--ttl', '3s', '--grace', '500ms'];
const FAULTS = ['kill the leader', 'kill any', 'terminate any', 'step forward', 'step back'] as const;
/** On a server, which has a clock of its own. */
const SERVER_FAULTS = [...FAULTS, 'one clock a day ahead'] as const;

interface Ground {
  readonly url: string;
  /** How far the clock of a process is set. It is the clock of a SQLite store. */
  readonly stepMs: number;
  readonly restart?: () => Promise<void>;
}

const DAY_MS = 86_400_000;

const onServer = async (start: () => Promise<TestServer>): Promise<Ground> => {
  const server = await start();
  servers.push(server);
  return { url: server.url, stepMs: 600_000, restart: () => server.restart('kill9') };
};

const grounds: Readonly<Record<string, () => Promise<Ground>>> = {
  SQLite: async () => ({ url: `sqlite:${join(folder.path, 'leases.db')}`, stepMs: 12_000 }),
  Redis: () => onServer(startRedis),
  etcd: () => onServer(startEtcd),
  NATS: () => onServer(startNats),
  ZooKeeper: () => onServer(startZookeeper),
};

/** One process alone, whose clock is wrong from its start, starts a tick and is killed. */
async function leadADayAhead(fleet: CronFleet, label: string): Promise<void> {
  for (const each of LABELS) fleet.signal(each, 'SIGKILL');
  await eventually('all are dead', () => !LABELS.some((each) => fleet.isAlive(each)));
  fleet.step(label, DAY_MS);
  fleet.launch(label);
  const before = fleet.starts().length;
  await eventually('it starts a tick', () => fleet.starts().length > before, 60_000);
  fleet.signal(label, 'SIGKILL');
}

const ticksOf = async (url: string): Promise<readonly Tick[]> => {
  const store = await openStore(url);
  try {
    return await store.ticks('job');
  } finally {
    await store.close();
  }
};

describe.concurrent('three processes of hustings cron, a tick every 10 s for five minutes', () => {
  it.each(Object.keys(grounds))(
    'start no tick twice under kill −9, restarts and steps of the clock, on %s',
    async (name) => {
      const { url, stepMs, restart } = await grounds[name]();
      const fleet = new CronFleet(join(folder.path, name), url, EVERY_S, 4, OPTIONS);
      fleets.push(fleet);
      for (const label of LABELS) fleet.launch(label);
      const endMs = performance.now() + TIME_MS;
      const done = new Map<string, number>();
      const count = (fault: string) => done.set(fault, (done.get(fault) ?? 0) + 1);
      for (let turn = 0; performance.now() < endMs; turn++) {
        // Work takes 4 s of each 10 s: about every second fault meets a command.
        await sleep(3_000 + Math.random() * 6_000);
        const faults = restart === undefined ? FAULTS : SERVER_FAULTS;
        const fault = faults[turn % faults.length];
        const any = LABELS[Math.floor(Math.random() * LABELS.length)];
        const leader = fleet.starts().at(-1)?.label ?? any;
        count(fault);
        if (fault === 'kill the leader') fleet.signal(leader, 'SIGKILL');
        if (fault === 'kill any') fleet.signal(any, 'SIGKILL');
        if (fault === 'terminate any') fleet.signal(any, 'SIGTERM');
        if (fault === 'step forward') fleet.step(leader, stepMs);
        if (fault === 'step back') fleet.step(leader, -stepMs);
        if (fault === 'one clock a day ahead') await leadADayAhead(fleet, any);
        await sleep(1_500);
        for (const label of LABELS) {
          fleet.step(label, 0);
          if (!fleet.isAlive(label)) fleet.launch(label);
        }
        if (restart !== undefined && turn === 20) {
          count('restart the store');
          await restart();
        }
      }
      await fleet.end();
      const [newest, ...others] = await ticksOf(url);
      // A store that learns of an end by observation shows the last term until somebody has observed it. All are dead.
      const ticks = [newest.state === 'running' ? { ...newest, state: 'interrupted' } : newest, ...others];
      const started = fleet.starts();
      const states = ticks.map(({ state }) => state);
      const figures = Object.fromEntries(
        [...new Set(states)].map((state) => [state, states.filter((each) => each === state).length]),
      );
      const found = JSON.stringify({ ...figures, ...Object.fromEntries(done) });
      process.stderr.write(`${name}: ${started.length} starts; ${found}\n`);
      expect(startedTwice(fleet.lines())).toEqual([]);
      const stateOf = new Map(ticks.map(({ tickMs, state }) => [tickMs, state]));
      expect(stateOf.size).toBe(ticks.length);
      for (const { tickMs } of started) {
        expect(['completed', 'failed', 'interrupted']).toContain(
          stateOf.get(tickMs) ?? `${tickMs} is not recorded`,
        );
      }
      const ended = new Set(fleet.lines().flatMap(({ type, tickMs }) => (type === 'end' ? [tickMs] : [])));
      for (const { tickMs, state } of ticks) {
        expect(['completed', 'failed', 'interrupted', 'missed']).toContain(state);
        if (state === 'completed') expect(ended).toContain(tickMs);
      }
      const times = ticks.map(({ tickMs }) => tickMs).sort();
      expect(times).toEqual(times.map((_, index) => times[0] + index * EVERY_S * 1_000));
      expect(times.length).toBeGreaterThanOrEqual(TIME_MS / (EVERY_S * 1_000) - 3);
      expect(states.filter((state) => state === 'completed').length).toBeGreaterThan(2);
      expect(states).toContain('interrupted');
    },
  );

  it('start an interrupted tick again only by option', async () => {
    for (const options of [[], ['--retry-interrupted']]) {
      const url = `sqlite:${join(folder.path, `retry-${options.length}.db`)}`;
      const fleet = new CronFleet(join(folder.path, `retry-${options.length}`), url, EVERY_S, 4, [
        ...OPTIONS,
        ...options,
      ]);
      fleets.push(fleet);
      for (const label of LABELS) fleet.launch(label);
      const first = await fleet.start(1);
      fleet.signal(first.label, 'SIGKILL');
      const second = await fleet.start(2);
      expect(second.token).toBeGreaterThan(first.token);
      expect(second.tickMs === first.tickMs).toBe(options.length > 0);
      await eventually('its end', () => fleet.lines().find(({ type }) => type === 'end'));
      await fleet.end();
      const record = (await ticksOf(url)).find(({ tickMs }) => tickMs === first.tickMs);
      expect(record?.token).toBe(options.length > 0 ? second.token : first.token);
      if (options.length === 0) expect(record?.state).toBe('interrupted');
    }
  });
});
