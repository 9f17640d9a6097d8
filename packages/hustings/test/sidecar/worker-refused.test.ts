import type { ChildProcess } from 'node:child_process';
import { afterEach, expect, it } from 'vitest';
import { startProcess } from '../../../../test-kit/limits/child-process.ts';
import { until } from '../../../../test-kit/until.ts';
import type { Sidecar } from '../../src/sidecar/sidecar.ts';
import { WORKERS } from './replicas.ts';
import { post, start, TOKEN } from './sidecar-client.ts';

const RIGHT = TOKEN.replaceAll(' ', '-');
const started: { child: ChildProcess; sidecar: Sidecar }[] = [];
afterEach(async () => {
  for (const { child, sidecar } of started.splice(0)) {
    child.kill('SIGKILL');
    await sidecar.close();
  }
});

/** The worker in bash beside this sidecar. */
function startWorker(sidecar: Sidecar, token: string) {
  const [program, ...args] = WORKERS.bash;
  const { RESOURCE: _, ...inherited } = process.env;
  const env = { ...inherited, SIDECAR: `http://127.0.0.1:${sidecar.port}`, HUSTINGS_SERVE_TOKEN: token };
  const child = startProcess(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  started.push({ child, sidecar });
  const worker = { said: '', code: new Promise((resolve) => child.once('close', resolve)) };
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (worker.said += data));
  return worker;
}

it('the worker in bash prints why it is refused for a wrong token, and exits', async () => {
  const worker = startWorker(await start(), `${RIGHT}x`);
  expect(await worker.code).toBe(1);
  expect(worker.said).toContain('no campaign: {"error":"a change needs');
});

it('the worker in bash prints that it must choose one of two elections, and exits', async () => {
  const worker = startWorker(await start({ names: ['billing', 'report'] }), RIGHT);
  expect(await worker.code).toBe(1);
  expect(worker.said).toContain(`no campaign: {"error":"name must be one of 'billing', 'report'"}\n`);
});

it('the worker in bash prints that another campaign is under way, and tries again until it is over', async () => {
  const sidecar = await start({ timing: { ttlMs: 15_000 } });
  const { body } = await post(sidecar, '/campaign', { progressWithinMs: 3_600_000 });
  const worker = startWorker(sidecar, RIGHT);
  await until(() => worker.said.includes('no campaign: {"error":"'));
  expect(worker.said).not.toContain('working');
  await post(sidecar, '/release', { campaign: body.campaign });
  await until(() => worker.said.includes('working under token'));
});
