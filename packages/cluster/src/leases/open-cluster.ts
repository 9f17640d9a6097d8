/**
 * `openCluster`: one member of a cluster in this process, for services. `createElector({ cluster, name })` leads by it.
 *
 * A cluster is opened once in a process, and kept while the service runs: a member that leaves is missed by the others, and
 * supports nobody for a while after it comes back. So electors never close it; its owner does.
 */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { firstLine, InputError, suggestion } from '@hustings/base';
import type { AnyAlgorithm } from '@hustings/study/kernel';
import { ClusterClosedError, type LeaseCluster } from 'hustings';
import type { LeaseStore } from 'hustings/lease/etcd';
import { type ClusterNode, type ClusterNodeOptions, startNode } from '../host/cluster-node.ts';
import { DEFAULT_LEASE_MS } from '../host/node-setup.ts';
import type { ClusterNodeEvent, ClusterNodeStatus } from '../host/node-status.ts';
import { PROCESS_CLOCK } from '../host/process-clock.ts';
import { checkMemberList, type MemberList, memberOf, parseMemberList } from '../member-list/member-list.ts';
import type { ClusterSecurity } from '../wire/security.ts';
import { type LeasingMember, MemberLeases } from './member-leases.ts';
import { TermLog } from './term-log.ts';

/** The options of `openCluster`: those of a member, of which `members`, `id` and `algorithm` are required. */
export interface ClusterOptions
  extends Omit<ClusterNodeOptions, 'members' | 'algorithm' | 'security' | 'folder'> {
  /** The member list, or the path of the member file. All members need the same one. */
  readonly members: MemberList | string;
  /** The name of an algorithm of `@hustings/study/algorithms`, or a definition. */
  readonly algorithm: AnyAlgorithm | string;
  /** Required beyond loopback. Default: none. */
  readonly security?: ClusterSecurity | undefined;
  /** The folder of its state, which belongs to this member alone. Default: `member-ID` beside the member file. */
  readonly folder?: string | undefined;
}

/** A member of a cluster that `openCluster` has opened. */
export interface Cluster extends LeaseCluster, AsyncDisposable {
  /** The name of the cluster. */
  readonly name: string;
  /** A snapshot of the member; null before it takes part. */
  readonly status: ClusterNodeStatus | null;
  /** Cuts the connections to these members until the next call, to try what a service does in a split. Both sides must cut. */
  cut(peers: readonly number[]): void;
  /**
   * Leaves the cluster. Electors that lead are told to stop, and keep their leases until their work has settled, at the longest
   * for `leaseMs`. Calls of electors that wait to lead or watch reject with a `ClusterClosedError`, and so do later calls.
   */
  close(): Promise<void>;
}

const OPTIONS: Readonly<Record<keyof ClusterOptions, true>> = {
  ...{ members: true, id: true, algorithm: true, security: true, folder: true, set: true, edges: true },
  ...{ quorum: true, leaseMs: true, heartbeatMs: true, unitMs: true, listen: true, recordTo: true },
  ...{ steps: true, onEvent: true, join: true, allStopped: true, ephemeral: true },
};

/**
 * Starts a member in this process. Throws an `InputError` for options that cannot work. What goes wrong later, such as an address
 * that is in use, rejects `leases()` and the calls of electors; the next of these calls starts the member again.
 */
export function openCluster(options: ClusterOptions): Cluster {
  for (const option of Object.keys(options)) {
    if (Object.hasOwn(OPTIONS, option)) continue;
    const hint = suggestion(option, Object.keys(OPTIONS));
    throw new InputError(`openCluster has no option '${option}'${hint}`);
  }
  const { algorithm, id, security = { type: 'none' } } = options;
  if (algorithm === undefined) throw new InputError('algorithm is required: a name or a definition');
  const members = membersOf(options.members);
  memberOf(members, id);
  const folder = options.folder ?? folderBeside(options.members, id);
  const cluster = new MemberCluster({ ...options, members, algorithm, folder, security });
  cluster.leases().catch(() => undefined);
  return cluster;
}

function membersOf(members: MemberList | string): MemberList {
  if (typeof members !== 'string') return checkMemberList(members);
  let text: string;
  try {
    text = readFileSync(members, 'utf8');
  } catch (error) {
    throw new InputError(`the member file ${members} cannot be read: ${firstLine(error)}`, { cause: error });
  }
  return parseMemberList(text);
}

function folderBeside(members: MemberList | string, id: number): string {
  if (typeof members === 'string') return join(dirname(members), `member-${id}`);
  throw new InputError('folder is required: where this member keeps what it must not forget');
}

