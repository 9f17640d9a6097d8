import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { eventually } from '../../../../test-kit/eventually.ts';
import { startProcess } from '../../../../test-kit/limits/child-process.ts';
import { isHangupIgnored } from '../../../base/src/node/hangup.ts';

const status = (ignored: string) =>
  `Name:\tbash\nSigBlk:\t0000000000010000\nSigIgn:\t${ignored}\nSigCgt:\t0001\n`;

describe('a start under nohup is found', () => {
  it('by the program that the shell has recorded', () => {
    expect(isHangupIgnored({ _: '/usr/bin/nohup' }, '')).toBe(true);
    expect(isHangupIgnored({ _: '/usr/bin/node' }, '')).toBe(false);
    expect(isHangupIgnored({}, '')).toBe(false);
  });

  it('by a parent that ignores SIGHUP', () => {
    expect(isHangupIgnored({}, status('0000000000384001'))).toBe(true);
    expect(isHangupIgnored({}, status('0000000000384004'))).toBe(false);
  });

  it('in the status of a real shell that ignores SIGHUP', async () => {
    const shell = startProcess('bash', ['--norc', '-c', "trap '' HUP; echo; read -r"], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    let text = '';
    shell.stdout.on('data', (data) => (text += data));
    await eventually('the shell has its trap', () => text);
    expect(isHangupIgnored({}, readFileSync(`/proc/${shell.pid}/status`, 'utf8'))).toBe(true);
    shell.kill('SIGKILL');
  });
});
