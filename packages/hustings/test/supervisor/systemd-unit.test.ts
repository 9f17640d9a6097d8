import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../../test-kit/command.ts';
import { isUnitSignalled, systemdUnitOf } from '../../src/supervisor/systemd-unit.ts';

const folder = temporaryFolder();

describe('the systemd unit of a process', () => {
  it.each([
    ['a service', '0::/system.slice/billing.service\n', { name: 'billing.service', isUser: false }],
    [
      'a group inside a service',
      '0::/system.slice/a@1.service/sub\n',
      { name: 'a@1.service', isUser: false },
    ],
    [
      'a service of a user',
      '0::/user.slice/user-1000.slice/user@1000.service/app.slice/b.service\n',
      { name: 'b.service', isUser: true },
    ],
    [
      'a hierarchy of cgroup v1',
      '4:memory:/x\n1:name=systemd:/system.slice/c.service\n0::/\n',
      { name: 'c.service', isUser: false },
    ],
    ['a terminal', '0::/user.slice/user-1000.slice/user@1000.service/app.slice/vte-1.scope\n', null],
    ['a login', '0::/user.slice/user-1000.slice/session-3.scope\n', null],
    ['a container', '0::/\n', null],
    ['no cgroup', '', null],
  ])('is read from the cgroup of %s', (_, cgroup, unit) => {
    expect(systemdUnitOf(cgroup)).toEqual(unit);
  });
});

describe('a SIGTERM that systemd has sent to the command too', () => {
  const cgroup = '0::/system.slice/billing.service\n';
  let count = 0;
  /** A systemctl that answers with `script`. */
  function systemctlWith(script: string): string {
    const bin = join(folder.path, `bin-${++count}`);
    writeFileSync(bin, `#!/bin/sh\n${script}\n`);
    chmodSync(bin, 0o755);
    return bin;
  }
  const env = { INVOCATION_ID: 'f00d', PATH: process.env.PATH };
  const isSignalled = (script: string, text = cgroup, extra: NodeJS.ProcessEnv = {}) =>
    isUnitSignalled({ ...env, ...extra }, text, systemctlWith(script), 60_000);
  const answer = (mode: string, state: string) => `echo ActiveState=${state}; echo KillMode=${mode}`;

  it('is known where the unit has KillMode=control-group and is being stopped', async () => {
    const asked = '[ "$*" = "show --property=KillMode,ActiveState -- billing.service" ] || exit 1';
    expect(await isSignalled(`${asked}; ${answer('control-group', 'deactivating')}`)).toBe(true);
  });

  it('is asked of the manager of the user for a service of the user', async () => {
    const own = '0::/user.slice/user-1000.slice/user@1000.service/app.slice/b.service\n';
    const asked = '[ "$1" = --user ] || exit 1';
    expect(await isSignalled(`${asked}; ${answer('control-group', 'deactivating')}`, own)).toBe(true);
  });

  it('is not assumed if the unit runs on, for other modes, outside a service, and if systemctl fails, hangs or is missing', async () => {
    const both = answer('control-group', 'deactivating');
    for (const script of [
      answer('control-group', 'active'),
      ...['mixed', 'process', 'none'].map((mode) => answer(mode, 'deactivating')),
      `${both}; exit 1`,
    ]) {
      expect(await isSignalled(script)).toBe(false);
    }
    expect(await isSignalled(both, '0::/\n')).toBe(false);
    expect(await isSignalled(both, cgroup, { INVOCATION_ID: undefined })).toBe(false);
    expect(await isUnitSignalled(env, cgroup, systemctlWith('exec sleep 1000'), 200)).toBe(false);
    expect(await isUnitSignalled(env, cgroup, join(folder.path, 'absent'))).toBe(false);
  });
});
