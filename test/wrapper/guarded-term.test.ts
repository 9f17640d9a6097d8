import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { livingInSession } from '../../src/lease/process-table.ts';
import { childEnvironment, guardEnvironment } from '../../src/wrapper/child-environment.ts';
import { Guard } from '../../src/wrapper/guard-process.ts';
import { runGuarded } from '../../src/wrapper/guarded-term.ts';
import { buildBefore, temporaryFolder } from '../cli/command.ts';
import { ROOT } from '../source/source-file.ts';
import { eventually } from './eventually.ts';

buildBefore();
const folder = temporaryFolder();
const guards: Guard[] = [];
afterAll(async () => {
  for (const guard of guards) guard.strike();
  await Promise.all(guards.map(({ end }) => end));
});

let files = 0;

/** A term of a shell script, with a lease that the test holds in its hands. */
async function startTerm(script: string, graceMs = 600_000) {
  const ready = join(folder.path, `ready-${++files}`);
  const guard = await Guard.start({
    name: 'test',
    env: guardEnvironment(process.env),
    file: join(ROOT, 'dist/wrapper/guard.js'),
  });
  guards.push(guard);
  const lease = { untilMs: performance.now() + 600_000 };
  const loss = new AbortController();
  const lead = {
    signal: loss.signal,
    remainingMs: () => Math.max(0, lease.untilMs - performance.now()),
  };
  const end = runGuarded(guard, lead, {
    command: 'bash',
    args: ['-c', `${script}\necho up > ${ready}; while :; do sleep 0.05; done`],
    env: () => process.env,
    noticeMs: 1_000,
    graceMs,
    lookMs: 20,
  });
  await eventually('the command runs', () => existsSync(ready) && readFileSync(ready, 'utf8'));
  return { guard, lease, loss, end, living: () => livingInSession(guard.leader.pid).length };
}

describe.concurrent('a guarded term', () => {
  it('ends with SIGTERM when the lead is lost, and says that the command was asked', async () => {
    const term = await startTerm("trap 'exit 4' TERM");
    term.loss.abort();
    expect(await term.end).toEqual({ kind: 'ended', code: 4, signal: null, asked: true });
  });

  it('kills after the grace what does not stop', async () => {
    const term = await startTerm("trap '' TERM; sleep 1000 &", 300);
    term.loss.abort();
    expect(await term.end).toEqual({ kind: 'struck', at: 'grace' });
    expect(term.living()).toBe(0);
  });

  it('kills at the end of the lease, however long the grace', async () => {
    const term = await startTerm("trap '' TERM; sleep 1000 &");
    term.lease.untilMs = performance.now() + 300;
    term.loss.abort();
    expect(await term.end).toEqual({ kind: 'struck', at: 'deadline' });
    expect(term.living()).toBe(0);
  });

  it('kills at once when the lease is over already', async () => {
    const term = await startTerm("trap '' TERM");
    term.lease.untilMs = 0;
    term.loss.abort();
    expect(await term.end).toEqual({ kind: 'struck', at: 'deadline' });
  });

  it('lasts as long as the lease is renewed', async () => {
    const term = await startTerm("trap '' TERM");
    const beganMs = performance.now();
    term.lease.untilMs = beganMs + 3_000;
    const renewals = setInterval(() => {
      term.lease.untilMs = performance.now() + 3_000;
    }, 100);
    setTimeout(() => clearInterval(renewals), 1_500);
    expect(await term.end).toEqual({ kind: 'struck', at: 'deadline' });
    expect(performance.now() - beganMs).toBeGreaterThan(4_000);
  });
});

describe('the environment of the command', () => {
  const facts = { name: 'x', token: 2n ** 60n, term: 't', deadlineMs: 1_700_000_000_000.7, fence: null };

  it('has name, token, term and deadline, and nothing that opens the store', () => {
    const own = { A: 'a', NODE_OPTIONS: '-r x', HUSTINGS_STORE: 'redis://:pw@h', HUSTINGS_FENCE_KEY: 'k' };
    expect(childEnvironment({ ...own, HUSTINGS_FENCE: 'stale' }, facts)).toEqual({
      A: 'a',
      NODE_OPTIONS: '-r x',
      HUSTINGS_NAME: 'x',
      HUSTINGS_TOKEN: '1152921504606846976',
      HUSTINGS_TERM: 't',
      HUSTINGS_DEADLINE_MS: '1700000000000',
    });
    expect(guardEnvironment(own)).toEqual({ A: 'a' });
  });

  it('has the signed token where there is a key', () => {
    expect(childEnvironment({}, { ...facts, fence: 'signed' })).toMatchObject({ HUSTINGS_FENCE: 'signed' });
  });
});
