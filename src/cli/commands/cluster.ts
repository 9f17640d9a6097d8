/** `hustings cluster`: real processes of one cluster on this machine, and the files of a new one. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Command } from 'commander';
import { writeFirstToken } from '../../cluster/host/support-file.ts';
import {
  memberCertificate,
  writeMemberFile,
  writeSecretFile,
  writeTestCertificates,
} from '../../cluster/init/cluster-files.ts';
import { checkMemberList } from '../../cluster/member-list/member-list.ts';
import { HustingsError, InputError } from '../../errors/hustings-error.ts';
import { optional, parseNumber } from '../../simulator/plan/option-syntax.ts';
import { addChangeCommands } from '../cluster/change-members.ts';
import { act, type ClusterAction, showCluster } from '../cluster/cluster-screen.ts';
import { LocalCluster } from '../cluster/local-cluster.ts';
import { type NodeLine, sentence } from '../cluster/node-line.ts';
import { ELECTION_FAILED, EnvironmentError } from '../exit.ts';
import {
  addElectionOptions,
  algorithmOf,
  doubleLeadWarning,
  type ElectionFlags,
  splitWarning,
} from '../flags/node-flags.ts';
import { formatJsonLine } from '../json.ts';
import { untilStopped } from '../stop-signal.ts';
import { screenOf } from '../terminal.ts';

interface ClusterFlags extends ElectionFlags {
  readonly nodes: string;
  readonly once?: true;
}

interface InitFlags {
  readonly nodes: string;
  readonly name: string;
  readonly dir: string;
  readonly host: string;
  readonly port: string;
  readonly httpPort: string;
  readonly certificates?: true;
  readonly tokenFrom?: string;
}

const MOST_NODES = 50;
/** How long --once waits. */
const ONCE_MS = 60_000;

const HELP = `
In a terminal it shows the members, and has keys to kill, pause, restart and cut
them. With --events it prints one JSON object per line, with type, at, node, pid,
leader and epoch, and reads lines from stdin: kill N, pause N, restart N, cut N,
quit. A second pause or cut undoes the first. Nothing is left behind.

Exit codes: 0 done; 1 with --once the members did not agree within a minute;
2 bad input; 3 a member cannot start.

Examples:
  hustings cluster --nodes 3 --algorithm bully --once
  hustings cluster --nodes 5 --algorithm bully
  hustings cluster --nodes 5 --algorithm chang-roberts --quorum --events`;

export function addCluster(program: Command): void {
  const cluster = program
    .command('cluster')
    .summary('run a whole cluster on this machine, or write the files of one')
    .description('Runs the members of a cluster as processes of this machine, until q or Ctrl-C.')
    .option('--nodes <N>', 'number of members, with the ids from 1', '5')
    .option('--once', 'end when all members agree on a leader');
  addElectionOptions(cluster).addHelpText('after', HELP).action(clusterCommand);
  addChangeCommands(cluster);
  cluster
    .command('init')
    .summary('write the member file and the secret of a new cluster')
    .description(
      'Writes members.json and secret into a folder. Nothing is overwritten.\n' +
        'Exit codes: 0 done; 2 bad input; 3 a file cannot be written.',
    )
    .option('--dir <DIR>', 'folder for the files', 'cluster')
    .option('--nodes <N>', 'number of members, with the ids from 1', '5')
    .option('--name <NAME>', 'name of the cluster', 'demo')
    .option('--host <HOST>', 'host of all members; correct the file for several hosts', '127.0.0.1')
    .option('--port <N>', 'port of member 1; the others follow', '7001')
    .option('--http-port <N>', 'port of 127.0.0.1 for the status of member 1; the others follow', '17001')
    .option('--certificates', 'write a test CA and certificates into tls/; needs openssl')
    .option(
      '--token-from <N>',
      'largest token used before; the tokens, terms and epochs of all members begin above it',
    )
    .addHelpText('after', '\nExample:\n  hustings cluster init --nodes 3 --dir cluster')
    .action(initCommand);
}

