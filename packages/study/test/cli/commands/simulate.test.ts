import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import {
  commandsTogether,
  type Ended,
  hustings,
  MAIN,
  startHustings,
  temporaryFolder,
} from '../../../../../test-kit/command.ts';
import { startProcess } from '../../../../../test-kit/limits/child-process.ts';
import { changRoberts, registry } from '../../../src/algorithms/index.ts';
import { formatEvent, type SimulateOptions, simulate } from '../../../src/simulator/index.ts';

const folder = temporaryFolder();

const json = (...args: string[]) => outcomeOf(hustings(['simulate', ...args, '--json'], folder.path));

function outcomeOf({ status, stdout, stderr }: Ended) {
  const outcome = JSON.parse(stdout);
  const { termination, uniqueness, agreement } = outcome.valid;
  expect({ status, stderr }).toEqual({ status: termination && uniqueness && agreement ? 0 : 1, stderr: '' });
  return outcome;
}

describe('--json', () => {
  it('prints the documented keys in order', () => {
    const outcome = json('chang-roberts');
    expect(Object.keys(outcome)).toEqual([
      'version',
      'algorithm',
      'params',
      'topology',
      'n',
      'initiators',
      'schedule',
      'seed',
      'despite',
      'dead',
      'leader',
      'valid',
      'messages',
      'bits',
      'time',
    ]);
    expect(Object.keys(outcome.messages)).toEqual(['total', 'election', 'announcement', 'byType']);
    expect(Object.keys(outcome.time)).toEqual(['electedAt', 'agreedAt', 'announcementReturnedAt', 'causal']);
    expect(outcome).toMatchObject({ n: 8, seed: 1, schedule: 'lockstep', initiators: { count: 8 } });
  });

  const runs: readonly [args: string, options: SimulateOptions][] = [
    ['--nodes 16', { nodes: 16 }],
    ['--ids 5,3,8,1 --initiators 0,2', { ids: [5, 3, 8, 1], initiators: [0, 2] }],
    ['--order descending --schedule random --seed 7', { order: 'descending', schedule: 'random', seed: 7 }],
    ['--initiators 0,7@7', { initiators: [0, { position: 7, time: 7 }] }],
    ['--initiators random:3 --seed 2', { initiators: { random: 3 }, seed: 2 }],
    ['--set extremum=min --set filter=true', { set: { extremum: 'min', filter: 'true' } }],
    [
      '--schedule random:nofifo --loss 0.1 --duplicate 2e-1 --despite loss,duplication --seed 3',
      { schedule: 'random:nofifo', loss: 0.1, duplicate: 0.2, despite: ['loss', 'duplication'], seed: 3 },
    ],
    [
      '--crash 3@0,4@2 --crash 5@1.5 --recover 3@4 --despite crash --despite recover',
      {
        crash: [
          { position: 3, time: 0 },
          { position: 4, time: 2 },
          { position: 5, time: 1.5 },
        ],
        recover: [{ position: 3, time: 4 }],
        despite: ['crash', 'recover'],
      },
    ],
    [
      '--partition 0-3/4-6,7@1..5.5 --until 30 --despite partition',
      {
        partition: [
          {
            groups: [
              [0, 1, 2, 3],
              [4, 5, 6, 7],
            ],
            from: 1,
            until: 5.5,
          },
        ],
        until: 30,
        despite: ['partition'],
      },
    ],
  ];
  const ofRun = (args: string): string[] => ['simulate', 'chang-roberts', ...args.split(' '), '--json'];
  const ofName = (name: string): string[] => ['simulate', name, '--nodes', '16', '--json'];
  const names = registry.map(({ name }) => name);
  const together = commandsTogether([...runs.map(([args]) => ofRun(args)), ...names.map(ofName)], folder);

  it.each(runs)('is what simulate() returns: %s', (args, options) => {
    expect(outcomeOf(together(ofRun(args)))).toEqual(simulate(changRoberts, options));
  });

  it.each(names)('%s runs with --nodes 16 and nothing else said', (name) => {
    expect(outcomeOf(together(ofName(name)))).toMatchObject({
      n: 16,
      valid: { termination: true, uniqueness: true, agreement: true },
    });
  });

  it('leaves out the positions of more than a thousand initiators', () => {
    expect(json('chang-roberts', '--nodes', '1001').initiators).toEqual({ count: 1001, positions: null });
  });

  it('prints the trace on stderr', () => {
    const { stdout, stderr, status } = hustings(['simulate', 'chang-roberts', '--trace', '--json']);
    expect(status).toBe(0);
    expect(JSON.parse(stdout).algorithm).toBe('chang-roberts');
    expect(stderr.split('\n')[0]).toBe('0.000 start 0');
  });
});

