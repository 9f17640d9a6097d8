import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { POD_ROLE_RULE } from '../../packages/hustings/src/sidecar/pod-label.ts';
import { manifestsOf, readKit, verbsOf } from '../../packages/hustings/test/kits/kit-files.ts';
import { runProcess, startProcess } from '../../test-kit/limits/child-process.ts';
import { until } from '../../test-kit/until.ts';
import { parseBlocks } from '../readme/blocks.ts';
import { createSandbox, type Sandbox } from '../readme/run-blocks.ts';
import { ROOT } from '../source/source-file.ts';

const page = readFileSync(join(ROOT, 'docs/sidecar.md'), 'utf8');
let place: Sandbox;
beforeAll(() => {
  place = createSandbox(ROOT);
});
afterAll(() => place?.remove());

it('the first requests of docs/sidecar.md lead and release', async () => {
  const [serve, requests] = parseBlocks(page).filter(({ language }) => language === 'sh');
  const env = { ...place.env, HUSTINGS_SERVE_TOKEN: '' };
  const sidecar = startProcess('sh', ['-c', `exec ${serve.code}`], {
    cwd: place.folder,
    env,
    stdio: 'ignore',
  });
  try {
    await until(() => existsSync(join(place.folder, 'sock')));
    // A reader is slower than a script: between the requests the candidate is elected.
    const script = requests.code
      .replace('/progress', '/progress && sleep 0.3')
      .replace(/^id=.*$/m, '$&; sleep 0.5');
    const { stdout, status } = runProcess('bash', ['-c', script], {
      cwd: place.folder,
      env,
    });
    expect([status, stdout]).toEqual([0, expect.stringContaining('"state":"ended"')]);
    const answers = stdout.split(/(?<=\})(?=\{)/).map((text) => JSON.parse(text));
    expect(answers.map(({ type, state }) => type ?? state)).toEqual([
      'vacant',
      'waiting',
      expect.anything(),
      'ended',
    ]);
    const [, program] = / {10}- \|\n((?: {12}.*\n)+)/.exec(page) ?? [];
    const path = join(place.folder, 'sock');
    const probe = (): number | null =>
      runProcess(process.execPath, ['-e', program.replace('/run/hustings/sock', path)]).status;
    expect(probe()).toBe(0);
    sidecar.kill('SIGKILL');
    await new Promise((resolve) => sidecar.once('exit', resolve));
    expect(probe()).not.toBe(0);
  } finally {
    sidecar.kill('SIGKILL');
  }
});

it('docs/sidecar.md has the rights that the label of a pod needs', () => {
  const plain = (text: string): string => text.replaceAll(/["'\s]/g, '');
  expect(plain(page)).toContain(plain(POD_ROLE_RULE));
  const [, verbs] = /resources: \[leases\], verbs: \[(.*)\]/.exec(page) ?? [];
  expect(verbs.split(', ')).toEqual(verbsOf(manifestsOf(readKit('kubernetes/rbac.yaml'))));
});
