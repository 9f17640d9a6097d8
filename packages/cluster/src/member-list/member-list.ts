/**
 * The members of a cluster: who may join, and where each listens. A version orders the lists of one cluster; two lists of
 * the same version must be equal, which the members check by a digest when they connect.
 */

import { createHash } from 'node:crypto';
import { firstLine, InputError, isRecord, isWhole, show, suggestion } from '@hustings/base';
import { MAX_WORD } from '@hustings/study/kernel';
import { addressProblem, isLoopback, parseAddress } from './address.ts';

/** One process of a cluster. */
export interface ClusterMember {
  /** What the algorithms compare. */
  readonly id: number;
  /** HOST:PORT, with an IPv6 address in brackets. */
  readonly address: string;
  /** HOST:PORT on loopback where it serves its status; it is local to its host, and no part of the digest. */
  readonly http?: string | undefined;
}

/** The member file. The members are sorted by id. */
export interface MemberList {
  readonly cluster: string;
  readonly version: number;
  readonly members: readonly ClusterMember[];
}

/** A member list cannot be used. Its message has every problem, and `problems` has one line for each. */
export class MemberListError extends InputError {
  constructor(readonly problems: readonly string[]) {
    super(problems.join('; '), { code: 'HUSTINGS_MEMBER_LIST' });
  }
}

export const MAX_MEMBERS = 1_000;
/** The leader of each term may raise the version by one, and frames name versions up to 2^48. */
const MAX_FILE_VERSION = 2 ** 46;
/** Nothing in a name needs an escape in a URI, in a file name or in a log. */
const CLUSTER = /^[a-z0-9]([a-z0-9.-]{0,61}[a-z0-9])?$/;

/** `text` is the content of a member file. Throws a `MemberListError`. */
export function parseMemberList(text: string): MemberList {
  let value: unknown;
  if (text.startsWith('\uFEFF')) {
    throw new MemberListError([
      'the member list must not begin with a byte order mark; save it as UTF-8 without one',
    ]);
  }
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new MemberListError([`the member list must be JSON: ${firstLine(error)}`]);
  }
  return checkMemberList(value);
}

/**
 * Returns the list sorted by id, without anything else that `value` holds. Throws a `MemberListError`. Leaders may have raised the
 * version of a list that is not from a file.
 */
export function checkMemberList(value: unknown, maxVersion = MAX_FILE_VERSION): MemberList {
  const problems: string[] = [];
  if (!isRecord(value)) throw new MemberListError([`the member list must be an object, not ${show(value)}`]);
  problems.push(...unknownFields(value, ['cluster', 'version', 'members'], 'the member list'));
  const { cluster, version, members } = value;
  if (typeof cluster !== 'string' || !CLUSTER.test(cluster)) {
    problems.push(
      `cluster must be a name of up to 63 of a-z, 0-9, "-" and "." that begins and ends with a letter or digit, not ${show(cluster)}`,
    );
  }
  if (!isWhole(version, 1, maxVersion)) {
    problems.push(`version must be a whole number from 1 to ${maxVersion}, not ${show(version)}`);
  }
  if (!Array.isArray(members) || members.length === 0 || members.length > MAX_MEMBERS) {
    const found = Array.isArray(members) ? `a list of ${members.length}` : show(members);
    problems.push(`members must be a list of 1 to ${MAX_MEMBERS} members, not ${found}`);
  } else {
    problems.push(...members.flatMap(memberProblems), ...duplicates(members.filter(isRecord)));
  }
  if (problems.length > 0) throw new MemberListError(problems);
  const sorted = (members as ClusterMember[])
    .map(({ id, address, http }) => ({ id, address, ...(http !== undefined && { http }) }))
    .sort((a, b) => a.id - b.id);
  return { cluster: cluster as string, version: version as number, members: sorted };
}

function memberProblems(member: unknown, place: number): string[] {
  const name = `member ${place + 1} of the list`;
  if (!isRecord(member)) return [`${name} must be an object with id and address, not ${show(member)}`];
  const problems = unknownFields(member, ['id', 'address', 'http'], name);
  if (!isWhole(member.id, 0, MAX_WORD)) {
    problems.push(`the id of ${name} must be a whole number from 0 to ${MAX_WORD}, not ${show(member.id)}`);
  }
  const why = addressProblem(member.address);
  if (why !== null) problems.push(`the address of ${name} ${why}, not ${show(member.address)}`);
  const { http } = member;
  const whyHttp = http === undefined ? null : (addressProblem(http) ?? loopbackProblem(String(http)));
  if (whyHttp !== null) problems.push(`the http of ${name} ${whyHttp}, not ${show(http)}`);
  return problems;
}

/** The status has no secrets and no passwords, so it is for this machine alone. */
function loopbackProblem(address: string): string | null {
  return isLoopback(parseAddress(address).host) ? null : 'must be on loopback, such as "127.0.0.1:17001"';
}

function duplicates(members: readonly Record<string, unknown>[]): string[] {
  return Object.entries({ id: 'ids', address: 'addresses', http: 'http addresses' }).flatMap(
    ([field, plural]) => {
      const seen = new Set<unknown>();
      const twice = new Set<unknown>();
      for (const member of members) {
        const value = member[field];
        if (value === undefined) continue;
        (seen.has(value) ? twice : seen).add(value);
      }
      return [...twice].map((value) => `the ${plural} must differ, and ${show(value)} is given twice`);
    },
  );
}

function unknownFields(value: Record<string, unknown>, known: readonly string[], where: string): string[] {
  return Object.keys(value)
    .filter((field) => !known.includes(field))
    .map((field) => `${where} has an unknown field ${show(field)}${suggestion(field, known)}`);
}

/** Equal exactly for equal lists: cluster, version, ids and addresses. */
export function memberListDigest({ cluster, version, members }: MemberList): string {
  const content = JSON.stringify([cluster, version, members.map(({ id, address }) => [id, address])]);
  return createHash('sha256').update(content).digest('hex');
}

/** The member with this id. */
export function memberOf({ cluster, members }: MemberList, id: number): ClusterMember {
  const found = members.find((member) => member.id === id);
  if (found !== undefined) return found;
  const ids = members.map((member) => member.id).join(', ');
  throw new InputError(`id must be a member of the cluster ${cluster} (${ids}), not ${id}`);
}

/** Whether no member can be reached from another machine. */
export function isLocal({ members }: MemberList): boolean {
  return members.every(({ address }) => isLoopback(parseAddress(address).host));
}
