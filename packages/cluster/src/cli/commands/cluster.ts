/** `hustings cluster`: real processes of one cluster on this machine, and the files of a new one. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { EnvironmentError, HustingsError, InputError, mapDefined, parseNumber } from '@hustings/base';
import { ELECTION_FAILED } from '@hustings/base/command/exit';
import { formatJson, formatJsonLine } from '@hustings/base/command/json';
import { untilStopped } from '@hustings/base/command/stop-signal';
import { screenOf } from '@hustings/base/command/terminal';
import { traceFilesIn } from '@hustings/study/internal/cli/trace-files';
import type { Command } from 'commander';
import { MAX_FIRST_TOKEN, writeFirstToken } from '../../host/member-folder.ts';
import { checkSetup } from '../../host/node-setup.ts';
import {
  memberCertificate,
  writeMemberFile,
  writeSecretFile,
  writeTestCertificates,
} from '../../init/cluster-files.ts';
import { addressProblem } from '../../member-list/address.ts';
import { checkMemberList } from '../../member-list/member-list.ts';
import { addChangeCommands } from '../change-members.ts';
import { showCluster } from '../cluster-screen.ts';
import { LocalCluster } from '../local-cluster.ts';
import {
  addElectionOptions,
  doubleLeadWarning,
  type ElectionFlags,
  electionOptions,
  namingFlags,
  splitWarning,
} from '../node-flags.ts';
import { type NodeLine, sentence } from '../node-line.ts';

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
  readonly json?: true;
}

const MAX_NODES = 50;
/** How long --once waits. */
const ONCE_MS = 60_000;

const HELP = `
In a terminal it shows the members, and has keys to kill, pause, restart and cut
them. With --events it prints one JSON object per line, with type, at, node, pid,
leader and epoch, and reads commands from stdin, one per line: kill N, pause N,
restart N, cut N and quit. A second pause or cut undoes the first. A command that
cannot be carried out is answered by a line of type error, with a text. Nothing is
left behind.

Exit codes: 0 done; 1 with --once the members did not agree within a minute;
2 bad input; 3 a member cannot start.

Examples:
  hustings cluster --nodes 3 --algorithm bully --once
  hustings cluster --nodes 5 --algorithm bully
  hustings cluster --nodes 5 --algorithm chang-roberts --quorum --events`;

export function addCluster(program: Command): void {
  const cluster = program
    .command('cluster')
    .description('Runs the members of a cluster as processes of this machine, until q or Ctrl-C.')
    .option('--nodes <N>', 'number of members, with the ids from 1', '5')
    .option('--once', 'end when all members agree on a leader');
  addElectionOptions(cluster)
    .addHelpText('after', HELP)
    .action((flags: ClusterFlags) => namingFlags(() => clusterCommand(flags)));
  addChangeCommands(cluster);
  cluster
    .command('init')
    .summary('write the member file and the secret of a new cluster')
    .description(
      'Writes members.json and secret into a folder, and with --token-from a folder\n' +
        'for each member. Nothing is overwritten.\n' +
        'Exit codes: 0 done; 2 bad input; 3 a file cannot be written.',
    )
    .option('--dir <DIR>', 'folder for the files', 'cluster')
    .option('--nodes <N>', 'number of members, with the ids from 1', '5')
    .option('--name <NAME>', 'name of the cluster', 'demo')
    .option('--host <HOST>', 'host of all members; edit the file if they run on several', '127.0.0.1')
    .option('--port <N>', 'port of member 1; the others follow', '7001')
    .option('--http-port <N>', 'port of 127.0.0.1 for the status of member 1; the others follow', '17001')
    .option('--certificates', 'write a test CA and certificates into tls/; needs openssl')
    .option('--token-from <N>', 'largest token used before; the tokens of all members begin above it')
    .option('--json', 'print the paths that were written as one JSON document')
    .addHelpText('after', '\nExample:\n  hustings cluster init --nodes 3 --dir cluster')
    .action((_: object, command: Command) => namingFlags(() => initCommand(command)));
}

