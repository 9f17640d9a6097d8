import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { ROOT } from '../../../../test/source/source-file.ts';
import { temporaryFolder } from '../../../../test-kit/command.ts';
import { eventually } from '../../../../test-kit/eventually.ts';
import { livingInSession } from '../../../base/src/node/process-table.ts';
import { childEnvironment, guardEnvironment } from '../../src/supervisor/child-environment.ts';
import { deadlineIn } from '../../src/supervisor/deadline.ts';
import { Guard } from '../../src/supervisor/guard.ts';
import { GuardedTerm } from '../../src/supervisor/guarded-term.ts';

const folder = temporaryFolder();
const guards: Guard[] = [];
afterAll(async () => {
  for (const guard of guards) guard.kill();
  await Promise.all(guards.map(({ end }) => end));
});

let files = 0;

/** A term of a shell script, with a lead that the test controls. */
async function startTerm(script: string, stopGraceMs = 600_000) {
  const ready = join(folder.path, `ready-${++files}`);
  const guard = await Guard.start({
    name: 'test',
    env: guardEnvironment(process.env),
    file: join(ROOT, 'packages/hustings/dist/supervisor/guard-main.js'),
  });
  guards.push(guard);
  const loss = new AbortController();
  const lead = { signal: loss.signal, deadline: deadlineIn(600_000) };
  const term = new GuardedTerm(guard, lead, {
    command: 'bash',
    args: ['--norc', '-c', `${script}\necho up > ${ready}; while :; do sleep 0.05; done`],
    env: process.env,
    deadlineFile: null,
    noticeMs: 1_000,
    stopGraceMs,
  });
  const renew = (ms: number) => {
    lead.deadline = deadlineIn(ms);
    term.update();
  };
  await eventually('the command runs', () => existsSync(ready) && readFileSync(ready, 'utf8'));
  return { term, lead, loss, renew, living: () => livingInSession(guard.leader.pid).length };
}

describe.concurrent('a guarded term', () => {
  it('sends SIGTERM when the lease is lost, and reports that the command was stopped', async () => {
    const { term, loss } = await startTerm("trap 'exit 4' TERM");
    loss.abort();
    expect(await term.end).toEqual({ type: 'exited', code: 4, signal: null, wasStopped: true });
  });

  it('kills a command that does not stop after the grace period', async () => {
    const { term, loss, living } = await startTerm("trap '' TERM; sleep 1000 &", 300);
    loss.abort();
    expect(await term.end).toEqual({ type: 'killed', at: 'grace' });
    expect(living()).toBe(0);
  });

  it('kills before the lease expires, however long the grace period', async () => {
    const { term, lead, loss, living } = await startTerm("trap '' TERM; sleep 1000 &");
    lead.deadline = deadlineIn(400);
    loss.abort();
    expect(await term.end).toEqual({ type: 'killed', at: 'deadline' });
    expect(living()).toBe(0);
  });

  it('kills at once when the lease has already expired', async () => {
    const { term, lead, loss } = await startTerm("trap '' TERM");
    Object.assign(lead, { deadline: null });
    loss.abort();
    expect(await term.end).toEqual({ type: 'killed', at: 'deadline' });
  });

  it('lasts while the lease is renewed', async () => {
    const { term, renew } = await startTerm("trap '' TERM");
    renew(3_000);
    await sleep(200);
    renew(4_000);
    const renewedMs = performance.now();
    expect(await term.end).toEqual({ type: 'killed', at: 'deadline' });
    expect(performance.now() - renewedMs).toBeGreaterThan(3_500);
  });
});

describe('the environment of the command', () => {
  it('has name, token, fence, nonce and deadline, and no secrets of the store', () => {
    const own = { A: 'a', NODE_OPTIONS: '-r x', HUSTINGS_STORE: 'redis://:pw@h', HUSTINGS_FENCE_KEY: 'k' };
    const lead = {
      term: { name: 'x', token: 2n ** 60n, nonce: 'n' },
      tokens: { x: 2n ** 60n, y: 7n },
      fence: 'f',
      fences: { x: 'f', y: 'g' },
      slot: 2,
      deadline: { monoMs: 1, wallMs: 1_700_000_000_000.7 },
    };
    const stale = { HUSTINGS_FENCE: 'stale', HUSTINGS_DEADLINE_FILE: 'stale' };
    expect(childEnvironment({ ...own, ...stale }, lead, null)).not.toHaveProperty('HUSTINGS_DEADLINE_FILE');
    expect(childEnvironment({ ...own, ...stale }, lead, '/f')).toEqual({
      HUSTINGS_DEADLINE_FILE: '/f',
      A: 'a',
      NODE_OPTIONS: '-r x',
      HUSTINGS_NAME: 'x',
      HUSTINGS_SLOT: '2',
      HUSTINGS_TOKEN: '1152921504606846976',
      HUSTINGS_TOKENS: '{"x":"1152921504606846976","y":"7"}',
      HUSTINGS_FENCE: 'f',
      HUSTINGS_FENCES: '{"x":"f","y":"g"}',
      HUSTINGS_NONCE: 'n',
      HUSTINGS_DEADLINE_MS: '1700000000000',
    });
    expect(guardEnvironment(own)).toEqual({ A: 'a' });
  });
});