type MemberClusterOptions = Omit<ClusterNodeOptions, 'algorithm'> & Pick<ClusterOptions, 'algorithm'>;

class MemberCluster implements Cluster {
  readonly id: number;
  private node: ClusterNode | null = null;
  private opening: Promise<MemberLeases> | null = null;
  private closing: Promise<void> | null = null;

  constructor(private readonly options: MemberClusterOptions) {
    this.id = options.id;
  }

  get name(): string {
    return this.options.members.cluster;
  }

  get status(): ClusterNodeStatus | null {
    return this.node?.status ?? null;
  }

  get leaseMs(): number {
    return leaseOf(this.node, this.options);
  }

  async leases(): Promise<LeaseStore> {
    if (this.closing !== null) {
      throw new ClusterClosedError(this.name);
    }
    this.opening ??= this.start();
    const { opening } = this;
    try {
      return await opening;
    } catch (error) {
      // A member that could not start is started again by the next call.
      if (this.opening === opening) this.opening = null;
      throw error;
    }
  }

  cut(peers: readonly number[]): void {
    this.node?.cut(peers);
  }

  close(): Promise<void> {
    this.closing ??= this.finish();
    return this.closing;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  private async start(): Promise<MemberLeases> {
    const algorithm = await algorithmOf(this.options.algorithm);
    const log = await TermLog.open(join(this.options.folder, 'terms'), (error) => this.warn(error));
    let leases: MemberLeases | null = null;
    const early: ClusterNodeEvent[] = [];
    const node = await startNode({
      ...this.options,
      algorithm,
      onEvent: (event) => {
        // Taking it may resign, which is an event of its own.
        try {
          this.options.onEvent?.(event);
        } finally {
          if (leases === null) early.push(event);
          else take(event, leases);
        }
      },
    });
    this.node = node;
    leases = new MemberLeases(leasingMember(node, this.options), log, () => PROCESS_CLOCK.wallMs());
    if (!node.status.exclusive) warnOfSplits(this.name, algorithm);
    leases.changed();
    for (const event of early) take(event, leases);
    return leases;
  }

  private async finish(): Promise<void> {
    const leases = await this.opening?.catch(() => null);
    await leases?.drain(this.leaseMs);
    await this.node?.close();
    await leases?.close();
  }

  /** The history is for readers only; no rule uses it. */
  private warn(error: unknown): void {
    process.emitWarning(
      `the history of member ${this.id} of the cluster ${this.name} is incomplete: ${firstLine(error)}`,
      { code: 'HUSTINGS_CLUSTER_HISTORY' },
    );
  }
}

function take(event: ClusterNodeEvent, leases: MemberLeases): void {
  if (event.type === 'leader') leases.changed();
  else if (event.type === 'stopped') leases.fail(`takes no part any more: ${firstLine(event.error)}`);
  else if (event.type === 'removed')
    leases.fail(`was removed by version ${event.version} of the member list; end this process`);
}

function leaseOf(node: ClusterNode | null, { leaseMs = DEFAULT_LEASE_MS }: MemberClusterOptions): number {
  return node?.status.leaseMs ?? leaseMs;
}

function leasingMember(node: ClusterNode, options: MemberClusterOptions): LeasingMember {
  const { id, members } = options;
  const { exclusive } = node.status;
  return {
    id,
    members,
    leaseMs: leaseOf(node, options),
    isExclusive: exclusive,
    leaseState: () => {
      const { leader, leads, leadsUntilMs, token } = node.status;
      const leadsForMs = (leadsUntilMs ?? 0) - PROCESS_CLOCK.now();
      return { leader, leads, token, leadsForMs: exclusive ? leadsForMs : null };
    },
    resign: () => node.resign(),
  };
}

/** The catalogue is loaded only for an algorithm that is given by its name. */
async function algorithmOf(algorithm: AnyAlgorithm | string): Promise<AnyAlgorithm> {
  if (typeof algorithm !== 'string') return algorithm;
  const { registry } = await import('@hustings/study/internal/algorithms/registry');
  const found = registry.find(({ name }) => name === algorithm);
  if (found !== undefined) return found;
  const names = registry.map(({ name }) => name);
  throw new InputError(`there is no algorithm '${algorithm}'${suggestion(algorithm, names)}`);
}

let hasWarned = false;

function warnOfSplits(cluster: string, { name }: AnyAlgorithm): void {
  if (hasWarned) return;
  hasWarned = true;
  process.emitWarning(
    `the cluster ${cluster} elects by ${name} without a majority, so a network split gives each side a leader; ` +
      'give quorum: true, or an algorithm that needs a majority itself',
    { code: 'HUSTINGS_SPLIT_BRAIN' },
  );
}
