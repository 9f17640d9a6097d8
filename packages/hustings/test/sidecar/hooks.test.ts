import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../../../../test-kit/until.ts';
import { readProcess } from '../../../base/src/node/process-table.ts';
import type { Sidecar } from '../../src/sidecar/sidecar.ts';
import { openStream, post, type Stream, start } from './sidecar-client.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'hustings-hooks-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let count = 0;

interface Hooked {
  readonly sidecar: Sidecar;
  readonly stream: Stream;
  readonly warnings: readonly string[];
  lines(): string[];
}

/** A sidecar whose commands are these scripts. They append to the file $1. */
async function hooked(elected: string, lost: string, timeoutMs = 20_000): Promise<Hooked> {
  const log = join(folder, `log-${count++}`);
  const scripts = [elected, lost].map((text, index) => {
    const file = `${log}-${index}.sh`;
    writeFileSync(file, text);
    return ['sh', file, log];
  });
  const warnings: string[] = [];
  const env = {
    ...{
      PATH: process.env.PATH,
      HOME: folder,
      HUSTINGS_STORE: 'redis://:secret@host',
      HUSTINGS_FENCE_KEY: 'secret',
    },
    HUSTINGS_SERVE_TOKEN: 'secret',
  };
  const sidecar = await start({
    hooks: { onElected: scripts[0], onLost: scripts[1], timeoutMs, env },
    log: ({ message }) => void warnings.push(message),
    timing: { ttlMs: 15_000 },
    stopGraceMs: 50,
  });
  const stream = openStream(sidecar, { proof: 'stream' });
  await until(() => stream.news.some(({ type }) => type === 'elected'));
  const lines = (): string[] => (existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : []);
  return { sidecar, stream, warnings, lines };
}

const release = async ({ sidecar, stream }: Hooked): Promise<void> => {
  const [first] = stream.news;
  await post(sidecar, '/release', { campaign: first.type === 'campaign' ? first.campaign : '' });
};

describe.concurrent('the commands for a term', () => {
  it('get the term and no secret, and the one for the end gets the reason', async () => {
    const hook = await hooked(
      'env | sort >>"$1"',
      'echo "$HUSTINGS_EVENT $HUSTINGS_REASON $HUSTINGS_TOKEN" >>"$1"',
    );
    await until(() => hook.lines().some((line) => line.startsWith('HUSTINGS_TOKEN=')));
    const elected = hook.stream.news.find((each) => each.type === 'elected');
    const token = elected?.type === 'elected' ? elected.token : '';
    const fence = elected?.type === 'elected' ? elected.fence : '';
    for (const line of [
      'HUSTINGS_EVENT=elected',
      'HUSTINGS_NAME=billing',
      `HUSTINGS_TOKEN=${token}`,
      `HUSTINGS_FENCE=${fence}`,
    ]) {
      expect(hook.lines()).toContain(line);
    }
    expect(hook.lines().join('\n')).not.toContain('secret');
    await release(hook);
    await until(() => hook.lines().at(-1) === `lost released ${token}`);
    await hook.sidecar.close();
  });

  it('cannot delay the loss: the one that still runs is killed with what it started, then the other runs', async () => {
    const hook = await hooked(
      'sleep 1000 & echo "start $!" >>"$1"; wait; echo late >>"$1"',
      'echo end >>"$1"',
    );
    await until(() => hook.lines().length > 0);
    const child = Number(/^start (\d+)$/.exec(hook.lines()[0])?.[1]);
    await release(hook);
    expect(hook.stream.news.at(-1)).toMatchObject({ type: 'ended', released: true });
    await until(() => hook.lines().includes('end'));
    expect(hook.lines()).toEqual([`start ${child}`, 'end']);
    await until(() => readProcess(child)?.isLiving !== true);
    await hook.sidecar.close();
  });

  it('are killed after the time limit, and a failure is told', async () => {
    const hook = await hooked('exit 3', 'sleep 1000', 200);
    await until(() => hook.warnings.some((text) => text.includes('ended with 3')));
    await release(hook);
    await until(() => hook.warnings.some((text) => text.includes('was killed after 200 ms')));
    expect(hook.warnings).toContain("hustings: the command for 'elected', sh, ended with 3");
    await hook.sidecar.close();
  });

  // spawn throws for ENOTDIR and emits an event for ENOENT.
  it.each([
    ['/nonexistent', 'ENOENT'],
    ['/etc/passwd/hook', 'ENOTDIR'],
  ])(
    'that cannot be run, like %s, are told, and the term and later commands go on',
    async (program, code) => {
      const warnings: string[] = [];
      const file = join(folder, `after-${code}`);
      const hooks = { onElected: [program], onLost: ['touch', file], timeoutMs: 10_000, env: process.env };
      const sidecar = await start({
        hooks,
        log: ({ message }) => void warnings.push(message),
        stopGraceMs: 50,
      });
      const stream = openStream(sidecar, { proof: 'stream' });
      await until(() => warnings.some((text) => text.includes(`${program}, cannot be run (${code})`)));
      await until(() => stream.news.some(({ type }) => type === 'renewed'));
      stream.close();
      await until(() => existsSync(file));
      await sidecar.close();
    },
  );
});