async function clusterCommand(flags: ClusterFlags): Promise<void> {
  const nodes = wholeNumber('nodes', flags.nodes, 1, MOST_NODES);
  const algorithm = await algorithmOf(flags);
  const isLive = !flags.events && !flags.once && process.stdin.isTTY && process.stdout.isTTY;
  const warning = splitWarning(algorithm, flags.quorum ?? false);
  if (warning !== null && !flags.events) console.error(`hustings: ${warning}`);
  let hasAgreed = false;
  let hasWarned = false;
  const onLine = (line: NodeLine, stop: () => void): void => {
    if (line.type === 'agreed') hasAgreed = true;
    const doubleLead = line.type === 'up' ? doubleLeadWarning(algorithm, line.exclusive) : null;
    if (doubleLead !== null && !hasWarned && !flags.events && !isLive) {
      hasWarned = true;
      console.error(`hustings: ${doubleLead}`);
    }
    if (line.type !== 'status' && !isLive) {
      const text = flags.events ? formatJsonLine(line) : sentence(line);
      if (text !== null) console.log(text);
    }
    if (flags.once && hasAgreed) stop();
  };
  await untilStopped(async (stopped, stop) => {
    const started = LocalCluster.start({
      nodes,
      program: process.argv[1],
      args: argsOf(flags),
      onLine: (line) => onLine(line, stop),
    });
    const cluster = await Promise.race([started, stopped.then(() => null)]);
    // With --once the members may have agreed already. Otherwise the reaper cleans up after a start that was stopped.
    if (cluster === null) return hasAgreed ? (await started).close() : undefined;
    const timer = flags.once ? setTimeout(stop, ONCE_MS) : undefined;
    try {
      if (flags.events) obey(cluster, stop);
      const isDouble = cluster.members.some(({ line }) => doubleLeadWarning(algorithm, line?.exclusive));
      const limits = flags.quorum ? ', with a quorum' : isDouble ? ', two may lead at the same time' : '';
      const name = `${algorithm.name}, ${nodes} processes${limits}`;
      const lab = `hustings lab --cluster ${cluster.memberFile}`;
      if (!isLive && !flags.events && !flags.once) console.log(`in the browser: ${lab}`);
      if (isLive) await showCluster(cluster, { name, lab }, screenOf(process.stdout).paint, stopped);
      else await stopped;
    } finally {
      clearTimeout(timer);
      await cluster.close();
    }
  });
  process.exit(flags.once && !hasAgreed ? ELECTION_FAILED : 0);
}

const ACTIONS = ['kill', 'pause', 'restart', 'cut', 'quit'] satisfies ClusterAction['type'][];

/** The commands of a script. */
function obey(cluster: LocalCluster, stop: () => void): void {
  createInterface({ input: process.stdin }).on('line', (text) => {
    const [word, id] = text.trim().split(/\s+/);
    const type = ACTIONS.find((action) => action === word);
    if (type === undefined) console.error(`hustings: '${word}' is not one of ${ACTIONS.join(', ')}`);
    else if (!act(cluster, { type }, Number(id))) stop();
  });
}

function argsOf({ algorithm, heartbeat, lease, quorum, record, set = [], unit }: ClusterFlags): string[] {
  const valued = { algorithm, heartbeat, lease, record, unit };
  return [
    ...Object.entries(valued).flatMap(([name, value]) => (value === undefined ? [] : [`--${name}`, value])),
    ...set.flatMap((each) => ['--set', each]),
    ...(quorum ? ['--quorum'] : []),
  ];
}

async function initCommand(_: object, command: Command): Promise<void> {
  // The parser gives --nodes to `cluster`, which has it as well.
  const flags = command.optsWithGlobals<InitFlags>();
  const { dir, host, name } = flags;
  const nodes = wholeNumber('nodes', flags.nodes, 1, 1_000);
  const port = wholeNumber('port', flags.port, 1, 65_536 - nodes);
  const httpPort = wholeNumber('http-port', flags.httpPort, 1, 65_536 - nodes);
  const tokenFrom = optional(flags.tokenFrom, (text) => wholeNumber('token-from', text, 1, 2 ** 52));
  const ids = Array.from({ length: nodes }, (_, place) => place + 1);
  const list = checkMemberList({
    cluster: name,
    version: 1,
    members: ids.map((id) => ({
      id,
      address: `${host}:${port + id - 1}`,
      http: `127.0.0.1:${httpPort + id - 1}`,
    })),
  });
  const written = ['members.json', 'secret'].map((file) => join(dir, file));
  try {
    mkdirSync(dir, { recursive: true });
    await writeMemberFile(written[0], list);
    await writeSecretFile(written[1]);
    if (flags.certificates) {
      const tls = join(dir, 'tls');
      await writeTestCertificates(
        tls,
        ids.map((id) => memberCertificate(name, id)),
      );
      written.push(tls);
    }
    if (tokenFrom !== undefined) {
      for (const id of ids) await writeFirstToken(join(dir, `member-${id}`), tokenFrom);
    }
  } catch (error) {
    if (error instanceof InputError) throw error;
    if (error instanceof HustingsError || (error instanceof Error && 'syscall' in error)) {
      throw new EnvironmentError(error.message, error);
    }
    throw error;
  }
  console.log(`wrote ${written.join(', ')}`);
  console.log(
    `next, for each id: hustings node --members ${written[0]} --secret-file ${written[1]} --id 1 --algorithm bully --quorum`,
  );
  console.log(`in the browser: hustings lab --cluster ${written[0]}`);
}

function wholeNumber(option: string, text: string, least: number, most: number): number {
  const number = parseNumber(option, text, `a whole number from ${least} to ${most}`);
  if (Number.isInteger(number) && number >= least && number <= most) return number;
  throw new InputError(`--${option} must be a whole number from ${least} to ${most}, not ${text}`);
}
