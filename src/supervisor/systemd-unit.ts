/**
 * Whether systemd signals the command itself. With KillMode=control-group, the default, `systemctl stop` sends SIGTERM to
 * every process of the unit, and the supervisor passes its own SIGTERM on: the command receives two, and a handler that was
 * registered for one signal dies of the second.
 *
 * The unit is known from the cgroup, its settings only from systemctl. Nothing is known, and there is no warning, where
 * systemctl is missing.
 */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';

interface SystemdUnit {
  readonly name: string;
  /** A unit of the user's own manager. */
  readonly isUser: boolean;
}

/** The service of a process, from /proc/self/cgroup; null outside a service. */
export function systemdUnitOf(cgroup: string): SystemdUnit | null {
  const paths = [...cgroup.matchAll(/^\d+:(?:name=systemd)?:(.*)$/gm)].map(([, path]) => path.split('/'));
  for (const path of paths) {
    const units = path.filter((part) => /\.(service|scope)$/.test(part));
    const [name = '', manager = ''] = units.reverse();
    if (name.endsWith('.service')) return { name, isUser: manager.startsWith('user@') };
  }
  return null;
}

/** A systemctl that hangs delays the exit of the process by this. */
const LONGEST_MS = 3_000;

/** Resolves with a warning if systemd will signal the command too; otherwise with null. Never rejects. */
export async function killModeWarning(
  env: NodeJS.ProcessEnv,
  cgroup = readOwnCgroup(),
  systemctl = 'systemctl',
  timeoutMs = LONGEST_MS,
): Promise<string | null> {
  // A process that a service did not start may still be in its cgroup, for example a job of cron.
  const unit = env.INVOCATION_ID ? systemdUnitOf(cgroup) : null;
  if (unit === null) return null;
  const { name, isUser } = unit;
  const args = [...(isUser ? ['--user'] : []), 'show', '--property=KillMode', '--value', '--', name];
  const mode = await new Promise<string>((resolve) => {
    const options = { env, timeout: timeoutMs, killSignal: 'SIGKILL' as const };
    execFile(systemctl, args, options, (error, stdout) => resolve(error === null ? stdout.trim() : ''));
  });
  if (mode !== 'control-group') return null;
  return (
    `${name} has KillMode=control-group, so the command receives SIGTERM twice; ` +
    'set KillMode=mixed in the unit, or use --no-forward-signals'
  );
}

function readOwnCgroup(): string {
  try {
    return readFileSync('/proc/self/cgroup', 'utf8');
  } catch {
    return '';
  }
}
