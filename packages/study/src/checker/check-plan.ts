/**
 * What a check searches: its setup and all its options, with those of a preset, and with the least values of parameters that
 * only set the lengths of timers.
 */

import type { AnyAlgorithm } from '../kernel/algorithm.ts';
import type { CheckPreset, CheckPresets } from '../kernel/check-preset.ts';
import { InputError } from '../kernel/errors.ts';
import { leastTimerParams } from '../kernel/params.ts';
import { resolveSetup, type Setup } from '../kernel/setup.ts';
import { type CheckOptions, DEFAULT_CHECK_NODES } from './check-options.ts';

/** A check with every option resolved. */
export interface CheckPlan {
  readonly setup: Setup;
  /** They say all that differs from a default: they resolve to the same setup, without a preset. */
  readonly options: CheckOptions;
  /** Null if the options say what is searched, or if the algorithm has no preset. */
  readonly preset: NamedPreset | null;
  /** The parameters that have their least value, because an asynchronous search does not tell lengths of timers apart. */
  readonly leastParams: readonly string[];
}

/** A preset with its name. */
export interface NamedPreset {
  readonly name: string;
  /** What it switches off, in words; null if nothing. */
  readonly off: string | null;
}

/** Options that say what is searched. With one of them there is no preset by default. */
const SCOPE = [
  ...['nodes', 'ids', 'order', 'topology', 'set', 'orders', 'initiators', 'starts', 'crashes', 'recoveries'],
  ...['losses', 'fifo', 'delay', 'suspect', 'despite', 'bound'],
] as const satisfies readonly (keyof CheckOptions)[];

/** Resolves the options of a check. Options that are given override those of the preset. */
export function planCheck(algorithm: AnyAlgorithm, given: CheckOptions = {}): CheckPlan {
  const [name, preset] = presetOf(algorithm, given) ?? [];
  const { preset: _, ...own } = given;
  const chosen = preset === undefined ? own : withPreset(preset, own);
  const { nodes } = resolveSetup(algorithm, chosen, DEFAULT_CHECK_NODES);
  const least = algorithm.assumes.timing === 'asynchronous' ? leastTimerParams(algorithm.params, nodes) : {};
  const leastParams = Object.keys(least).filter((param) => chosen.set?.[param] === undefined);
  const options = leastParams.length === 0 ? chosen : { ...chosen, set: { ...least, ...chosen.set } };
  return {
    setup: resolveSetup(algorithm, options, DEFAULT_CHECK_NODES),
    options,
    preset: preset === undefined ? null : { name: name as string, off: preset.off ?? null },
    leastParams,
  };
}

/** The number of nodes if the options do not determine it. */
export function defaultCheckNodes(algorithm: AnyAlgorithm, options: CheckOptions = {}): number {
  return presetOf(algorithm, options)?.[1].nodes ?? DEFAULT_CHECK_NODES;
}

function presetOf(
  { checking = {}, name }: AnyAlgorithm,
  options: CheckOptions,
): [string, CheckPreset] | null {
  const presets = Object.entries(checking as CheckPresets);
  const { preset } = options;
  if (preset === 'none') return null;
  if (preset === undefined) {
    return SCOPE.some((option) => options[option] !== undefined) ? null : (presets[0] ?? null);
  }
  const names = presets.map(([each]) => each);
  const known = presets.find(([each]) => each === preset);
  if (known !== undefined) return known;
  const has = names.length === 0 ? 'it has none' : `it has ${names.join(', ')}`;
  throw new InputError(`preset '${preset}' is not one of ${name}: ${has}`);
}

function withPreset(
  { off: _, nodes, bound, set, ...preset }: CheckPreset,
  given: CheckOptions,
): CheckOptions {
  const { ids, topology, ...defined } = Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== undefined),
  ) as CheckOptions;
  const size = ids === undefined && topology === undefined ? { nodes } : {};
  return {
    ...size,
    ...preset,
    ...defined,
    ...(ids !== undefined && { ids }),
    ...(topology !== undefined && { topology }),
    ...((bound ?? given.bound) !== undefined && { bound: { ...bound, ...given.bound } }),
    ...((set ?? given.set) !== undefined && { set: { ...set, ...given.set } as CheckOptions['set'] }),
  };
}
