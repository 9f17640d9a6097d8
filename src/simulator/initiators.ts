/** Who wakes by itself, and when. */
import type { AnyAlgorithm } from '../kernel/algorithm.ts';
import { InputError } from '../kernel/errors.ts';
import { Random } from '../kernel/random.ts';
import type { Initiators } from './options.ts';

export interface StartTimes {
  readonly initiators: Int32Array;
  readonly wakeTimes: Float64Array | null;
}

/** In rounds every node starts; the dead never do. Positions come in ascending order. */
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
      `${algorithm.name} runs in rounds, in which every node starts: leave the initiators out`,
    );
  }
  if ('random' in option) {
    const able = allBut(dead, n);
    if (!Number.isInteger(option.random) || option.random < 1 || option.random > able.length) {
      throw new InputError(`random initiators must be 1 to ${able.length} in number, not ${option.random}`);
    }
    new Random(seed, 'initiators').shuffle(able);
    return { initiators: able.subarray(0, option.random).sort(), wakeTimes: null };
  }
  return chosen(option, n, mayStartAgain(algorithm));
}

/** That the coordinator is dead or missed, a node may find more than once. */
export function mayStartAgain({ trigger = 'start' }: AnyAlgorithm): boolean {
  return trigger !== 'start';
}

/** A node may wake `again`, at another time. */
function chosen(
  option: Exclude<Initiators, 'all' | { readonly random: number }>,
  n: number,
  again: boolean,
): StartTimes {
  if (option.length === 0) throw new InputError('an election needs an initiator: name one, as in 0,2');
  const wakes = option.map((entry) => (typeof entry === 'number' ? { position: entry, time: 0 } : entry));
  const seen = new Set<string>();
  for (const { position, time } of wakes) {
    if (!Number.isInteger(position) || position < 0 || position >= n) {
      throw new InputError(`initiator ${position} is out of range: positions are 0 to ${n - 1}`);
    }
    const wake = again ? `${position}@${time}` : `${position}`;
    if (seen.has(wake)) throw new InputError(`initiator ${wake} is given twice`);
    if (!(time >= 0 && time <= 1e9)) throw new InputError(`initiator ${position} cannot wake at ${time}`);
    seen.add(wake);
  }
  wakes.sort((a, b) => a.position - b.position);
  const late = wakes.some(({ time }) => time > 0);
  return {
    initiators: Int32Array.from(wakes, ({ position }) => position),
    wakeTimes: late ? Float64Array.from(wakes, ({ time }) => time) : null,
  };
}

function allBut(dead: readonly number[], n: number): Int32Array {
  const without = new Set(dead);
  const positions = new Int32Array(n - without.size);
  for (let at = 0, k = 0; at < n; at++) if (!without.has(at)) positions[k++] = at;
  return positions;
}
