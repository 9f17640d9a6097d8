/**
 * Whether this process was started with SIGHUP ignored, as by nohup. Node restores the default action before the first line
 * of a program runs, so the own disposition is lost, and only traces are left: a shell records the program that it started
 * in the variable `_`, and a parent that ignores SIGHUP has passed that on.
 *
 * Not found: nohup started by a shell that does not set `_`, such as dash.
 */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';

const SIGHUP_BIT = 1n;

export function isHangupIgnored(env: NodeJS.ProcessEnv, parentStatus = readStatus(process.ppid)): boolean {
  if (basename(env._ ?? '') === 'nohup') return true;
  const [, ignored = '0'] = /^SigIgn:\s*([0-9a-f]+)$/m.exec(parentStatus) ?? [];
  return (BigInt(`0x${ignored}`) & SIGHUP_BIT) !== 0n;
}

function readStatus(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8');
  } catch {
    return '';
  }
}
