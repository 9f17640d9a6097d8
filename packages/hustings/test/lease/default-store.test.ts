import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../../../../test/source/source-file.ts';
import { runProcess } from '../../../../test-kit/limits/child-process.ts';
import { whyPrivateBy } from '../../src/lease/default-store.ts';

const DISK = '27 1 254:0 / / rw,relatime - ext4 /dev/vda rw';
const FOLDER = '/srv/u/.local/state/hustings';
const reason = (env: NodeJS.ProcessEnv, files: readonly string[] = [], mounts: readonly string[] = []) =>
  whyPrivateBy(FOLDER, {
    env,
    exists: (path) => files.includes(path),
    mounts: [DISK, ...mounts].join('\n'),
  });

const POD = { KUBERNETES_SERVICE_HOST: '10.0.0.1' };

describe('the default store is not shared', () => {
  it.each([
    ['other Kubernetes pods do not share it', POD, [], []],
    ['other Docker containers do not share it', {}, ['/.dockerenv'], []],
    ['other Podman containers do not share it', {}, ['/run/.containerenv'], []],
    [
      'other containers do not share it (the root file system is an overlay)',
      {},
      [],
      ['28 1 0:30 / / rw - overlay overlay rw'],
    ],
    ['it is on a tmpfs, which a restart empties', {}, [], ['29 27 0:31 / /srv/u rw - tmpfs tmpfs rw']],
    ['it is on a ramfs, which a restart empties', {}, [], ['29 27 0:31 / /srv rw - ramfs none rw']],
  ])('because %s', (why, env, files, mounts) => {
    expect(reason(env, files, mounts)).toBe(why);
  });

  it('except on a host: a tmpfs or an overlay at another place does not count', () => {
    const other = [
      '29 27 0:31 / /tmp rw - tmpfs tmpfs rw',
      '30 27 0:32 / /var/lib/docker/x rw - overlay o rw',
    ];
    expect(reason({}, [], other)).toBeNull();
    expect(reason({ KUBERNETES_SERVICE_HOST: '' })).toBeNull();
  });

  it('except where nothing can be read, as on other systems', () => {
    expect(whyPrivateBy(FOLDER, { env: {}, exists: () => false, mounts: '' })).toBeNull();
  });
});

describe('the library', () => {
  const run = (env: NodeJS.ProcessEnv) => {
    const door = pathToFileURL(join(ROOT, 'packages/hustings/dist/lease/index.js')).href;
    const code = `const { defaultStoreUrl } = await import('${door}'); defaultStoreUrl(); defaultStoreUrl();`;
    const { stderr } = runProcess(process.execPath, ['--input-type=module', '-e', code], {
      env: { PATH: process.env.PATH, HOME: '/srv/u', ...env },
    });
    return stderr;
  };

  it('warns at every start of a process that uses the default store in a container, once', () => {
    const stderr = run(POD);
    expect(stderr.match(/HUSTINGS_PRIVATE_STORE/g)).toHaveLength(1);
    expect(stderr).toContain(
      'the default store is /srv/u/.local/state/hustings/leases.db, and other Kubernetes pods do not share it',
    );
  });
});
