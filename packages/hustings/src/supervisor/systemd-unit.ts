/**
 * Whether systemd has sent SIGTERM to the command itself. With KillMode=control-group, the default, `systemctl stop` sends
 * SIGTERM to every process of the unit. A supervisor that passed its own SIGTERM on would send a second one, and a handler
 * that was registered for one signal dies of the second.
 *
 * The unit is known from the cgroup, its settings and its state only from systemctl. Where systemctl is missing or fails, the
 * answer is no: the command receives SIGTERM twice rather than never.
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

/** A systemctl that hangs delays the stop of the command by this. */
const LONGEST_MS = 1_000;

/**
 * To be asked when this process has received SIGTERM. A unit that is not being stopped was not signalled by systemd: somebody
 * has signalled this process alone. Never rejects.
 */
export async function isUnitSignalled(
  env: NodeJS.ProcessEnv,
  cgroup = readOwnCgroup(),
  systemctl = 'systemctl',
  timeoutMs = LONGEST_MS,
): Promise<boolean> {
  // A process that a service did not start may still be in its cgroup, for example a job of cron.
  const unit = env.INVOCATION_ID ? systemdUnitOf(cgroup) : null;
  if (unit === null) return false;
  const { name, isUser } = unit;
  const args = [...(isUser ? ['--user'] : []), 'show', '--property=KillMode,ActiveState', '--', name];
  const properties = await new Promise<string>((resolve) => {
    const options = { env, timeout: timeoutMs, killSignal: 'SIGKILL' as const };
    execFile(systemctl, args, options, (error, stdout) => resolve(error === null ? stdout : ''));
  });
  return /^KillMode=control-group$/m.test(properties) && /^ActiveState=deactivating$/m.test(properties);
}

function readOwnCgroup(): string {
  try {
    return readFileSync('/proc/self/cgroup', 'utf8');
  } catch {
    return '';
  }
}
