/** `hustings node`: runs one member of a cluster. */
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { EnvironmentError, HustingsError, InputError, mapDefined } from '@hustings/base';
import { pageUrl } from '@hustings/base/command/documentation';
import { formatJsonLine } from '@hustings/base/command/json';
import { readPort } from '@hustings/base/command/port';
import { untilStopped } from '@hustings/base/command/stop-signal';
import type { Command } from 'commander';
import { serveToken } from 'hustings/internal/cli/flags/serve-token';
import { type ClusterNode, startNode } from '../../host/cluster-node.ts';
import { type NodeServer, serveNode } from '../../host/node-server.ts';
import type { ClusterNodeEvent } from '../../host/node-status.ts';
import { StepStream } from '../../host/step-stream.ts';
import { parseAddress } from '../../member-list/address.ts';
import { memberOf } from '../../member-list/member-list.ts';
import {
  addElectionOptions,
  doubleLeadWarning,
  type NodeFlags,
  namingFlags,
  nodeOptions,
  splitWarning,
} from '../node-flags.ts';
import { lineOf, type NodeLine, nodeLine, sentence } from '../node-line.ts';

const HELP = `
The member file has the name of the cluster, a version, and the id and address of
each member. Beyond loopback a member needs --secret-file or --tls. The state of a
member is in --dir, and belongs to it alone: with --quorum, and for raft, a member
that has lost it is refused by the others, and must come back with a new id.
With --ephemeral at all members (three or more) the state may be lost: after each
start a member waits for one lease, and asks the others for what it must know.

The leader of raft can change the member list: see 'hustings cluster add' and
'remove'. The list is then in --dir; if it is newer than the member file, it counts.
A new member is started with --join, and votes only after it has received the list.
A member that is removed ends with exit code 0.

With --http, or with an http address in the member file, it serves /status,
/healthz, /readyz, /metrics, /events and /trace on 127.0.0.1, and
'hustings lab --cluster FILE' shows them. With --events each line has type, at,
node, pid, leader and epoch. What is guaranteed, with and without --quorum:
${pageUrl('cluster.md')}

Exit codes: 0 stopped; 2 bad input; 3 the address, the folder or the disk failed.

Example:
  hustings node --members cluster/members.json --id 1 --algorithm bully --quorum`;

/** How long a member that has failed may take to close its files. */
const CLOSE_MS = 5_000;

/** Set by `hustings cluster`: this process takes commands from stdin, and ends when stdin does. */
const WITH_PARENT = process.env.HUSTINGS_WITH_PARENT === '1';

export function addNode(program: Command): void {
  const command = program
    .command('node')
    .description('Runs one member of a cluster over TCP, until Ctrl-C.')
    .option('--members <FILE>', "member file, as 'hustings cluster init' writes it (required)")
    .option('--id <N>', 'id of this member in the member file (required)');
  addElectionOptions(command)
    .option('--secret-file <FILE>', 'file with the secret of the cluster, at least 32 bytes')
    .option('--tls <DIR>', 'folder with ca.pem, member-ID.pem and member-ID.key')
    .option('--insecure', 'allow an address beyond loopback with neither')
    .option('--dir <STATE>', 'folder for its state (default: member-ID beside the member file)')
    .option('--listen <HOST:PORT>', 'address to listen at, if not that of the member file')
    .option('--ephemeral', 'its folder does not last, as in a container without a volume; the same at all')
    .option('--join', 'wait for a list with this member: it is added to a cluster that runs')
    .option('--all-stopped', 'all members were stopped, and are started with this member file')
    .option(
      '--http <PORT>',
      'port of 127.0.0.1 for its status, 0 for any (default: its http in the member file)',
    )
    .addHelpText('after', HELP)
    .action((flags: NodeFlags) => namingFlags(() => nodeCommand(flags)));
}

