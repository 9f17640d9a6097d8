import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { killModeWarning, systemdUnitOf } from '../../src/supervisor/systemd-unit.ts';
import { temporaryFolder } from '../cli/command.ts';

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

describe('the warning about KillMode', () => {
  const cgroup = '0::/system.slice/billing.service\n';
  let count = 0;
  /** The environment of a service whose systemctl answers with `script`. */
  function serviceWith(script: string): NodeJS.ProcessEnv {
    const bin = join(folder.path, `bin-${++count}`);
    writeFileSync(bin, `#!/bin/sh\n${script}\n`);
    chmodSync(bin, 0o755);
    return { INVOCATION_ID: 'f00d', PATH: process.env.PATH, SYSTEMCTL: bin };
  }
  const warning = (script: string, text = cgroup, extra: NodeJS.ProcessEnv = {}) => {
    const { SYSTEMCTL, ...env } = serviceWith(script);
    return killModeWarning({ ...env, ...extra }, text, SYSTEMCTL, 60_000);
  };

  it('names the unit if systemd signals every process of it', async () => {
    const script = '[ "$*" = "show --property=KillMode --value -- billing.service" ] && echo control-group';
    expect(await warning(script)).toMatch(
      /^billing\.service has KillMode=control-group, so .* twice; set KillMode=mixed/,
    );
  });

  it('asks the manager of the user about a service of the user', async () => {
    const own = '0::/user.slice/user-1000.slice/user@1000.service/app.slice/b.service\n';
    expect(await warning('[ "$1" = --user ] && echo control-group', own)).toMatch(/^b\.service/);
  });

  it('is silent for other modes, outside a service, and if systemctl fails, hangs or is missing', async () => {
    for (const script of ['echo mixed', 'echo process', 'echo none', 'exit 1'])
      expect(await warning(script)).toBeNull();
    expect(await warning('echo control-group', '0::/\n')).toBeNull();
    expect(await warning('echo control-group', cgroup, { INVOCATION_ID: undefined })).toBeNull();
    expect(
      await killModeWarning(
        serviceWith('exec sleep 1000'),
        cgroup,
        serviceWith('exec sleep 1000').SYSTEMCTL,
        200,
      ),
    ).toBeNull();
    expect(await killModeWarning({ INVOCATION_ID: 'x' }, cgroup, join(folder.path, 'absent'))).toBeNull();
  });
});