describe('--trace', () => {
  const trace = (...args: string[]): string =>
    hustings(['simulate', 'chang-roberts', '--schedule', 'random', '--trace', ...args]).stdout;

  it('is the same byte for byte for the same seed, and differs for another seed', () => {
    expect(trace('--seed', '5')).toBe(trace('--seed', '5'));
    expect(trace('--seed', '5')).not.toBe(trace('--seed', '6'));
  });

  it('prints every event that an observer sees, one line each, before the summary', () => {
    const lines: string[] = [];
    simulate(changRoberts, { schedule: 'random', observe: (event) => lines.push(formatEvent(event)) });
    expect(trace().startsWith(`${lines.join('\n')}\n\nChang–Roberts: 8 nodes`)).toBe(true);
  });

  it('saved to a file is a schedule that delivers in the same order and costs the same', () => {
    const first = trace('--seed', '9');
    writeFileSync(join(folder.path, 'saved'), first);
    const again = hustings(
      ['simulate', 'chang-roberts', '--seed', '9', '--schedule', 'file:saved', '--trace'],
      folder.path,
    ).stdout;
    const deliveries = (text: string): string[] => text.match(/deliver .*/g) ?? [];
    expect(deliveries(again)).toEqual(deliveries(first));
    const { messages, leader, bits } = json('chang-roberts', '--seed', '9', '--schedule', 'random');
    expect(json('chang-roberts', '--seed', '9', '--schedule', 'file:saved')).toMatchObject({
      messages,
      leader,
      bits,
      schedule: 'file:saved',
    });
  });

  it('whose reader closes the pipe, as head does, ends without an error', async () => {
    const child = startProcess(process.execPath, [
      MAIN,
      'simulate',
      'chang-roberts',
      '--nodes',
      '20000',
      '--trace',
    ]);
    let stderr = '';
    child.stderr.on('data', (data) => {
      stderr += data;
    });
    child.stdout.once('data', () => child.stdout.destroy());
    const [code] = await once(child, 'exit');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });
});

describe('an election that fails', () => {
  const args = ['simulate', 'chang-roberts', '--until', '3'];

  it('exits with 1 and one line that names the property, the node, the event and the replay', () => {
    const { status, stdout, stderr } = hustings(['simulate', 'chang-roberts', '--until', '10']);
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toMatch(
      /^hustings: chang-roberts violated termination: node \d+ .*last event: node \d+ .*; replay: hustings simulate [^\n]*\n$/,
    );
  });

  it('fails in the same way with the replay command, and prints the trace up to the failure', () => {
    const { stderr } = hustings(args);
    const replay = /replay: hustings (.*)\n/.exec(stderr)?.[1].split(' ') ?? [];
    const again = hustings(replay);
    expect(again.status).toBe(1);
    expect(again.stderr).toBe(stderr);
    expect(again.stdout).toContain('3.000 deliver');
  });

  it('is a result with --despite, and exits with 1 all the same', () => {
    const { status, stdout, stderr } = hustings([...args, '--despite', 'termination']);
    expect({ status, stderr }).toEqual({ status: 1, stderr: '' });
    expect(stdout).toContain('nobody leads');
    expect(stdout).toContain('not a valid election: termination');
    expect(stdout).toContain('cut at time 3');
  });
});

describe('a run that is interrupted', () => {
  const interrupted = async (...args: string[]) => {
    const command = 'simulate chang-roberts --nodes 3000 --order descending --trace'.split(' ');
    const running = startHustings([...command, ...args]);
    // The trace shows that the run has begun.
    const hasBegun = () => (running.errors().length > 0 || running.lines().length > 0 ? true : null);
    await vi.waitUntil(hasBegun, { timeout: 30_000 });
    running.end('SIGINT');
    return running.ended;
  };

  it('by Ctrl-C reports what it has covered, and exits with 130', async () => {
    const { status, stdout } = await interrupted();
    expect(status).toBe(130);
    expect(stdout).toMatch(
      /\ninterrupted at time \d+, after [\d,]+ events\n0 of 3000 nodes have decided; nobody leads/,
    );
    expect(stdout).toMatch(/election messages +[\d,]+\n/);
  });

  it('prints the same with --json as one document', async () => {
    const { status, stdout } = await interrupted('--json');
    expect(status).toBe(130);
    const { interrupted: covered, leader, messages } = JSON.parse(stdout);
    expect(covered.events).toBeGreaterThan(0);
    expect(messages.total).toBeGreaterThanOrEqual(3000);
    expect(leader).toBe(null);
  });

  it('is drawn up to there as interrupted, not as failed', async () => {
    // Each handler takes a moment, and the third one tells that the run has begun.
    writeFileSync(
      join(folder.path, 'slow.mjs'),
      `import { defineAlgorithm, message } from '@hustings/study/kernel';
      let calls = 0;
      const memory = new Int32Array(new SharedArrayBuffer(4));
      export const slow = defineAlgorithm({
        name: 'slow', title: 'Slow', source: 'a test', cost: 'unbounded',
        assumes: { network: 'one-way ring', timing: 'asynchronous', ids: 'unique', fifo: false },
        params: {}, state: {}, messages: { token: message() }, laws: [],
        onStart(_state, ctx) {
          ctx.send(1, 'token');
        },
        on: {
          token(_state, _port, _message, ctx) {
            if (++calls === 3) process.stderr.write('begun');
            Atomics.wait(memory, 0, 0, 5);
            ctx.send(1, 'token');
          },
        },
      });`,
    );
    // With a schedule from a file the first chunk of the run is one event.
    writeFileSync(join(folder.path, 'slow.txt'), 'deliver 0 > 1\ndeliver 1 > 0\n'.repeat(5000));
    const args = 'simulate slow.mjs --nodes 2 --schedule file:slow.txt --svg-network slow.svg'.split(' ');
    const running = startHustings(args, folder.path);
    await vi.waitUntil(() => running.errors().includes('begun'), { timeout: 30_000 });
    // In the first second of a user's file a signal ends the process.
    await new Promise((resolve) => setTimeout(resolve, 1500));
    running.end('SIGINT');
    const { status, stdout } = await running.ended;
    expect(status).toBe(130);
    expect(stdout).toContain('network up to here: slow.svg');
    const drawn = readFileSync(join(folder.path, 'slow.svg'), 'utf8');
    expect(drawn).toContain('the run was interrupted');
    expect(drawn).not.toContain('failed');
  });
});
