/** Chooses the nodes that start by themselves, and the times at which they do. */
import type { AnyAlgorithm } from '../../kernel/algorithm.ts';
import { InputError } from '../../kernel/errors.ts';
import { checkInitiators } from '../../kernel/initiators.ts';
import { Random } from '../../kernel/random.ts';
import type { FaultPlan } from '../faults/faults.ts';
import type { Initiators } from './options.ts';

export interface StartTimes {
  readonly initiators: Int32Array;
  readonly wakeTimes: Float64Array | null;
}

/** In a synchronous algorithm every node starts; dead nodes never start. Positions are in ascending order. */
export function chooseInitiators(
  algorithm: AnyAlgorithm,
  option: Initiators | undefined,
  n: number,
  dead: readonly number[],
  seed: number,
): StartTimes {
  if (option === undefined || option === 'all') return { initiators: allBut(dead, n), wakeTimes: null };
  if (algorithm.assumes.timing === 'synchronous') {
    throw new InputError(
      `${algorithm.name} assumes synchronous rounds, in which every node starts: leave the initiators out`,
    );
  }
  if ('random' in option) {
    const able = allBut(dead, n);
    if (!Number.isInteger(option.random) || option.random < 1 || option.random > able.length) {
      throw new InputError(
        `the number of random initiators must be from 1 to ${able.length}, not ${option.random}`,
      );
    }
    new Random(seed, 'initiators').shuffle(able);
    return { initiators: able.subarray(0, option.random).sort(), wakeTimes: null };
  }
  return chosen(option, n, mayStartAgain(algorithm));
}

/** A node may find more than once that the coordinator has crashed. */
export function mayStartAgain({ trigger = 'start' }: AnyAlgorithm): boolean {
  return trigger !== 'start';
}

/** With `again`, a node may be listed more than once, at different times. */
function chosen(
  option: Exclude<Initiators, 'all' | { readonly random: number }>,
  n: number,
  again: boolean,
): StartTimes {
  const starts = option.map((entry) => (typeof entry === 'number' ? { position: entry, time: 0 } : entry));
  const positions = starts.map(({ position }) => position);
  checkInitiators(
    positions,
    n,
    again ? starts.map(({ position, time }) => `${position}@${time}`) : positions,
  );
  for (const { position, time } of starts) {
    if (time >= 0 && time <= 1e9) continue;
    throw new InputError(`initiator ${position} must start at a time from 0 to 1000000000, not ${time}`);
  }
  starts.sort((a, b) => a.position - b.position);
  const late = starts.some(({ time }) => time > 0);
  return {
    initiators: Int32Array.from(starts, ({ position }) => position),
    wakeTimes: late ? Float64Array.from(starts, ({ time }) => time) : null,
  };
}

/** A node that recovers may start an election, so a run with recoveries is accepted. */
export function refuseIfNoneStarts(
  { initiators, wakeTimes }: StartTimes,
  { crashes, recoveries }: FaultPlan,
): void {
  if (recoveries.length > 0) return;
  const crashTimes = new Map<number, number>();
  for (const { position, time } of crashes) {
    crashTimes.set(position, Math.min(time, crashTimes.get(position) ?? time));
  }
  const crashTime = (at: number): number => crashTimes.get(at) ?? Number.POSITIVE_INFINITY;
  if (initiators.some((at, k) => crashTime(at) > (wakeTimes?.[k] ?? 0))) return;
  const who = initiators.length === 0 ? 'every node is' : `all initiators (${initiators.join(', ')}) are`;
  throw new InputError(
    `an initiator must be alive when it starts, and ${who} crashed then: name another, or crash fewer nodes`,
  );
}

function allBut(dead: readonly number[], n: number): Int32Array {
  const without = new Set(dead);
  const positions = new Int32Array(n - without.size);
  for (let at = 0, k = 0; at < n; at++) if (!without.has(at)) positions[k++] = at;
  return positions;
}
