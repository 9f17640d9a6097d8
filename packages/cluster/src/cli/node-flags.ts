/** The options that `hustings node` and `hustings cluster` share, and those of one member. */
import { dirname, join } from 'node:path';
import { InputError, mapDefined, parseNumber } from '@hustings/base';
import { parseDuration } from '@hustings/base/command/duration';
import { readInput } from '@hustings/base/command/user-files';
import { NAME_HELP, resolveAlgorithm } from '@hustings/study/internal/cli/flags/algorithm-name';
import { parseSettings } from '@hustings/study/internal/simulator/plan/option-syntax';
import type { AnyAlgorithm } from '@hustings/study/kernel';
import type { Command } from 'commander';
import { collect } from 'hustings/internal/cli/flags/metadata-flag';
import { quorumIncompatibility } from '../gate/quorum-incompatibility.ts';
import type { ClusterNodeOptions } from '../host/cluster-node.ts';
import type { ElectionSetup } from '../host/node-setup.ts';
import { type MemberList, MemberListError, parseMemberList } from '../member-list/member-list.ts';
import { type ClusterSecurity, checkSecurity } from '../wire/security.ts';

/** What a whole cluster has in common. */
export interface ElectionFlags {
  readonly algorithm?: string;
  readonly set?: readonly string[];
  readonly quorum?: true;
  readonly lease?: string;
  readonly heartbeat?: string;
  readonly unit?: string;
  readonly record?: string;
  readonly events?: true;
}

export interface NodeFlags extends ElectionFlags {
  readonly members?: string;
  readonly id?: string;
  readonly secretFile?: string;
  readonly tls?: string;
  readonly insecure?: true;
  readonly dir?: string;
  readonly listen?: string;
  readonly http?: string;
  readonly join?: true;
  readonly allStopped?: true;
  readonly ephemeral?: true;
}

export function addElectionOptions(command: Command): Command {
  return command
    .option('--algorithm <NAME>', `${NAME_HELP} (required)`)
    .option('--set <NAME=VALUE>', 'parameter of the algorithm; may be repeated', collect)
    .option('--quorum', 'a member leads only while a majority of all members supports it')
    .option(
      '--lease <DURATION>',
      'with --quorum: how long support lasts (default: 4 heartbeats, at least 2s)',
    )
    .option(
      '--heartbeat <DURATION>',
      'longest silence between two living members (default: 10ms per member, at least 100ms)',
    )
    .option('--unit <DURATION>', 'one unit of the timers of the algorithm (default: from the heartbeat)')
    .option('--record <DIR>', 'folder to which each member appends its recording')
    .option('--events', 'print one JSON object per line');
}

async function algorithmOf({ algorithm: name, quorum }: ElectionFlags): Promise<AnyAlgorithm> {
  if (name === undefined) throw new InputError('--algorithm is required');
  const algorithm = await resolveAlgorithm(name);
  const incompatibility = quorum ? quorumIncompatibility(algorithm) : null;
  if (incompatibility !== null) throw new InputError(`--quorum must be left out: ${incompatibility}`);
  return algorithm;
}

/** What all members have in common. */
export async function electionOptions(flags: ElectionFlags): Promise<ElectionSetup> {
  const algorithm = await algorithmOf(flags);
  const { heartbeat, lease, quorum = false, set, unit } = flags;
  if (lease !== undefined && !quorum) throw new InputError('--lease needs --quorum');
  return {
    ...{ algorithm, quorum, set: mapDefined(set, parseSettings) },
    leaseMs: mapDefined(lease, (text) => parseDuration('lease', text)),
    heartbeatMs: mapDefined(heartbeat, (text) => parseDuration('heartbeat', text)),
    unitMs: mapDefined(unit, (text) => parseDuration('unit', text)),
  };
}

/** Everything of one member but what it reports to. */
export async function nodeOptions(flags: NodeFlags): Promise<ClusterNodeOptions> {
  if (flags.members === undefined) throw new InputError('--members is required');
  if (flags.id === undefined) throw new InputError('--id is required');
  const options = await electionOptions(flags);
  const members = readMemberFile('--members', flags.members);
  const id = parseNumber('id', flags.id, 'the id of a member');
  return {
    ...options,
    members,
    id,
    security: securityOf(flags, id),
    folder: flags.dir ?? join(dirname(flags.members), `member-${id}`),
    listen: flags.listen,
    join: flags.join,
    allStopped: flags.allStopped,
    ephemeral: flags.ephemeral,
    recordTo: flags.record,
  };
}

/** `option` is the flag with the path. */
export function readMemberFile(option: string, path: string): MemberList {
  const text = readInput(option, path);
  try {
    return parseMemberList(text);
  } catch (error) {
    if (!(error instanceof MemberListError)) throw error;
    throw new InputError(`${option} must be a member file, and ${path} is not: ${error.message}`, {
      cause: error,
    });
  }
}

/** The options with which an error of the library may begin, and their flags. */
const FLAGS: Readonly<Record<string, string>> = {
  ...{
    cluster: 'name',
    id: 'id',
    join: 'join',
    allStopped: 'all-stopped',
    ephemeral: 'ephemeral',
    listen: 'listen',
    heartbeatMs: 'heartbeat',
    leaseMs: 'lease',
    unitMs: 'unit',
  },
};

/** An error of `work` about an option names the flag. */
export async function namingFlags<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const [name, ...words] = error instanceof InputError ? error.message.split(' ') : [''];
    if (!Object.hasOwn(FLAGS, name)) throw error;
    const unit = name.endsWith('Ms') ? ' (milliseconds)' : '';
    throw new InputError(`--${FLAGS[name]} ${words.join(' ')}${unit}`, { cause: error });
  }
}

function securityOf({ insecure, secretFile, tls }: NodeFlags, id: number): ClusterSecurity {
  if (secretFile !== undefined && tls !== undefined) {
    throw new InputError('--secret-file and --tls exclude each other');
  }
  if (secretFile !== undefined) return { type: 'secret', secret: readInput('--secret-file', secretFile) };
  if (tls === undefined) return { type: 'none', insecure };
  const read = (name: string): string => readInput('--tls', join(tls, name));
  const files = { ca: 'ca.pem', certificate: `member-${id}.pem`, key: `member-${id}.key` };
  const [ca, certificate, key] = [files.ca, files.certificate, files.key].map(read);
  const security = { type: 'tls', ca, certificate, key } as const;
  try {
    checkSecurity(security, []);
  } catch (error) {
    const [part, ...words] = error instanceof InputError ? error.message.split(' ') : [''];
    if (!Object.hasOwn(files, part)) throw error;
    const file = join(tls, files[part as keyof typeof files]);
    throw new InputError(`--tls: ${file} ${words.join(' ')}`, { cause: error });
  }
  return security;
}

/** What a split does to a cluster without a gate; null if the algorithm needs a majority itself. */
export function splitWarning({ assumes }: AnyAlgorithm, quorum: boolean): string | null {
  if (quorum || assumes.faults?.includes('partition')) return null;
  return 'without --quorum a network split gives each side a leader of its own (split brain)';
}

/** What an algorithm that needs a majority itself does not guarantee, if `exclusive` is false; null if it is true. */
export function doubleLeadWarning({ assumes, name }: AnyAlgorithm, exclusive: unknown): string | null {
  if (exclusive !== false || !assumes.faults?.includes('partition')) return null;
  return `with these parameters of ${name} two members may lead at the same time, in different terms`;
}