async function nodeCommand(flags: NodeFlags): Promise<void> {
  const options = await nodeOptions(flags);
  const { http } = memberOf(options.members, options.id);
  const port =
    mapDefined(flags.http, (text) => readPort(text, 'http')) ??
    mapDefined(http, (address) => parseAddress(address).port);
  const { messages } = options.algorithm;
  const isUpkeep = (type: string): boolean => messages[type]?.upkeep ?? false;
  const steps = port === undefined ? undefined : new StepStream(isUpkeep);
  // Without a reference: a member that cannot start ends.
  if (WITH_PARENT)
    process.stdin
      .once('close', () => process.exit(0))
      .resume()
      .unref();
  const print = (line: NodeLine | null): void => {
    if (line === null) return;
    const text = flags.events ? formatJsonLine(line) : sentence(line);
    if (text !== null) console.log(text);
  };
  let node: ClusterNode | null = null;
  /** The events of the start: there is no status yet. */
  const early: ClusterNodeEvent[] = [];
  let server: NodeServer | null = null;
  let failure: Error | null = null;
  const run = async (stopped: Promise<void>, stop: () => void): Promise<void> => {
    const started = await startNode({
      ...options,
      steps,
      onEvent(event) {
        if (event.type === 'stopped') failure = event.error;
        if (event.type === 'stopped' || event.type === 'removed') stop();
        server?.send(event);
        if (node === null) early.push(event);
        else print(lineOf(event, node.status));
      },
    });
    node = started;
    try {
      server = port === undefined ? null : await serve(started, port, options.folder, steps);
    } catch (error) {
      // Otherwise the node would go on, and lead, without what its user asked for.
      await started.close();
      throw error;
    }
    print(nodeLine('up', started.status, server === null ? {} : { url: server.url }));
    if (!flags.events) {
      if (server !== null) console.log(`Its status is at ${server.url}status`);
      const warning =
        splitWarning(options.algorithm, options.quorum ?? false) ??
        doubleLeadWarning(options.algorithm, started.status.exclusive);
      if (warning !== null) console.error(`hustings: ${warning}`);
    }
    // The leader of now is told below.
    for (const event of early.splice(0)) if (event.type !== 'leader') print(lineOf(event, started.status));
    if (started.status.leader !== null) print(nodeLine('leader', started.status));
    if (WITH_PARENT) executeCommands(started, print);
    await stopped;
    await server?.close();
    const closed = started.close();
    if (failure === null) return closed;
    // Neither a disk that does not answer nor a peer that does not read holds the process for longer.
    closed.catch(() => undefined);
    setTimeout(() => process.exit(), CLOSE_MS).unref();
    throw failure;
  };
  await inEnvironment(() => untilStopped(run));
  // A peer that does not read may keep a socket open.
  process.exit(0);
}

/** The token of changes is in the folder of the member, which only its user can read. */
function serve(
  node: ClusterNode,
  port: number,
  folder: string,
  steps: StepStream | undefined,
): Promise<NodeServer> {
  const warn = (text: string): void => console.error(`hustings: ${text}`);
  const { token } = serveToken(join(folder, 'http-token'), {}, warn);
  return serveNode(port, () => node.status, { token, change: (change) => node.changeMembers(change) }, steps);
}

/** The commands of `hustings cluster`: it is the only writer. */
function executeCommands(node: ClusterNode, print: (line: NodeLine) => void): void {
  createInterface({ input: process.stdin }).on('line', (text) => {
    const command = JSON.parse(text) as { type: 'cut'; peers: number[] } | { type: 'status' };
    if (command.type === 'cut') node.cut(command.peers);
    else {
      const { counts, hears } = node.status;
      print(nodeLine('status', node.status, { sent: sum(counts.sent), received: counts.received, hears }));
    }
  });
}

const sum = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((total, count) => total + count, 0);

/** What is no bad input is a failure of the environment: one line, and exit code 3. */
async function inEnvironment(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (error instanceof HustingsError && !(error instanceof InputError)) {
      throw new EnvironmentError(error.message, error);
    }
    if (error instanceof Error && 'syscall' in error) throw new EnvironmentError(error.message, error);
    throw error;
  }
}
