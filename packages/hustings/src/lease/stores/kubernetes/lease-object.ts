/**
 * An election as a Lease object of coordination.k8s.io/v1. Its document is in one annotation. Its standard fields are those
 * that client-go writes, so a candidate that uses client-go can take part in the same election: each side waits until the
 * fields have not changed for `leaseDurationSeconds` on its own clock.
 *
 * client-go keeps annotations and replaces the fields. Another annotation has the fields as this store wrote them last: if
 * they differ, another program holds the lease, or has released it.
 */
import { createHash } from 'node:crypto';
import type { DocumentWrite, ForeignHolder, StoredDocument } from '../document/document-server.ts';
import type { Election } from '../election.ts';

/** The fields of client-go's LeaseLock. Times are in RFC 3339 with microseconds. */
export interface LeaseSpec {
  readonly holderIdentity?: string;
  readonly leaseDurationSeconds?: number;
  readonly acquireTime?: string;
  readonly renewTime?: string;
  readonly leaseTransitions?: number;
}

export interface LeaseObject {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata: {
    readonly name: string;
    readonly resourceVersion?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly [field: string]: unknown;
  };
  readonly spec?: LeaseSpec;
}

export const KIND_LABEL = 'hustings/kind';

const DOCUMENT = 'hustings/document';
const SPEC = 'hustings/spec';
/** For people. */
const TOKEN = 'hustings/token';
export const NAME = 'hustings/name';

const COMMON = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease' };

/**
 * The revision is the object without the document: a write replaces all of it, and must keep what others put there. The server
 * keeps `managedFields` itself. The uid stays: without it, the update of an object that was deleted would create it again.
 */
export function storedDocument(object: LeaseObject): StoredDocument {
  const { annotations = {}, managedFields: _, ...metadata } = object.metadata;
  const { [DOCUMENT]: text = null, ...others } = annotations;
  const foreign = foreignHolder(annotations, object.spec ?? {});
  const revision = JSON.stringify({
    metadata: { ...metadata, annotations: others },
    spec: object.spec ?? {},
  });
  const { uid } = metadata;
  return {
    ...{ text, revision },
    // An object that is created in the place of another one has another uid.
    ...(typeof uid === 'string' ? { incarnation: uid } : {}),
    ...(foreign === null ? {} : { foreign }),
  };
}

/** The resourceVersion and uid of the object of a revision. */
export function versionOf(revision: string): { readonly resourceVersion?: string; readonly uid?: unknown } {
  const { resourceVersion, uid } = (JSON.parse(revision) as LeaseObject).metadata;
  return { ...(resourceVersion === undefined ? {} : { resourceVersion }), uid };
}

function foreignHolder(annotations: Readonly<Record<string, string>>, spec: LeaseSpec): ForeignHolder | null {
  const text = specText(spec);
  if (text === (annotations[SPEC] ?? specText({}))) return null;
  const { holderIdentity = '', leaseDurationSeconds = 0 } = spec;
  return {
    id: holderIdentity,
    ttlMs: holderIdentity === '' ? 0 : leaseDurationSeconds * 1_000,
    version: createHash('sha256').update(text).digest().readBigUInt64BE(),
  };
}

const specText = (spec: LeaseSpec): string =>
  JSON.stringify([
    ...[spec.holderIdentity, spec.leaseDurationSeconds, spec.acquireTime, spec.renewTime],
    spec.leaseTransitions,
  ]);

/** The object that a write puts in the place of the one that it replaces. */
export function leaseObject(
  { text, revision, effect, election }: Pick<DocumentWrite, 'text' | 'revision' | 'effect' | 'election'>,
  name: string,
  nowMs: number,
): LeaseObject {
  const before: LeaseObject = revision === null ? { metadata: { name } } : JSON.parse(revision);
  const { labels = {}, annotations = {}, ...metadata } = before.metadata;
  const spec =
    election === null || effect === 'none'
      ? (before.spec ?? {})
      : specAfter(before.spec ?? {}, election, effect, nowMs);
  // A write that leaves the lease as it is must not claim the fields of another program.
  const written = effect === 'none' ? annotations[SPEC] : specText(spec);
  return {
    ...COMMON,
    metadata: {
      ...metadata,
      labels: { ...labels, [KIND_LABEL]: election === null ? 'settings' : 'election' },
      annotations: {
        ...annotations,
        [DOCUMENT]: text,
        ...(election === null ? {} : { [NAME]: election.name, [TOKEN]: String(election.row.token) }),
        ...(written === undefined ? {} : { [SPEC]: written }),
      },
    },
    spec,
  };
}

function specAfter(
  before: LeaseSpec,
  { row }: Election,
  effect: Exclude<DocumentWrite['effect'], 'none'>,
  nowMs: number,
): LeaseSpec {
  const now = microTime(nowMs);
  const { holder } = row;
  const { leaseTransitions = 0 } = before;
  // As client-go releases a lease.
  if (effect === 'end' || holder === null) {
    const times = { acquireTime: now, renewTime: now };
    return { holderIdentity: '', leaseDurationSeconds: 1, ...times, leaseTransitions };
  }
  const isFirst = before.holderIdentity === undefined;
  return {
    holderIdentity: holderIdentity(holder),
    leaseDurationSeconds: Math.max(1, Math.ceil(row.durationMs / 1_000)),
    acquireTime: effect === 'grant' ? now : (before.acquireTime ?? now),
    renewTime: now,
    leaseTransitions: effect === 'grant' && !isFirst ? leaseTransitions + 1 : leaseTransitions,
  };
}

/** Unique, as in client-go: a candidate of client-go that finds its own identity believes that it leads. */
const holderIdentity = ({ id, nonce }: { readonly id: string; readonly nonce: string }): string =>
  `${id}_${nonce}`;

const microTime = (ms: number): string => new Date(ms).toISOString().replace('Z', '000Z');