async function clusterCommand(flags: ClusterFlags): Promise<void> {
  const nodes = wholeNumber('nodes', flags.nodes, 1, MAX_NODES);
  const options = await electionOptions(flags);
  const { algorithm } = options;
  checkSetup(options, idsTo(nodes));
  // The members of each run begin without state, so that a second recording never continues the first.
  const [recorded] = mapDefined(flags.record, traceFilesIn) ?? [];
  if (recorded !== undefined) {
    throw new InputError(
      `--record must name a folder without recordings, and '${flags.record}' has ${recorded}; give a new folder`,
    );
  }
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
    // With --once the members may have agreed already. Otherwise the keeper cleans up after a start that was stopped.
    if (cluster === null) return hasAgreed ? (await started).close() : undefined;
    const timer = flags.once ? setTimeout(stop, ONCE_MS) : undefined;
    try {
      if (flags.events) executeCommands(cluster, stop);
      const isDouble = cluster.members.some(({ line }) => doubleLeadWarning(algorithm, line?.exclusive));
      const withoutQuorum = warning === null ? '' : ', without a quorum';
      const limits = flags.quorum
        ? ', with a quorum'
        : isDouble
          ? ', two may lead at the same time'
          : withoutQuorum;
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

/** The commands of a script. */
function executeCommands(cluster: LocalCluster, stop: () => void): void {
  createInterface({ input: process.stdin }).on('line', (text) => {
    const command = text.trim();
    if (command === 'quit') stop();
    else if (command !== '') cluster.execute(command);
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

async function initCommand(command: Command): Promise<void> {
  // The parser gives these to `cluster`.
  for (const option of command.parent?.options ?? []) {
    const isGiven = command.parent?.getOptionValueSource(option.attributeName()) === 'cli';
    if (isGiven && option.long !== '--nodes')
      throw new InputError(`${option.long} is an option of 'cluster' and 'node', not of 'cluster init'`);
  }
  // The parser gives --nodes to `cluster`, which has it as well.
  const flags = command.optsWithGlobals<InitFlags>();
  const { dir, host, name } = flags;
  const nodes = wholeNumber('nodes', flags.nodes, 1, 1_000);
  const port = wholeNumber('port', flags.port, 1, 65_536 - nodes);
  const httpPort = wholeNumber('http-port', flags.httpPort, 1, 65_536 - nodes);
  if (Math.abs(port - httpPort) < nodes) {
    const [first, last] = [Math.min(port, httpPort), Math.max(port, httpPort)];
    throw new InputError(`--port and --http-port must be at least ${nodes} apart, not ${first} and ${last}`);
  }
  const tokenFrom = mapDefined(flags.tokenFrom, (text) =>
    wholeNumber('token-from', text, 1, MAX_FIRST_TOKEN),
  );
  const ids = idsTo(nodes);
  if (addressProblem(`${host}:${port}`) !== null) {
    throw new InputError(`--host must be a host or an IP address, with IPv6 in brackets, not '${host}'`);
  }
  const list = checkMemberList({
    cluster: name,
    version: 1,
    members: ids.map((id) => ({
      id,
      address: `${host}:${port + id - 1}`,
      http: `127.0.0.1:${httpPort + id - 1}`,
    })),
  });
  const [memberFile, secretFile] = ['members.json', 'secret'].map((file) => join(dir, file));
  const written = [memberFile, secretFile];
  const tls = join(dir, 'tls');
  const firsts = tokenFrom === undefined ? [] : ids.map((id) => ({ id, folder: join(dir, `member-${id}`) }));
  const folders = firsts.map(({ folder }) => folder);
  try {
    mkdirSync(dir, { recursive: true });
    await writeMemberFile(memberFile, list);
    await writeSecretFile(secretFile);
    if (flags.certificates) {
      await writeTestCertificates(
        tls,
        ids.map((id) => memberCertificate(name, id)),
      );
      written.push(tls);
    }
    for (const { folder, id } of firsts) await writeFirstToken(folder, { cluster: name, id }, tokenFrom ?? 0);
  } catch (error) {
    if (error instanceof InputError) throw error;
    if (error instanceof HustingsError || (error instanceof Error && 'syscall' in error)) {
      throw new EnvironmentError(error.message, error);
    }
    throw error;
  }
  if (flags.json) {
    console.log(formatJson({ version: 1, written: [...written, ...folders] }));
    return;
  }
  // A thousand members have a thousand folders.
  if (folders.length > 0) written.push([...new Set([folders[0], folders.at(-1)])].join(' to '));
  console.log(`wrote ${written.join(', ')}`);
  const security = flags.certificates ? `--tls ${tls}` : `--secret-file ${secretFile}`;
  console.log(`next, for each id: hustings node --members ${memberFile} ${security} --id 1 --algorithm raft`);
  console.log(`in the browser: hustings lab --cluster ${memberFile}`);
}

const idsTo = (nodes: number): number[] => Array.from({ length: nodes }, (_, place) => place + 1);

function wholeNumber(option: string, text: string, least: number, most: number): number {
  const number = parseNumber(option, text, `a whole number from ${least} to ${most}`);
  if (Number.isInteger(number) && number >= least && number <= most) return number;
  throw new InputError(`--${option} must be a whole number from ${least} to ${most}, not ${text}`);
}
