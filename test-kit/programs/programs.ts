/**
 * The programs that tests need beside Node: where they are, and how they come onto the machine. On Debian as root a missing
 * package is installed, by one installer at a time; its service is kept from starting. Elsewhere `missing` gives the reason
 * and the command, for a suite to skip with; where CI=true it throws, because there a skip would hide a failure.
 */

import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isExecutable } from '../../packages/study/src/cli/picture/browser.ts';
import { startProcess } from '../limits/child-process.ts';

/** Each program's Debian package. */
export const PACKAGES = {
  'redis-server': 'redis-server',
  postgres: 'postgresql',
  pgbouncer: 'pgbouncer',
  mariadbd: 'mariadb-server',
  chromium: 'chromium',
  'chromium-headless-shell': 'chromium-headless-shell',
  etcd: 'etcd-server',
  etcdctl: 'etcd-client',
  'nats-server': 'nats-server',
  go: 'golang-go',
  'zkServer.sh': 'zookeeper',
  tini: 'tini',
  promtool: 'prometheus',
} as const;
export type Program = keyof typeof PACKAGES;

/** Those of one group are installed together, so that the lists of packages are read once. */
const GROUPS: readonly (readonly Program[])[] = [
  ['redis-server', 'postgres'],
  ['pgbouncer'],
  ['mariadbd'],
  ['chromium', 'chromium-headless-shell'],
];

const DEBIAN_POSTGRES = '/usr/lib/postgresql';

export function programPath(name: string, path = process.env.PATH ?? ''): string | undefined {
  // Debian keeps the programs of each version of PostgreSQL in a folder of its own: the newest first.
  const versions = existsSync(DEBIAN_POSTGRES) ? readdirSync(DEBIAN_POSTGRES) : [];
  const newestFirst = versions.sort((a, b) => Number(b) - Number(a));
  const folders = [
    ...path.split(delimiter).filter(Boolean),
    '/usr/sbin',
    '/usr/share/zookeeper/bin',
    ...newestFirst.map((version) => join(DEBIAN_POSTGRES, version, 'bin')),
  ];
  return folders.map((folder) => join(folder, name)).find(isExecutable);
}

/** The machine, as far as it matters here: a test may give another one. */
export interface Machine {
  readonly isDebian: boolean;
  readonly isRoot: boolean;
  readonly isCi: boolean;
  has(program: Program): boolean;
  /** Resolves to what went wrong, or undefined. */
  install(packages: readonly string[]): Promise<string | undefined>;
}

const HERE: Machine = {
  isDebian: existsSync('/etc/debian_version') && isExecutable('/usr/bin/apt-get'),
  isRoot: process.getuid?.() === 0,
  isCi: process.env.CI === 'true',
  has: (program) => programPath(program) !== undefined,
  install: installPackages,
};

/** Undefined if the program is there, perhaps because it was installed just now; else why not, and what to do. */
export async function missing(program: Program, machine = HERE): Promise<string | undefined> {
  if (machine.has(program)) return undefined;
  let reason = `${program} is not installed`;
  if (machine.isDebian && machine.isRoot) {
    const group = GROUPS.find((each) => each.includes(program)) ?? [program];
    const wanted = group.filter((each) => !machine.has(each));
    const failure = await machine.install(wanted.map((each) => PACKAGES[each]));
    if (machine.has(program)) return undefined;
    reason = `${program} could not be installed${failure === undefined ? '' : ` (${failure})`}`;
  }
  const text = `${reason}: apt-get install -y --no-install-recommends ${PACKAGES[program]}`;
  if (machine.isCi) throw new Error(`${text}; with CI=true this is a failure, not a skip`);
  return text;
}

/**
 * Debian starts a service as soon as it is installed, unless policy-rc.d says no. A policy of somebody else's stays;
 * our own is removed again, also one that an earlier installer left when it was killed.
 */
export const INSTALL_SCRIPT = `
policy=\${POLICY:-/usr/sbin/policy-rc.d}
mark='# hustings: no service is started while its tests install packages'
wanted=
for name; do
  dpkg-query -W -f='\${Status}' "$name" 2>/dev/null | grep -q 'ok installed' || wanted="$wanted $name"
done
[ -n "$wanted" ] || exit 0
if [ ! -e "$policy" ]; then printf '#!/bin/sh\\n%s\\nexit 101\\n' "$mark" >"$policy" && chmod 755 "$policy"; fi
trap 'grep -qsF "$mark" "$policy" && rm -f "$policy"' EXIT
export DEBIAN_FRONTEND=noninteractive RUNLEVEL=1
apt-get -o DPkg::Lock::Timeout=300 -o Acquire::Retries=3 update
apt-get -o DPkg::Lock::Timeout=300 -o Acquire::Retries=3 install -y --no-install-recommends $wanted
`;

/** The kernel frees the lock when its holder dies; the next holder finds the packages installed. */
async function installPackages(packages: readonly string[]): Promise<string | undefined> {
  const child = startProcess(
    'flock',
    [fileURLToPath(import.meta.url), 'sh', '-c', INSTALL_SCRIPT, 'sh', ...packages],
    {
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  );
  let errors = '';
  child.stderr.on('data', (data) => (errors += data));
  child.on('error', (error) => (errors += error.message));
  const code = await new Promise((resolve) => child.on('close', resolve));
  return code === 0 ? undefined : errors.trim().split('\n').slice(-2).join(' | ') || `code ${code}`;
}
