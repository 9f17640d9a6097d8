/** A view from an untrusted source. */
import type { Epoch, MemberView } from './clique.ts';

/** Far beyond what any cluster reaches, and far below where numbers lose their last digit. */
export const LARGEST_EPOCH = 2 ** 48;

/** The view, or null if it is not valid. */
export function parseView(value: unknown, members: readonly number[]): MemberView | null {
  if (!isRecord(value) || !areMembers(value.hears, members)) return null;
  const { chooses, epoch, hears, seen } = value;
  if (!members.includes(chooses as number) || !isNumber(seen)) return null;
  if (epoch === null) return { hears, chooses: chooses as number, seen, epoch };
  const parsed = parseEpoch(epoch, members);
  return parsed === null ? null : { hears, chooses: chooses as number, seen, epoch: parsed };
}

function parseEpoch(value: unknown, members: readonly number[]): Epoch | null {
  if (!isRecord(value) || !isNumber(value.number) || value.number === 0) return null;
  const { number, proposer } = value;
  if (!areMembers(value.members, members) || !value.members.includes(proposer as number)) return null;
  const isAscending = value.members.every((id, at, all) => at === 0 || all[at - 1] < id);
  return isAscending ? { number, proposer: proposer as number, members: value.members } : null;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function isNumber(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= LARGEST_EPOCH;
}

function areMembers(value: unknown, members: readonly number[]): value is number[] {
  if (!Array.isArray(value) || value.length > members.length) return false;
  return value.every((id) => members.includes(id)) && new Set(value).size === value.length;
}
