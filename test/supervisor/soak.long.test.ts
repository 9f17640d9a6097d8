import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { livingInSession } from '../../src/lease/host/process-table.ts';
import { send } from '../../src/supervisor/session-kill.ts';
import { buildBefore, temporaryFolder } from '../cli/command.ts';
import { eventually } from './eventually.ts';
import { Fleet } from './fleet.ts';

buildBefore();
const folder = temporaryFolder();
const fleets: Fleet[] = [];
afterAll(() => Promise.all(fleets.map((fleet) => fleet.end())));

const FAULTS = 40;
const TTL_MS = 1_500;
const KINDS = [
  'kill the wrapper',
  'stop the wrapper',
  'ask the wrapper',
  'kill the guard',
  'stop the guard',
  'kill the command',
] as const;

describe.concurrent('forty faults on the leader, one after another', () => {
  it.each(['meek', 'stubborn'] as const)('never let two %s commands run at once', async (temper) => {
    const fleet = new Fleet(join(folder.path, temper), temper, `${TTL_MS}ms`);
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
      const wrapper = fleet.wrappers.get(leader.label)!;
      const kind = KINDS[fault % KINDS.length];
      if (kind === 'kill the wrapper') wrapper.kill('SIGKILL');
      if (kind === 'ask the wrapper') wrapper.kill('SIGTERM');
      if (kind === 'stop the wrapper') {
        wrapper.kill('SIGSTOP');
        setTimeout(() => wrapper.kill('SIGCONT'), 2 * TTL_MS);
      }
      if (kind === 'kill the guard') send(leader.guard, 'SIGKILL');
      if (kind === 'stop the guard') send(leader.guard, 'SIGSTOP');
      if (kind === 'kill the command') {
        const [, command] = livingInSession(leader.guard);
        if (command !== undefined) send(command.pid, 'SIGKILL');
      }
      await eventually(`another start after fault ${fault}: ${kind}`, () => fleet.lines().length > starts);
      for (const label of labels) {
        const { exitCode, signalCode } = fleet.wrappers.get(label)!;
        if (exitCode !== null || signalCode !== null) fleet.launch(label, '--grace', '300ms');
      }
    }
    const lines = fleet.lines();
    expect(lines.filter(({ kind }) => kind === 'overlap')).toEqual([]);
    expect(lines.every(({ token }, k) => k === 0 || token > lines[k - 1].token)).toBe(true);
    await fleet.end();
  });
});
