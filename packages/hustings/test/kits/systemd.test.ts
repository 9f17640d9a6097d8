import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../../test-kit/command.ts';
import { runProcess } from '../../../../test-kit/limits/child-process.ts';
import { programPath } from '../../../../test-kit/programs/programs.ts';
import { readKit } from './kit-files.ts';

const unit = readKit('systemd/billing.service');
const setting = (key: string): string => new RegExp(`^${key}=(.*)$`, 'm').exec(unit)?.[1] ?? '';

describe('the systemd unit', () => {
  const folder = temporaryFolder();

  it('signals the supervisor alone, and waits longer than it gives the command', () => {
    expect(setting('KillMode')).toBe('mixed');
    const grace = / --grace (\d+)s /.exec(setting('ExecStart'))?.[1];
    expect(Number.parseInt(setting('TimeoutStopSec'), 10)).toBeGreaterThan(Number(grace));
  });

  it('has no password on the command line, where every user of the host can read it', () => {
    expect(setting('EnvironmentFile')).toBe('/etc/billing.env');
    expect(unit).not.toMatch(/--store/);
  });

  const analyze = programPath('systemd-analyze');
  it.skipIf(analyze === undefined)('passes systemd-analyze verify, which finds a mistake', () => {
    const verify = (text: string) => {
      const file = join(folder.path, 'billing.service');
      // It looks for the programs, and hustings is not installed in /usr/bin here.
      writeFileSync(file, text.replace(/^ExecStart=\S+ (.*) -- \S+/m, `ExecStart=${process.execPath} $1 --`));
      const { status, stderr } = runProcess(analyze!, ['verify', file]);
      return { status, errors: stderr.split('\n').filter((line) => line.includes('billing.service')) };
    };
    expect(verify(unit)).toEqual({ status: 0, errors: [] });
    expect(verify(unit.replace('KillMode=mixed', 'KillMode=some')).errors).not.toEqual([]);
  });
});
