import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { commandProcess, temporaryFolder } from '../../../../test-kit/command.ts';
import { MaelstromRouter } from './maelstrom-router.ts';

const folder = temporaryFolder();
const run = commandProcess();
const LIMIT_MS = 120_000;
const RAFT = ['--algorithm', 'raft'];
const LOSSY = { seed: 1, loss: 0.05, delayMs: 20 };
const QUIET = { seed: 1, loss: 0, delayMs: 0 };

let router: MaelstromRouter;
afterEach(() => router?.stopAll());

describe('hustings maelstrom', { timeout: LIMIT_MS }, () => {
  it('elects one leader per term over lossy links, through a partition of the leader and its end', async () => {
    router = new MaelstromRouter(5, LOSSY);
    await router.startAll(RAFT);
    const { leader: first, term } = await router.agreement();
    const second = router.names.find((name) => name !== first) as string;
    const minority = [first, second];
    const majority = router.names.filter((name) => !minority.includes(name));
    router.cutOff = minority;
    const next = await router.agreement(majority);
    expect(next.term).toBeGreaterThan(term);
    router.cutOff = [];
    expect((await router.agreement()).term).toBeGreaterThanOrEqual(next.term);
    expect([...router.leaders.values()].filter(({ size }) => size > 1)).toEqual([]);
    expect(router.strayLines).toEqual([]);
    await expect
      .poll(() => router.log(first), { timeout: LIMIT_MS })
      .toContain(`hustings: leader ${first}, term ${term}\n`);
  });

  it('elects again after a kill; with --dir a node comes back with its term', async () => {
    router = new MaelstromRouter(3, QUIET);
    const args = ['--algorithm', 'raft', '--dir', folder.path];
    await router.startAll(args);
    const { leader, term } = await router.agreement();
    await router.stop(leader, 'SIGKILL');
    const others = router.names.filter((name) => name !== leader);
    const next = await router.agreement(others);
    expect(next.term).toBeGreaterThan(term);
    await router.start(leader, args);
    expect((await router.agreement()).term).toBeGreaterThanOrEqual(next.term);
  });

  it('runs an algorithm in epochs; goes on after bad lines, and says on stderr what is wrong with them', async () => {
    router = new MaelstromRouter(3, LOSSY);
    await router.startAll(['--algorithm', 'chang-roberts']);
    const lines = [
      'garbage',
      '[]',
      '{"src":"c1","body":{}}',
      '{"src":"n1","dest":"n0","body":{"type":"vote"}}',
    ];
    for (const line of lines) router.write('n0', line);
    await router.agreement();
    for (const name of router.names) expect(await router.stop(name)).toBe(0);
    const log = router.log('n0');
    for (const text of [
      'is ignored: it must be JSON, not "garbage"',
      'is ignored: it must be an object with src, dest and body',
      'is ignored: src and dest must be names',
      'from n1 is ignored: it must name its process, not nothing',
    ])
      expect(log).toContain(text);
    expect(router.strayLines).toEqual([]);
  });

  it('ends with its input, also while it reads its state', async () => {
    router = new MaelstromRouter(1, QUIET);
    const started = router.start('n0', [...RAFT, '--dir', join(folder.path, 'ended')]);
    expect(await router.stop('n0')).toBe(0);
    await started;
  });

  it('ends with 3 and one line if its state is damaged', async () => {
    const path = join(folder.path, 'damaged');
    mkdirSync(path);
    writeFileSync(join(path, 'state-n0'), 'x'.repeat(70_000));
    router = new MaelstromRouter(1, QUIET);
    void router.start('n0', [...RAFT, '--dir', path]);
    await expect.poll(() => router.log('n0'), { timeout: LIMIT_MS }).toContain('\n');
    expect(await router.stop('n0')).toBe(3);
    expect(router.log('n0')).toMatch(/^hustings: \S*state-n0 is not the state of a member .*\n$/);
  });

  it.each([
    [[], '--algorithm is required'],
    [['--algorithm', 'rafd'], "there is no algorithm 'rafd'"],
    [['--algorithm', 'raft', '--heartbeat', '0s'], "--heartbeat must be longer than 0, not '0s'"],
  ])('refuses bad options: %j', async (args, text) => {
    const { status, stderr, stdout } = await run(['maelstrom', ...args]);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toContain(text);
  });
});
