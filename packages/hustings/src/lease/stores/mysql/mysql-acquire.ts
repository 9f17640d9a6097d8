/** Requests for leases. A request that is refused is registered as waiting, if it asks for that. */
import type { AcquireAnswer, AcquireRequest } from '../../core/calls.ts';
import { acquire, EMPTY_ROW, type LeaseRow, recordOf } from '../../core/lease-row.ts';
import {
  aheadOf,
  isRegistered,
  readRegistrations,
  register,
  registrationKey,
  removeRegistration,
} from './mysql-candidates.ts';
import type { ChangeItem, MysqlLeases } from './mysql-leases.ts';

/**
 * Undefined for a lease that has changed in the meantime, or is locked. The names differ. `isAll`: all are granted, or none. If one
 * lease is taken, the free ones are answered as held too.
 */
export async function acquireEach(
  leases: MysqlLeases,
  requests: readonly AcquireRequest[],
  timeoutMs: number,
  isAll = false,
): Promise<readonly (AcquireAnswer | undefined)[]> {
  const names = requests.map(({ name }) => name);
  const look = await leases.look(names, [readRegistrations(requests)], timeoutMs);
  const registrations = new Map(look.more[0].map((row) => [registrationKey(row), row]));
  const waiting: AcquireRequest[] = [];
  const rowOf = (name: string): LeaseRow => look.leases.get(name)?.row ?? EMPTY_ROW;
  const isRefused =
    isAll && requests.some((each) => acquire(rowOf(each.name), each, look.nowMs).answer.type === 'held');
  const items = requests.map((request): ChangeItem<AcquireAnswer> => {
    const { name } = request;
    const registration = registrations.get(registrationKey(request));
    const before = rowOf(name);
    const ahead = aheadOf(request, look.more[0], look.nowMs);
    const applied = acquire(before, request, look.nowMs, true, look.minToken, ahead);
    if (applied.answer.type === 'held') {
      if (request.registerMs > 0 && !isRegistered(request, registration, look.nowMs)) waiting.push(request);
      const row = isNoted(before, request, look.nowMs) ? before : applied.row;
      return { name, rule: () => ({ ...applied, row }) };
    }
    if (isRefused) {
      const record = recordOf(name, before, look.nowMs);
      return { name, rule: () => ({ row: before, answer: { type: 'held', record }, ended: null }) };
    }
    if (registration === undefined) return { name, rule: () => applied };
    const more = (isWritten: string) => [removeRegistration(request, isWritten)];
    return { name, rule: () => ({ ...applied, more }) };
  });
  const isWhole = isAll && !isRefused;
  const changed = await leases.change(items, look, timeoutMs, register(waiting, look.nowMs), isWhole);
  return changed.map(
    (each) => each && (each.answer.type === 'ok' ? { ...each.answer, token: each.token } : each.answer),
  );
}

/** A challenger writes only if less than half of its time is left: each write replaces the stamp of the lease. */
function isNoted({ challenger }: LeaseRow, request: AcquireRequest, nowMs: number): boolean {
  if (challenger?.id !== request.id || challenger.priority !== request.priority) return false;
  const leftMs = challenger.untilMs - nowMs;
  return leftMs >= request.ttlMs / 2 && leftMs <= request.ttlMs;
}
