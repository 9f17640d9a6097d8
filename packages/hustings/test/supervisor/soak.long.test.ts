import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../../test-kit/command.ts';
import { eventually } from '../../../../test-kit/eventually.ts';
import { livingInSession, sendSignal } from '../../../base/src/node/process-table.ts';
import { Fleet } from './fleet.ts';

const folder = temporaryFolder();
const fleets: Fleet[] = [];
afterAll(() => Promise.all(fleets.map((fleet) => fleet.end())));

const FAULTS = 40;
const TTL_MS = 1_500;
const KINDS = [
  'kill the supervisor',
  'stop the supervisor',
  'terminate the supervisor',
  'kill the guard',
  'stop the guard',
  'kill the command',
] as const;

describe.concurrent('forty faults of the leader, one after another', () => {
  it.each(['exits-on-sigterm', 'ignores-sigterm'] as const)(
    'never let two commands run at once that each %s',
    async (reaction) => {
      const fleet = new Fleet(join(folder.path, reaction), reaction, `${TTL_MS}ms`);
      fleets.push(fleet);
      const labels = ['a', 'b', 'c', 'd'];
      for (const label of labels) fleet.launch(label, '--grace', '300ms');
      for (let fault = 0; fault < FAULTS; fault++) {
        const starts = fleet.lines().length;
        const leader = await eventually('somebody leads', () => {
          const last = fleet.lines().at(-1);
          return last !== undefined && livingInSession(last.guard).length > 0 && last;
        });
        await sleep(Math.random() * TTL_MS);
        const supervisor = fleet.supervisors.get(leader.label)!;
        const kind = KINDS[fault % KINDS.length];
        if (kind === 'kill the supervisor') void supervisor.kill();
        if (kind === 'terminate the supervisor') supervisor.signal('SIGTERM');
        if (kind === 'stop the supervisor') {
          void supervisor.pause();
          setTimeout(() => supervisor.resume(), 2 * TTL_MS);
        }
        if (kind === 'kill the guard') sendSignal(leader.guard, 'SIGKILL');
        if (kind === 'stop the guard') sendSignal(leader.guard, 'SIGSTOP');
        if (kind === 'kill the command') {
          const [, command] = livingInSession(leader.guard);
          if (command !== undefined) sendSignal(command.pid, 'SIGKILL');
        }
        await eventually(`another start after fault ${fault}: ${kind}`, () => fleet.lines().length > starts);
        for (const label of labels) {
          if (!fleet.supervisors.get(label)!.isRunning) fleet.launch(label, '--grace', '300ms');
        }
      }
      const lines = fleet.lines();
      expect(lines.filter(({ type }) => type === 'overlap')).toEqual([]);
      expect(lines.every(({ token }, k) => k === 0 || token > lines[k - 1].token)).toBe(true);
      await fleet.end();
    },
  );
});
